import Delivery
import Testing

@Suite struct `Completed offsets in many short runs` {
    /// Every second offset above 100 is done.
    private func everySecond(_ count: Int64) -> CompletedOffsets {
        CompletedOffsets(ranges: (0..<count).map { (101 + 2 * $0)..<(102 + 2 * $0) })
    }

    @Test func `are told whole where runs alone would not fit`() {
        let done = everySecond(12_000)
        let text = done.text(from: 100)
        #expect(text.hasPrefix("c2:") && text.utf8.count <= CompletedOffsets.maxTextBytes)
        #expect(CompletedOffsets(text: text, from: 100) == done)
    }

    @Test func `are told up to a bound when there are too many`() throws {
        let done = everySecond(20_000)
        let text = done.text(from: 100)
        #expect(text.utf8.count <= CompletedOffsets.maxTextBytes)
        let read = CompletedOffsets(text: text, from: 100)
        #expect(read.ranges == Array(done.ranges.prefix(read.ranges.count)))
        #expect(read.ranges.count > 12_000)
    }

    @Test func `are told in runs as long as those fit`() {
        let text = everySecond(1000).text(from: 100)
        #expect(text.hasPrefix("c1:"))
    }

    @Test func `are told in runs where those say more`() {
        let done = CompletedOffsets(
            ranges: (0..<3000).map { (100 + 1000 * $0)..<(600 + 1000 * $0) })
        let text = done.text(from: 50)
        #expect(text.hasPrefix("c1:"))
        #expect(CompletedOffsets(text: text, from: 50).ranges.count > 500)
    }

    @Test(arguments: ["c2:!", "c2:A A", "c2:ÄÖ", "c2:%%%%"])
    func `that are damaged say nothing`(text: String) {
        #expect(CompletedOffsets(text: text, from: 0).ranges.isEmpty)
    }

    @Test func `at the end of all offsets are no trap`() {
        #expect(CompletedOffsets(text: "c2:______", from: .max - 3).ranges.isEmpty)
    }
}
