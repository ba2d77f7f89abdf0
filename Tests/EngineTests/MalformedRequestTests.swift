import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A push rejected as a breach of HTTP 2` {
    private static let reason = "the peer calls the request a breach of HTTP/2: error 1"

    private func harness(_ policy: DeliverySettings.InDoubt = .collapse) throws -> EngineHarness {
        let harness = try EngineHarness { $0.inDoubt = policy }
        harness.assign()
        harness.push(offset: 0)
        return harness
    }

    private func refuse(_ harness: EngineHarness) throws {
        let push = try #require(harness.send())
        harness.engine.refusedAsMalformed(push, reason: Self.reason)
    }

    @Test func `is resent once, immediately, as the same attempt`() throws {
        let harness = try harness()
        try refuse(harness)
        #expect(harness.settle().isEmpty)
        try harness.sendAndRespond(200)
        let outcome = try #require(harness.settle().first).value
        #expect(try Samples.member("verdict", of: outcome) == "accepted")
        #expect(outcome.contains(#""attempts":1,"#))
        #expect(harness.next() == 1)
    }

    @Test func `is in doubt the second time, with the reason`() throws {
        let harness = try harness()
        try refuse(harness)
        try refuse(harness)
        let published = harness.settle()
        #expect(published.outcomes.count == 1 && published.deadLetters.isEmpty)
        let outcome = try #require(published.first).value
        #expect(try Samples.member("verdict", of: outcome) == "unknown")
        #expect(try Samples.member("reason", of: outcome) == Self.reason)
        #expect(harness.next() == 1)
    }

    @Test func `is sent again after a back-off if pushes in doubt are resent`() throws {
        let harness = try harness(.resend)
        try refuse(harness)
        try refuse(harness)
        #expect(harness.settle().isEmpty)
        harness.pass(milliseconds: 600_000)
        try harness.sendAndRespond(200)
        #expect(harness.settle().outcomes.count == 1)
    }

    @Test func `is not resent once it has a verdict`() throws {
        let harness = try harness()
        let push = try #require(harness.send())
        harness.respond(push, 200)
        harness.engine.refusedAsMalformed(push, reason: Self.reason)
        #expect(harness.settle().outcomes.count == 1)
        #expect(harness.openRecords == 0)
    }
}
