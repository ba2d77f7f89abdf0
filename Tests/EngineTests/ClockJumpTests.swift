import APNs
import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A push in the retry topic` {
    @Test func `does not wait for hours after the clock was set back`() throws {
        let writer = try retryDesk()
        writer.push("aa", offset: 1)
        writer.answer(try #require(writer.send()), 503, "ServiceUnavailable", retryAfter: 10)
        let record = try #require(writer.settle().retries.first).record
        let reader = try EngineDesk { $0.results.retry = "apns.retry" }
        let hours: Int64 = 2 * 3_600_000
        reader.engine.setTime(reader.engine.now, wallClock: EngineDesk.start - hours)
        reader.takeBack(record, offset: 70, of: reader.assignRetry(), writtenAt: EngineDesk.start)
        #expect(reader.send() == nil)
        reader.pass(milliseconds: 300_000)
        try reader.sendAndAnswer(200)
        #expect(reader.settle().outcomes.count == 1)
    }
}
