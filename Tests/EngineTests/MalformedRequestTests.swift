import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A push rejected as a breach of HTTP 2` {
    private static let reason = "the peer calls the request a breach of HTTP/2: error 1"

    private func desk(_ policy: DeliverySettings.InDoubt = .collapse) throws -> EngineDesk {
        let desk = try EngineDesk { $0.inDoubt = policy }
        desk.assign()
        desk.push(offset: 0)
        return desk
    }

    private func refuse(_ desk: EngineDesk) throws {
        let push = try #require(desk.send())
        desk.engine.refusedAsMalformed(push, reason: Self.reason)
    }

    @Test func `is resent once, immediately, as the same attempt`() throws {
        let desk = try desk()
        try refuse(desk)
        #expect(desk.settle().isEmpty)
        try desk.sendAndAnswer(200)
        let outcome = try #require(desk.settle().first).value
        #expect(try Samples.member("verdict", of: outcome) == "accepted")
        #expect(outcome.contains(#""attempts":1,"#))
        #expect(desk.next() == 1)
    }

    @Test func `is in doubt the second time, with the reason`() throws {
        let desk = try desk()
        try refuse(desk)
        try refuse(desk)
        let published = desk.settle()
        #expect(published.outcomes.count == 1 && published.deadLetters.isEmpty)
        let outcome = try #require(published.first).value
        #expect(try Samples.member("verdict", of: outcome) == "unknown")
        #expect(try Samples.member("reason", of: outcome) == Self.reason)
        #expect(desk.next() == 1)
    }

    @Test func `is sent again after a back-off if pushes in doubt are resent`() throws {
        let desk = try desk(.resend)
        try refuse(desk)
        try refuse(desk)
        #expect(desk.settle().isEmpty)
        desk.pass(milliseconds: 600_000)
        try desk.sendAndAnswer(200)
        #expect(desk.settle().outcomes.count == 1)
    }

    @Test func `is not resent once it has a verdict`() throws {
        let desk = try desk()
        let push = try #require(desk.send())
        desk.answer(push, 200)
        desk.engine.refusedAsMalformed(push, reason: Self.reason)
        #expect(desk.settle().outcomes.count == 1)
        #expect(desk.openRecords == 0)
    }
}
