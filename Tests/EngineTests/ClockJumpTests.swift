import APNs
import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A push in the retry topic` {
    /// Kafka gives a record its own time, or that of the worker that wrote it.
    @Test(arguments: [0, -Self.hours])
    func `does not wait for hours after the clock was set back`(timestamp: Int64) throws {
        let reader = try readingAfterJump(timestamp: timestamp)
        #expect(reader.send() == nil)
        reader.pass(milliseconds: 10_000)
        try reader.sendAndRespond(200)
        #expect(reader.settle().outcomes.count == 1)
    }

    @Test func `does not wait for hours after that, if an older version wrote it`() throws {
        let reader = try readingAfterJump(timestamp: 0, isOld: true)
        #expect(reader.send() == nil)
        reader.pass(milliseconds: 10_000)
        try reader.sendAndRespond(200)
        #expect(reader.settle().outcomes.count == 1)
    }

    @Test func `gets no more time because the clock was set back`() throws {
        let reader = try readingAfterJump(timestamp: 0) { $0.retry.giveUpAfter = .seconds(20) }
        reader.pass(milliseconds: 10_000)
        reader.respond(try #require(reader.send()), 503, "ServiceUnavailable", retryAfter: 15)
        reader.pass(milliseconds: 11_000)
        #expect(reader.settle().outcomes.first?.value.contains(#""verdict":"rejected""#) == true)
    }

    private static var hours: Int64 { 2 * 3_600_000 }

    /// A record that was written to be due after 10 s; then the clock was set back. Kafka has given
    /// it a timestamp, relative to when it was written.
    private func readingAfterJump(
        timestamp: Int64, isOld: Bool = false, tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let writer = try retryHarness(tweak: tweak)
        writer.push("aa", offset: 1)
        writer.respond(try #require(writer.send()), 503, "ServiceUnavailable", retryAfter: 10)
        var record = try #require(writer.settle().retries.first).record
        if isOld { record.headers.removeAll { $0.name == "apns-bridge-retry-written" } }
        let reader = try EngineHarness {
            $0.results.retry = "apns.retry"
            tweak(&$0)
        }
        reader.engine.setTime(reader.engine.now, wallClock: EngineHarness.start - Self.hours)
        reader.takeBack(
            record, offset: 70, of: reader.assignRetry(), writtenAt: EngineHarness.start + timestamp
        )
        return reader
    }
}
