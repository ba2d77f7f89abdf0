import Delivery
import Encoding
import Testing

@Suite struct `An offset tracker` {
    @Test func `commits nothing past a record that is not done`() {
        var tracker = OffsetTracker(committed: 10)
        for offset in 10..<14 as Range<Int64> { _ = tracker.begin(offset) }
        tracker.complete(11)
        tracker.complete(13)
        #expect(tracker.next == 10)
        tracker.complete(10)
        #expect(tracker.next == 12)
        tracker.complete(12)
        #expect(tracker.next == 14)
        #expect(tracker.inFlight == 0)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `counts what is done above the commit, in whatever order records finish`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var tracker = OffsetTracker(committed: 0)
        var open: [Int64] = []
        var done: Set<Int64> = []
        var offset: Int64 = 0
        for _ in 0..<3000 {
            if open.isEmpty || random.next() % 100 < 50 {
                offset += 1 + Int64(random.next() % 20 / 19)
                open.append(offset)
                let isNew = tracker.begin(offset)
                #expect(isNew)
            } else {
                // The oldest ones mostly stay open, so that entries of others are removed.
                let position = random.next() % 40 == 0 ? 0 : random.next() % UInt64(open.count)
                let finished = open.remove(at: Int(position))
                tracker.complete(finished)
                done.insert(finished)
            }
            let next = tracker.next ?? 0
            #expect(tracker.doneAhead == done.count { $0 >= next })
        }
        for left in open { tracker.complete(left) }
        #expect(tracker.doneAhead == 0)
    }

    @Test func `skips offsets that compaction has removed`() {
        var tracker = OffsetTracker(committed: nil)
        for offset in [3, 9, 40] as [Int64] { _ = tracker.begin(offset) }
        tracker.complete(3)
        #expect(tracker.next == 9)
        tracker.complete(40)
        tracker.complete(9)
        #expect(tracker.next == 41)
    }

    @Test func `has no offset before the first record of a group without a commit`() {
        #expect(OffsetTracker(committed: nil).next == nil)
        #expect(OffsetTracker(committed: 7).next == 7)
    }

    @Test func `does not start a record twice`() {
        var tracker = OffsetTracker(committed: 0)
        let first = tracker.begin(0)
        let second = tracker.begin(0)
        tracker.complete(0)
        let third = tracker.begin(0)
        #expect([first, second, third] == [true, false, false])
    }

    @Test func `names completed offsets above the commit, which the next owner skips`() {
        var tracker = OffsetTracker(committed: 100)
        for offset in 100..<110 as Range<Int64> { _ = tracker.begin(offset) }
        for offset in [101, 102, 105, 109] as [Int64] { tracker.complete(offset) }
        let text = tracker.completed.text(from: 100)
        var successor = OffsetTracker(
            committed: 100, known: CompletedOffsets(text: text, from: 100))
        let begun = (100..<112 as Range<Int64>).filter { successor.begin($0) }
        #expect(begun == [100, 103, 104, 106, 107, 108, 110, 111])
        for offset in begun { successor.complete(offset) }
        #expect(successor.next == 112)
    }

    @Test func `still names what the previous owner had completed`() {
        let known = CompletedOffsets(ranges: [105..<108])
        var tracker = OffsetTracker(committed: 100, known: known)
        _ = tracker.begin(100)
        _ = tracker.begin(101)
        tracker.complete(101)
        #expect(tracker.completed == CompletedOffsets(ranges: [101..<102, 105..<108]))
    }

    @Test func `finds every record among those that compaction has left`() {
        let offsets: [Int64] = [3, 4, 9, 10, 11, 40, 1_000_000, Int64.max - 1]
        for first in offsets.indices {
            var tracker = OffsetTracker(committed: 0)
            for offset in offsets { _ = tracker.begin(offset) }
            #expect(tracker.inFlight == offsets.count)
            tracker.complete(offsets[first])
            for offset in offsets.reversed() where offset != offsets[first] {
                tracker.complete(offset)
            }
            #expect(tracker.next == Int64.max && tracker.inFlight == 0)
        }
    }

    /// Every order in which five records can finish.
    @Test func `is correct in whatever order records finish`() {
        func visit(_ rest: [Int64], _ done: [Int64]) {
            if rest.isEmpty {
                var tracker = OffsetTracker(committed: 0)
                for offset in 0..<5 as Range<Int64> { _ = tracker.begin(offset) }
                for (count, offset) in done.enumerated() {
                    tracker.complete(offset)
                    let finished = Set(done[...count])
                    let safe = (0..<5 as Range<Int64>).first { !finished.contains($0) } ?? 5
                    #expect(tracker.next == safe)
                }
            }
            for offset in rest { visit(rest.filter { $0 != offset }, done + [offset]) }
        }
        visit([0, 1, 2, 3, 4], [])
    }

    @Test func `keeps only the records that are not done`() {
        var tracker = OffsetTracker(committed: 0)
        _ = tracker.begin(0)
        for offset in 1..<100_000 as Range<Int64> {
            _ = tracker.begin(offset)
            tracker.complete(offset)
        }
        #expect(tracker.next == 0)
        #expect(tracker.completed == CompletedOffsets(ranges: [1..<100_000]))
        tracker.complete(0)
        #expect(tracker.next == 100_000)
    }
}

@Suite struct `Completed offsets` {
    @Test(arguments: ["", "v2:00", "c1:0", "c1:zz", "c1:01", "c1:ffffffffffffffffffff01"])
    func `are ignored if their text is foreign or damaged`(text: String) {
        #expect(CompletedOffsets(text: text, from: 5) == CompletedOffsets())
    }

    @Test func `survive a round trip through text`() {
        let offsets = CompletedOffsets(ranges: [7..<8, 300..<70_000, 1 << 40..<(1 << 40) + 2])
        #expect(CompletedOffsets(text: offsets.text(from: 5), from: 5) == offsets)
    }

    @Test func `leave out the highest offsets if Kafka would not store all`() {
        let ranges = (0..<9000 as Range<Int64>).map { $0 * 10 + 1..<$0 * 10 + 2 }
        let text = CompletedOffsets(ranges: ranges).text(from: 0)
        #expect(text.utf16.count <= CompletedOffsets.maxTextLength)
        let kept = CompletedOffsets(text: text, from: 0).ranges
        #expect(kept.count > 1000)
        #expect(kept == Array(ranges.prefix(kept.count)))
    }
}
