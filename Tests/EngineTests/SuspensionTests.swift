import Delivery
import Testing

@testable import Engine

@Suite struct `A rejected credential` {
    /// A desk with ten records whose sending has just been suspended.
    private func suspended(
        _ status: Int = 403, _ reason: String = "InvalidProviderToken",
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineDesk {
        let desk = try EngineDesk(tweak: tweak)
        desk.assign()
        for offset in 0..<10 { desk.push(offset: Int64(offset)) }
        try desk.sendAndAnswer(status, reason)
        return desk
    }

    @Test(
        arguments: [
            (403, "InvalidProviderToken"), (403, "Forbidden"), (403, "BadCertificateEnvironment"),
            (400, "TopicDisallowed"), (403, "a reason of tomorrow"), (302, ""),
        ])
    func `suspends sending and keeps every record`(status: Int, reason: String) throws {
        let desk = try suspended(status, reason)
        #expect(desk.send() == nil)
        #expect(desk.publish().isEmpty)
        #expect(desk.next() == 0)
        #expect(desk.engine.window.records == 10)
        #expect(desk.engine.notices.map(\.name) == ["suspended"])
    }

    @Test func `is probed with one push at a time, at growing intervals`() throws {
        let desk = try suspended()
        var waits: [Int64] = []
        for _ in 0..<9 {
            var waited: Int64 = 0
            var probe: PushID?
            while probe == nil, waited < 20_000 {
                desk.pass(milliseconds: 500)
                waited += 500
                probe = desk.send()
            }
            #expect(desk.send() == nil)
            waits.append(waited / 1000)
            desk.answer(try #require(probe), 403, "InvalidProviderToken")
        }
        #expect(waits == [1, 2, 4, 8, 10, 10, 10, 10, 10])
    }

    @Test func `is probed at growing intervals even if APNs calls each token expired`() throws {
        let desk = try suspended(403, "ExpiredProviderToken")
        var probes = 0
        for _ in 0..<1200 {
            desk.pass(milliseconds: 1000)
            while let probe = desk.send() {
                desk.answer(probe, 403, "ExpiredProviderToken")
                probes += 1
            }
        }
        #expect(desk.publish().isEmpty)
        #expect((100...260).contains(probes))
    }

    @Test func `is probed soon when another credential is to be tried`() throws {
        let desk = try suspended()
        for _ in 0..<60 {
            desk.pass(milliseconds: 1000)
            if let probe = desk.send() { desk.answer(probe, 403, "InvalidProviderToken") }
        }
        desk.engine.credentialOffered(route: 0)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 1000)
        #expect(desk.send() != nil)
    }

    @Test func `resumes sending with the first push that APNs accepts`() throws {
        let desk = try suspended()
        desk.pass(milliseconds: 1000)
        try desk.sendAndAnswer(200)
        #expect(desk.sendAll().count == 9)
        #expect(desk.engine.notices.map(\.name) == ["suspended", "resumed"])
    }

    @Test func `is probed again if a probe is in doubt`() throws {
        let desk = try suspended()
        desk.pass(milliseconds: 1000)
        desk.engine.inDoubt(try #require(desk.send()), reason: "lost")
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 2000)
        #expect(desk.send() != nil)
    }

    @Test func `is probed again if a probe never left`() throws {
        let desk = try suspended()
        desk.pass(milliseconds: 1000)
        desk.engine.notSent(try #require(desk.send()))
        desk.pass(milliseconds: 2000)
        #expect(desk.send() != nil)
    }

    @Test func `costs pushes neither time nor attempts`() throws {
        let desk = try suspended {
            $0.retry.giveUpAfter = .milliseconds(60_000)
            $0.retry.maxAttempts = 3
        }
        for _ in 0..<100 {
            desk.pass(milliseconds: 60_000)
            if let probe = desk.send() { desk.answer(probe, 403, "InvalidProviderToken") }
        }
        #expect(desk.publish().isEmpty)
        desk.pass(milliseconds: 60_000)
        try desk.sendAndAnswer(200)
        #expect(desk.publish().count == 1)
        for push in desk.sendAll() { desk.answer(push, 503, "ServiceUnavailable") }
        desk.pass(milliseconds: 2000)
        #expect(desk.publish().isEmpty)
        #expect(desk.sendAll().count == 9)
    }

    @Test(arguments: [
        (503, "ServiceUnavailable"), (429, "TooManyProviderTokenUpdates"), (503, "Shutdown"),
    ])
    func `stays suspended after a response that says nothing about it`(
        status: Int, reason: String
    ) throws {
        let desk = try suspended()
        desk.pass(milliseconds: 1000)
        try desk.sendAndAnswer(status, reason)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 2000)
        #expect(desk.send() != nil)
        #expect(desk.send() == nil)
    }

    @Test func `is probed with another push if APNs rejects the first`() throws {
        let desk = try suspended()
        desk.pass(milliseconds: 1000)
        let first = try #require(desk.send())
        desk.answer(first, 400, "TopicDisallowed")
        desk.pass(milliseconds: 4000)
        #expect(try #require(desk.send()) != first)
    }

    @Test func `lets pushes expire meanwhile, without a dead letter`() throws {
        let desk = try suspended()
        desk.push(offset: 10, more: #","expiration":\#(EngineDesk.start / 1000 + 5)"#)
        desk.pass(milliseconds: 6000)
        let all = desk.settle()
        #expect(all.count == 1)
        #expect(all.first?.value.contains(#""reason":"expired""#) == true)
    }

    @Test func `wakes the worker only for the next probe`() throws {
        let desk = try suspended()
        desk.pass(milliseconds: 0)
        let first = try #require(desk.nextDeadline)
        #expect(first > desk.engine.now)
        desk.pass(milliseconds: 1000)
        // The probe is due, but no connection accepts it.
        #expect(try #require(desk.nextDeadline) > desk.engine.now)
        #expect(desk.send() != nil)
        #expect(try #require(desk.nextDeadline) > desk.engine.now)
    }
}
