import APNs
import BridgeSamples
import Configuration
import Testing

@testable import Engine

@Suite struct `A response that APNs never gives` {
    private func desk(pushes: Int = 1) throws -> EngineDesk {
        let desk = try EngineDesk()
        desk.assign()
        for offset in 0..<pushes { desk.push("ab\(10 + offset)", offset: Int64(offset)) }
        return desk
    }

    @Test(arguments: [400, 413, 421, 431, 302])
    func `suspends sending, loses no push, and raises an alarm that names it`(status: Int) throws {
        let desk = try desk(pushes: 3)
        try desk.sendAndAnswer(status)
        #expect(desk.send() == nil)
        #expect(desk.publish().isEmpty)
        #expect(desk.openRecords == 3)
        let suspension = try #require(desk.engine.notices.first?.suspension)
        #expect(suspension.cause == .foreign(status: status, reason: ""))
        desk.pass(milliseconds: 1000)
        try desk.sendAndAnswer(200)
        #expect(desk.sendAll().count == 2)
    }

    @Test func `unregisters no device token, even with status 410`() throws {
        let desk = try desk()
        try desk.sendAndAnswer(410)
        #expect(desk.publish().isEmpty)
        #expect(desk.openRecords == 1)
    }

    @Test func `ends a push only after three of them while others are accepted`() throws {
        let desk = try desk(pushes: 20)
        var ended: [EngineDesk.Published] = []
        for _ in 0..<60 where desk.openRecords > 0 {
            desk.pass(milliseconds: 11_000)
            for id in desk.sendAll() {
                let isLarge = desk.token(id) == "ab10"
                desk.answer(id, isLarge ? 413 : 200)
            }
            ended += desk.settle()
        }
        let rejected = ended.outcomes.filter { $0.value.contains(#""verdict":"rejected""#) }
        #expect(rejected.count == 1 && ended.outcomes.count == 20)
        #expect(rejected.first?.value.contains(#""status":413"#) == true)
        #expect(ended.deadLetters.count == 1 && ended.unregistered.isEmpty)
    }

    @Test func `ends no push while no other push is accepted`() throws {
        let desk = try desk(pushes: 3)
        for _ in 0..<50 {
            desk.pass(milliseconds: 11_000)
            for id in desk.sendAll() { desk.answer(id, 413) }
        }
        #expect(desk.publish().isEmpty)
        #expect(desk.openRecords == 3)
    }

    @Test(arguments: [
        APNsResponse(status: 200, isIdentified: false), APNsResponse(status: 204),
    ])
    func `leaves a push in doubt if its status means success`(response: APNsResponse) throws {
        let desk = try EngineDesk { $0.inDoubt = .report }
        desk.assign()
        desk.push(offset: 0)
        let id = try #require(desk.send())
        desk.engine.responded(id, response)
        let outcome = try #require(desk.settle().outcomes.first).value
        #expect(outcome.contains(#""verdict":"unknown""#))
        #expect(desk.engine.queues.isSuspended(AppID(0)))
    }
}

@Suite struct `A response to a replaced credential` {
    private func desk() throws -> EngineDesk {
        let desk = try EngineDesk()
        desk.assign()
        for offset in 0..<3 { desk.push("ab\(10 + offset)", offset: Int64(offset)) }
        return desk
    }

    @Test func `does not suspend sending, and its push is sent with the new credential`() throws {
        let desk = try desk()
        let sent = desk.sendAll()
        desk.engine.queues.adopt(CredentialVersion.first.next, route: 0)
        for id in sent {
            desk.engine.responded(
                id, APNsResponse(status: 403, reason: "InvalidProviderToken"), signedWith: .first)
        }
        #expect(!desk.engine.queues.isSuspended(AppID(0)))
        #expect(desk.engine.notices.isEmpty)
        #expect(desk.sendAll().count == 3)
    }

    @Test func `does not resume sending after the new credential was rejected`() throws {
        let desk = try desk()
        let first = try #require(desk.send())
        desk.engine.queues.adopt(CredentialVersion.first.next, route: 0)
        let second = try #require(desk.send())
        desk.engine.responded(
            second, APNsResponse(status: 403, reason: "InvalidProviderToken"),
            signedWith: CredentialVersion.first.next)
        desk.engine.responded(first, APNsResponse(status: 200), signedWith: .first)
        #expect(desk.engine.queues.isSuspended(AppID(0)))
    }

    @Test func `does not suspend sending if it closed a connection`() throws {
        let desk = try desk()
        desk.engine.queues.adopt(CredentialVersion.first.next, route: 0)
        desk.engine.credentialRefused(
            route: 0, reason: "InvalidProviderToken", signedWith: .first)
        #expect(!desk.engine.queues.isSuspended(AppID(0)))
    }
}
