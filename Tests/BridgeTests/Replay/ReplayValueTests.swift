import Testing

@testable import Bridge

private typealias Letter = ReplayStage.Letter

@Suite struct `A dead letter without the value of its event` {
    @Test func `is replayed with the value of the first one`() throws {
        let stage = try ReplayStage()
        try stage.write([
            Letter(number: 7), Letter(number: 8),
            Letter(number: 7, index: 1, hasValueElsewhere: true),
            Letter(number: 8, index: 4, hasValueElsewhere: true),
        ])
        let totals = try stage.replay()
        #expect(totals.replayed == 4 && totals.withoutValue == 0)
        #expect(try stage.written() == [7, 8, 7, 8])
    }

    @Test func `is replayed with the value of its event if the first one was settled before`()
        throws
    {
        let stage = try ReplayStage()
        let event = Letter(number: 0, eventTime: ReplayStage.now - 5)
        try stage.writeEvent(event)
        try stage.write([
            Letter(number: 0, eventTime: event.eventTime),
            Letter(number: 0, index: 1, eventTime: event.eventTime, hasValueElsewhere: true),
        ])
        try stage.commit(1, "")
        #expect(try stage.replay().replayed == 1)
        #expect(try stage.written() == [0])
    }

    @Test func `is not replayed with the event of a topic that was recreated`() throws {
        let stage = try ReplayStage()
        try stage.writeEvent(Letter(number: 0, eventTime: ReplayStage.now - 5))
        try stage.write([
            Letter(number: 0, index: 1, eventTime: ReplayStage.now - 9, hasValueElsewhere: true)
        ])
        let totals = try stage.replay()
        #expect(totals.replayed == 0 && totals.withoutValue == 1)
    }

    @Test func `is counted if neither has the value any more`() throws {
        let stage = try ReplayStage()
        try stage.write([Letter(number: 3, index: 1, hasValueElsewhere: true)])
        #expect(try stage.replay().withoutValue == 1)
        #expect(try stage.written() == [])
    }
}
