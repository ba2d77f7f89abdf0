import APNs
import BridgeSamples
import Configuration
import EventLoop
import Testing

@testable import Engine

@Suite struct `A response that APNs never gives` {
    private func harness(pushes: Int = 1) throws -> EngineHarness {
        let harness = try EngineHarness()
        harness.assign()
        for offset in 0..<pushes { harness.push("ab\(10 + offset)", offset: Int64(offset)) }
        return harness
    }

    @Test(arguments: [400, 413, 421, 431, 302])
    func `suspends sending, loses no push, and raises an alarm that names it`(status: Int) throws {
        let harness = try harness(pushes: 3)
        try harness.sendAndRespond(status)
        #expect(harness.send() == nil)
        #expect(harness.publish().isEmpty)
        #expect(harness.openRecords == 3)
        let suspension = try #require(harness.engine.notices.first?.suspension)
        #expect(suspension.cause == .foreign(status: status, reason: ""))
        harness.pass(milliseconds: 1000)
        try harness.sendAndRespond(200)
        #expect(harness.sendAll().count == 2)
    }

    @Test func `unregisters no device token, even with status 410`() throws {
        let harness = try harness()
        try harness.sendAndRespond(410)
        #expect(harness.publish().isEmpty)
        #expect(harness.openRecords == 1)
    }

    @Test func `ends a push only after three of them while others are accepted`() throws {
        let harness = try harness(pushes: 20)
        var ended: [EngineHarness.Published] = []
        for _ in 0..<60 where harness.openRecords > 0 {
            harness.pass(milliseconds: 11_000)
            for id in harness.sendAll() {
                let isLarge = harness.token(id) == "ab10"
                harness.respond(id, isLarge ? 413 : 200)
            }
            ended += harness.settle()
        }
        let rejected = ended.outcomes.filter { $0.value.contains(#""verdict":"rejected""#) }
        #expect(rejected.count == 1 && ended.outcomes.count == 20)
        #expect(rejected.first?.value.contains(#""status":413"#) == true)
        #expect(ended.deadLetters.count == 1 && ended.unregistered.isEmpty)
    }

    @Test func `ends no push while no other push is accepted`() throws {
        let harness = try harness(pushes: 3)
        for _ in 0..<50 {
            harness.pass(milliseconds: 11_000)
            for id in harness.sendAll() { harness.respond(id, 413) }
        }
        #expect(harness.publish().isEmpty)
        #expect(harness.openRecords == 3)
    }

    @Test(arguments: [
        APNsResponse(status: 200, isIdentified: false), APNsResponse(status: 204),
    ])
    func `leaves a push in doubt if its status means success`(response: APNsResponse) throws {
        let harness = try EngineHarness { $0.inDoubt = .report }
        harness.assign()
        harness.push(offset: 0)
        let id = try #require(harness.send())
        harness.engine.responded(id, response)
        let outcome = try #require(harness.settle().outcomes.first).value
        #expect(outcome.contains(#""verdict":"unknown""#))
        #expect(harness.isFirstAppSuspended)
    }
}

@Suite struct `A response to a replaced credential` {
    private func harness() throws -> EngineHarness {
        let harness = try EngineHarness()
        harness.assign()
        for offset in 0..<3 { harness.push("ab\(10 + offset)", offset: Int64(offset)) }
        return harness
    }

    @Test func `does not suspend sending, and its push is sent with the new credential`() throws {
        let harness = try harness()
        let sent = harness.sendAll()
        harness.engine.sendingCell.value.adopt(CredentialVersion.first.next, route: 0)
        for id in sent {
            harness.engine.responded(
                id, APNsResponse(status: 403, reason: "InvalidProviderToken"), signedWith: .first)
        }
        #expect(!harness.isFirstAppSuspended)
        #expect(harness.engine.notices.isEmpty)
        #expect(harness.sendAll().count == 3)
    }

    @Test func `does not resume sending after the new credential was rejected`() throws {
        let harness = try harness()
        let first = try #require(harness.send())
        harness.engine.sendingCell.value.adopt(CredentialVersion.first.next, route: 0)
        let second = try #require(harness.send())
        harness.engine.responded(
            second, APNsResponse(status: 403, reason: "InvalidProviderToken"),
            signedWith: CredentialVersion.first.next)
        harness.engine.responded(first, APNsResponse(status: 200), signedWith: .first)
        #expect(harness.isFirstAppSuspended)
    }

    @Test func `does not suspend sending if it closed a connection`() throws {
        let harness = try harness()
        harness.engine.sendingCell.value.adopt(CredentialVersion.first.next, route: 0)
        harness.engine.credentialRefused(
            route: 0, reason: "InvalidProviderToken", signedWith: .first)
        #expect(!harness.isFirstAppSuspended)
    }
}
