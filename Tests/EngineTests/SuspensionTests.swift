import Delivery
import Testing

@testable import Engine

@Suite struct `A rejected credential` {
    /// A harness with ten records whose sending has just been suspended.
    private func suspended(
        _ status: Int = 403, _ reason: String = "InvalidProviderToken",
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let harness = try EngineHarness(tweak: tweak)
        harness.assign()
        for offset in 0..<10 { harness.push(offset: Int64(offset)) }
        try harness.sendAndRespond(status, reason)
        return harness
    }

    @Test(
        arguments: [
            (403, "InvalidProviderToken"), (403, "Forbidden"), (403, "BadCertificateEnvironment"),
            (400, "TopicDisallowed"), (403, "a reason of tomorrow"), (302, ""),
        ])
    func `suspends sending and keeps every record`(status: Int, reason: String) throws {
        let harness = try suspended(status, reason)
        #expect(harness.send() == nil)
        #expect(harness.publish().isEmpty)
        #expect(harness.next() == 0)
        #expect(harness.recordsInFlight == 10)
        #expect(harness.engine.notices.map(\.name) == ["suspended"])
    }

    @Test func `is probed with one push at a time, at growing intervals`() throws {
        let harness = try suspended()
        var waits: [Int64] = []
        for _ in 0..<9 {
            var waited: Int64 = 0
            var probe: PushID?
            while probe == nil, waited < 20_000 {
                harness.pass(milliseconds: 500)
                waited += 500
                probe = harness.send()
            }
            #expect(harness.send() == nil)
            waits.append(waited / 1000)
            harness.respond(try #require(probe), 403, "InvalidProviderToken")
        }
        #expect(waits == [1, 2, 4, 8, 10, 10, 10, 10, 10])
    }

    @Test func `is probed at growing intervals even if APNs calls each token expired`() throws {
        let harness = try suspended(403, "ExpiredProviderToken")
        var probes = 0
        for _ in 0..<1200 {
            harness.pass(milliseconds: 1000)
            while let probe = harness.send() {
                harness.respond(probe, 403, "ExpiredProviderToken")
                probes += 1
            }
        }
        #expect(harness.publish().isEmpty)
        #expect((100...260).contains(probes))
    }

    @Test func `is probed soon when another credential is to be tried`() throws {
        let harness = try suspended()
        for _ in 0..<60 {
            harness.pass(milliseconds: 1000)
            if let probe = harness.send() { harness.respond(probe, 403, "InvalidProviderToken") }
        }
        harness.engine.credentialOffered(route: 0)
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 1000)
        #expect(harness.send() != nil)
    }

    @Test func `resumes sending with the first push that APNs accepts`() throws {
        let harness = try suspended()
        harness.pass(milliseconds: 1000)
        try harness.sendAndRespond(200)
        #expect(harness.sendAll().count == 9)
        #expect(harness.engine.notices.map(\.name) == ["suspended", "resumed"])
    }

    @Test func `is probed again if a probe is in doubt`() throws {
        let harness = try suspended()
        harness.pass(milliseconds: 1000)
        harness.engine.inDoubt(try #require(harness.send()), reason: "lost")
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 2000)
        #expect(harness.send() != nil)
    }

    @Test func `is probed again if a probe never left`() throws {
        let harness = try suspended()
        harness.pass(milliseconds: 1000)
        harness.engine.notSent(try #require(harness.send()))
        harness.pass(milliseconds: 2000)
        #expect(harness.send() != nil)
    }

    @Test func `costs pushes neither time nor attempts`() throws {
        let harness = try suspended {
            $0.retry.giveUpAfter = .milliseconds(60_000)
            $0.retry.maxAttempts = 3
        }
        for _ in 0..<100 {
            harness.pass(milliseconds: 60_000)
            if let probe = harness.send() { harness.respond(probe, 403, "InvalidProviderToken") }
        }
        #expect(harness.publish().isEmpty)
        harness.pass(milliseconds: 60_000)
        try harness.sendAndRespond(200)
        #expect(harness.publish().count == 1)
        for push in harness.sendAll() { harness.respond(push, 503, "ServiceUnavailable") }
        harness.pass(milliseconds: 2000)
        #expect(harness.publish().isEmpty)
        #expect(harness.sendAll().count == 9)
    }

    @Test(arguments: [
        (503, "ServiceUnavailable"), (429, "TooManyProviderTokenUpdates"), (503, "Shutdown"),
    ])
    func `stays suspended after a response that says nothing about it`(
        status: Int, reason: String
    ) throws {
        let harness = try suspended()
        harness.pass(milliseconds: 1000)
        try harness.sendAndRespond(status, reason)
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 2000)
        #expect(harness.send() != nil)
        #expect(harness.send() == nil)
    }

    @Test func `is probed with another push if APNs rejects the first`() throws {
        let harness = try suspended()
        harness.pass(milliseconds: 1000)
        let first = try #require(harness.send())
        harness.respond(first, 400, "TopicDisallowed")
        harness.pass(milliseconds: 4000)
        #expect(try #require(harness.send()) != first)
    }

    @Test func `lets pushes expire meanwhile, without a dead letter`() throws {
        let harness = try suspended()
        harness.push(offset: 10, more: #","expiration":\#(EngineHarness.start / 1000 + 5)"#)
        harness.pass(milliseconds: 6000)
        let all = harness.settle()
        #expect(all.count == 1)
        #expect(all.first?.value.contains(#""reason":"expired""#) == true)
    }

    @Test func `wakes the worker only for the next probe`() throws {
        let harness = try suspended()
        harness.pass(milliseconds: 0)
        let first = try #require(harness.nextDeadline)
        #expect(first > harness.engine.now)
        harness.pass(milliseconds: 1000)
        // The probe is due, but no connection accepts it.
        #expect(try #require(harness.nextDeadline) > harness.engine.now)
        #expect(harness.send() != nil)
        #expect(try #require(harness.nextDeadline) > harness.engine.now)
    }
}
