import Delivery
import Testing

@Suite struct `Completed offsets in many short runs` {
    /// Every second offset above 100 is done.
    private func everySecond(_ count: Int64) -> CompletedOffsets {
        CompletedOffsets(ranges: (0..<count).map { (101 + 2 * $0)..<(102 + 2 * $0) })
    }

    @Test func `are complete even if runs alone would not fit`() {
        let done = everySecond(30_000)
        let text = done.text(from: 100)
        #expect(text.hasPrefix("c4:") && text.count <= CompletedOffsets.maxTextLength)
        #expect(CompletedOffsets(text: text, from: 100) == done)
    }

    @Test func `are reported up to a limit if there are too many`() throws {
        let done = everySecond(60_000)
        let text = done.text(from: 100)
        #expect(text.utf16.count <= CompletedOffsets.maxTextLength)
        let read = CompletedOffsets(text: text, from: 100)
        #expect(read.ranges == Array(done.ranges.prefix(read.ranges.count)))
        #expect(read.ranges.count > 30_000)
    }

    @Test func `are complete within the span that a length allows, whichever they are`() {
        for length in [4, 64, 1000, 4096] {
            let span = CompletedOffsets.span(ofTextLength: length)
            var state: UInt64 = 7
            for density in [2, 3, 10] as [UInt64] {
                let ranges = (0..<span).compactMap { offset -> Range<Int64>? in
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    return (state >> 33) % density == 0 ? offset..<(offset + 1) : nil
                }
                let done = CompletedOffsets(ranges: ranges)
                let text = done.text(from: 0, atMost: length)
                #expect(text.utf16.count <= length)
                #expect(CompletedOffsets(text: text, from: 0) == done)
            }
        }
        #expect(everySecond(10).text(from: 100, atMost: 3).isEmpty)
    }

    @Test func `are written as runs while those fit`() {
        #expect(everySecond(1000).text(from: 100).hasPrefix("c1:"))
        let done = everySecond(3000)
        let text = done.text(from: 100)
        #expect(text.hasPrefix("c3:"))
        #expect(CompletedOffsets(text: text, from: 100) == done)
    }

    @Test func `are written as runs if those cover more`() {
        let done = CompletedOffsets(
            ranges: (0..<3000).map { (100 + 1000 * $0)..<(600 + 1000 * $0) })
        let text = done.text(from: 50)
        #expect(text.hasPrefix("c3:"))
        #expect(text.utf16.count <= CompletedOffsets.maxTextLength)
        #expect(CompletedOffsets(text: text, from: 50).ranges.count > 1800)
    }

    /// Some characters join the colon before them as a mark does its letter.
    @Test(arguments: ["c4:", "s3;c4:", "t500,1,sent;c4:"])
    func `are read whatever character comes first`(prefix: String) {
        for unit in 0...0x7FFF as ClosedRange<UInt32> {
            var text = prefix.unicodeScalars
            text += [0x3000 + unit, 0x3001].compactMap { Unicode.Scalar($0) }
            let expected = (0...14 as ClosedRange<Int64>).filter { unit >> $0 & 1 == 1 } + [15]
            let read = CompletedOffsets(text: String(text), from: 0)
            let isRead = read == CompletedOffsets(ranges: expected.map { $0..<($0 + 1) })
            #expect(isRead, "\(String(0x3000 + unit, radix: 16))")
            if !isRead { return }
        }
    }

    @Test func `are read from runs whose first character joins the colon before it`() {
        var ranges: [Range<Int64>] = [102..<222]
        for number in 0..<1100 as Range<Int64> {
            ranges.append((223 + 2 * number)..<(224 + 2 * number))
        }
        let done = CompletedOffsets(ranges: ranges)
        let text = done.text(from: 100)
        #expect(text.unicodeScalars.starts(with: "c3:\u{A802}".unicodeScalars))
        #expect(CompletedOffsets(text: text, from: 100) == done)
    }

    @Test(arguments: [
        "c1:!", "c2:FA_B", "c3:ÄÖ", "c4:%%%%", "c3:A", "c3:\u{2FFF}", "c4:\u{B000}", "c4:\u{1F600}",
        "c3:\u{AFFF}\u{AFFF}\u{AFFF}\u{AFFF}\u{AFFF}\u{AFFF}\u{AFFF}", "c4",
    ])
    func `are ignored if they are damaged`(text: String) {
        #expect(CompletedOffsets(text: text, from: 0).ranges.isEmpty)
    }

    @Test func `do not overflow at the highest offset`() {
        #expect(CompletedOffsets(text: "c4:\u{AFFF}\u{AFFF}", from: .max - 3).ranges.isEmpty)
        #expect(CompletedOffsets(ranges: [.max - 2 ..< .max]).text(from: .max - 9) == "c1:0702")
    }
}
