import Delivery
import Encoding
import Testing

@Suite struct `A metadata budget` {
    @Test(arguments: 1...40 as ClosedRange<UInt64>)
    func `fits only what a commit can hold, whichever open records end first`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let characters = 4 + Int(random.next() % 400)
        let budget = MetadataBudget(characters: characters)
        let rarity = 1 + random.next() % 60
        // Records are open here and there, as far as the budget reaches.
        var open: [Int64] = [100]
        var end: Int64 = 101
        while budget.fits(open: open.count + 1, span: end + 1 - 100), end < 100_000 {
            if random.next() % rarity == 0 { open.append(end) }
            end += random.next() % 50 == 0 ? Int64(random.next() % 40) + 1 : 1
        }
        while !budget.fits(open: open.count, span: end - 100) { end -= 1 }
        open.removeAll { $0 >= end }
        for share in 0..<5 as Range<UInt64> {
            let left = [100] + open.dropFirst().filter { _ in random.next() % 4 < share }
            var ranges: [Range<Int64>] = []
            for (index, offset) in left.enumerated() {
                let next = index + 1 < left.count ? left[index + 1] : end
                ranges.append((offset + 1)..<max(offset + 1, next))
            }
            let done = CompletedOffsets(ranges: ranges)
            let text = done.text(from: 100, atMost: characters)
            #expect(text.unicodeScalars.count <= characters)
            #expect(CompletedOffsets(text: text, from: 100) == done)
        }
    }

    @Test func `reaches further if few records are open`() {
        let budget = MetadataBudget()
        #expect(budget.span == 59_955)
        #expect(budget.fits(open: 59_000, span: budget.span))
        #expect(!budget.fits(open: 60_000, span: budget.span + 1))
        #expect(budget.fits(open: 1, span: 1 << 40))
        #expect(budget.fits(open: 1000, span: 150_000))
    }

    @Test func `fits nothing if it has no characters`() {
        #expect(MetadataBudget(characters: 0).span == 0)
        #expect(!MetadataBudget(characters: 0).fits(open: 1, span: 1))
        var budget = MetadataBudget()
        for _ in 0..<20 { budget.halve(after: 4096) }
        #expect(budget.characters == 0)
    }
}
