import Delivery
import Testing

@Suite struct `A partition whose log may have changed` {
    @Test func `continues at the oldest record if the next one has expired`() {
        let reset = PositionReset(next: 40, refused: 40, low: 100, high: 300, highest: nil)
        #expect(reset == PositionReset(cause: .expired, from: 40, to: 100, gone: 60))
    }

    @Test func `is read again if it ends before the next record`() {
        let reset = PositionReset(next: 500, refused: 500, low: 0, high: 10, highest: nil)
        #expect(reset == PositionReset(cause: .replaced, from: 500, to: 0, gone: nil))
    }

    @Test func `is read again if it ends before an end seen earlier`() {
        let reset = PositionReset(next: 5, refused: nil, low: 0, high: 10, highest: 30)
        #expect(reset == PositionReset(cause: .replaced, from: 5, to: 0, gone: 25))
    }

    @Test func `is read again if a position that Kafka rejected exists a moment later`() {
        let reset = PositionReset(next: 5, refused: 5, low: 0, high: 10, highest: nil)
        #expect(reset == PositionReset(cause: .replaced, from: 5, to: 0, gone: nil))
    }

    @Test func `has lost nothing if everything before the end was read`() {
        let reset = PositionReset(next: 30, refused: 30, low: 0, high: 10, highest: 30)
        #expect(reset?.gone == 0)
    }

    @Test func `continues where it was if the rejection was about an earlier position`() {
        #expect(PositionReset(next: 7, refused: 3, low: 0, high: 10, highest: 10) == nil)
    }

    @Test func `continues where it was at either end of the log`() {
        #expect(PositionReset(next: 0, refused: nil, low: 0, high: 10, highest: 10) == nil)
        #expect(PositionReset(next: 10, refused: nil, low: 0, high: 10, highest: 10) == nil)
    }
}

@Suite struct `A log that was replaced` {
    private func reset() throws -> PositionReset {
        try #require(PositionReset(next: 500, refused: 500, low: 3, high: 499, highest: nil))
    }

    @Test func `is read on a minute before the last finished record`() throws {
        var reset = try reset()
        reset.choose(finished: 1_000_000, offset: 470)
        #expect(reset.to == 470 && reset.choice == .time(940_000))
        let mark = reset.mark(partitionCount: 3, finished: 1_000_000)
        #expect(mark == LogMark(partitionCount: 3, time: 1_000_000))
    }

    @Test func `is read from its oldest record if none is that late, never from its end`() throws {
        var reset = try reset()
        reset.choose(finished: 1_000_000, offset: nil)
        #expect(reset.to == 3 && reset.choice == .noRecord(since: 940_000))
        #expect(reset.mark(partitionCount: 3, finished: 1_000_000) == LogMark(partitionCount: 3))
    }

    @Test func `is read from its oldest record without a time`() throws {
        var reset = try reset()
        reset.choose(finished: nil, offset: nil)
        #expect(reset.to == 3 && reset.choice == .noTime)
    }

    @Test func `is read from its oldest record where only retention removed some`() throws {
        var reset = try #require(
            PositionReset(next: 1, refused: 1, low: 3, high: 499, highest: nil))
        reset.choose(finished: 1_000_000, offset: 470)
        #expect(reset.to == 3 && reset.choice == .oldest)
    }
}
