import Delivery
import Testing

@testable import Engine

@Suite struct `A refused credential` {
    /// A desk whose line has just been held, with ten records.
    private func held(
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
    func `stops the line and keeps every record`(status: Int, reason: String) throws {
        let desk = try held(status, reason)
        #expect(desk.send() == nil)
        #expect(desk.publish().isEmpty)
        #expect(desk.next() == 0)
        #expect(desk.engine.window.records == 10)
        #expect(desk.engine.notices.map(\.level) == [.error])
    }

    @Test func `is probed with one push at a time, more and more slowly`() throws {
        let desk = try held()
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

    @Test func `is probed more slowly also when its token is called expired each time`() throws {
        let desk = try held(403, "ExpiredProviderToken")
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

    @Test func `is probed soon when another one is to be tried in its place`() throws {
        let desk = try held()
        for _ in 0..<60 {
            desk.pass(milliseconds: 1000)
            if let probe = desk.send() { desk.answer(probe, 403, "InvalidProviderToken") }
        }
        desk.engine.credentialOffered(route: 0)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 1000)
        #expect(desk.send() != nil)
    }

    @Test func `lets everything flow again with the first push that Apple takes`() throws {
        let desk = try held()
        desk.pass(milliseconds: 1000)
        try desk.sendAndAnswer(200)
        #expect(desk.sendAll().count == 9)
        #expect(desk.engine.notices.map(\.level) == [.error, .info])
    }

    @Test func `whose probe is in doubt is probed again`() throws {
        let desk = try held()
        desk.pass(milliseconds: 1000)
        desk.engine.inDoubt(try #require(desk.send()), reason: "lost")
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 2000)
        #expect(desk.send() != nil)
    }

    @Test func `whose probe never left is probed again`() throws {
        let desk = try held()
        desk.pass(milliseconds: 1000)
        desk.engine.notSent(try #require(desk.send()))
        desk.pass(milliseconds: 2000)
        #expect(desk.send() != nil)
    }

    @Test func `costs the records neither time nor attempts`() throws {
        let desk = try held {
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
        for place in desk.sendAll() { desk.answer(place, 503, "ServiceUnavailable") }
        desk.pass(milliseconds: 2000)
        #expect(desk.publish().isEmpty)
        #expect(desk.sendAll().count == 9)
    }

    @Test(arguments: [
        (503, "ServiceUnavailable"), (429, "TooManyProviderTokenUpdates"), (503, "Shutdown"),
    ])
    func `is not resumed by a response that says nothing of the credential`(
        status: Int, reason: String
    ) throws {
        let desk = try held()
        desk.pass(milliseconds: 1000)
        try desk.sendAndAnswer(status, reason)
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 2000)
        #expect(desk.send() != nil)
        #expect(desk.send() == nil)
    }

    @Test func `is probed with another push when one is refused`() throws {
        let desk = try held()
        desk.pass(milliseconds: 1000)
        let first = try #require(desk.send())
        desk.answer(first, 400, "TopicDisallowed")
        desk.pass(milliseconds: 4000)
        #expect(try #require(desk.send()) != first)
    }

    @Test func `lets what expires meanwhile expire, without a dead letter`() throws {
        let desk = try held()
        desk.push(offset: 10, more: #","expiration":\#(EngineDesk.start / 1000 + 5)"#)
        desk.pass(milliseconds: 6000)
        let all = desk.settle()
        #expect(all.count == 1)
        #expect(all.first?.value.contains(#""reason":"expired""#) == true)
    }

    @Test func `wakes the worker for the next probe only, not all the time`() throws {
        let desk = try held()
        desk.pass(milliseconds: 0)
        let first = try #require(desk.nextDeadline)
        #expect(first > desk.engine.now)
        desk.pass(milliseconds: 1000)
        // The probe is due, but no connection takes it.
        #expect(try #require(desk.nextDeadline) > desk.engine.now)
        #expect(desk.send() != nil)
        #expect(try #require(desk.nextDeadline) > desk.engine.now)
    }
}
