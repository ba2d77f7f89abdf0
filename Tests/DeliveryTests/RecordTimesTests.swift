import Delivery
import Encoding
import Testing

@Suite struct `The time of the last record below an offset` {
    private let start: Int64 = 1_764_187_200_000

    @Test func `is that of the record, about a second early at most`() throws {
        var times = RecordTimes(committed: nil, time: nil)
        for offset in 0..<100 as Range<Int64> { times.note(offset, start + 300 * offset) }
        #expect(times.time(below: 0) == nil)
        for next in [1, 7, 50, 100] as [Int64] {
            let own = start + 300 * (next - 1)
            let found = times.time(below: next)
            let time = try #require(found)
            #expect(time <= own && time > own - 1000)
        }
    }

    @Test func `is the one that an earlier commit records until a record is finished`() {
        var times = RecordTimes(committed: 10, time: start)
        #expect(times.time(below: 10) == start)
        times.note(10, start + 5000)
        #expect(times.time(below: 10) == start)
        #expect(times.time(below: 11) == start + 5000)
    }

    @Test func `ignores times that fall by less than a minute`() {
        var times = RecordTimes(committed: nil, time: nil)
        times.note(0, start)
        times.note(1, start - 60_000)
        #expect(times.time(below: 2) == start)
    }

    @Test func `is unknown while times fall by more, until they are back`() {
        var times = RecordTimes(committed: nil, time: nil)
        times.note(0, start)
        times.note(1, start - 60_001)
        times.note(2, start - 10)
        #expect(times.time(below: 1) == start)
        #expect(times.time(below: 2) == nil)
        #expect(times.time(below: 3) == nil)
        times.note(3, start)
        #expect(times.time(below: 3) == nil)
        #expect(times.time(below: 4) == start)
    }

    @Test func `is unknown without times`() {
        var times = RecordTimes(committed: 5, time: nil)
        for offset in 5..<9 as Range<Int64> { times.note(offset, offset == 7 ? 0 : nil) }
        #expect(times.time(below: 9) == nil)
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `is never later than the latest below, however many records are open`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var times = RecordTimes(committed: nil, time: nil)
        var written: [Int64] = []
        var time = start
        for offset in 0..<20_000 as Range<Int64> {
            time += Int64(random.next() % 3000)
            if random.next() % 4000 == 0 { time -= 200_000 }
            written.append(time)
            times.note(offset, time)
        }
        var (next, latest, seen) = (0, Int64(0), 0)
        while next < written.count {
            let step = min(written.count, next + 1 + Int(random.next() % 200))
            for index in next..<step { latest = max(latest, written[index]) }
            next = step
            guard let found = times.time(below: Int64(next)) else { continue }
            seen += 1
            #expect(found <= latest)
            // Where there is one, times are not far behind the latest.
            #expect(written[next - 1] >= found - 60_000)
        }
        #expect(seen >= 5)
    }
}
