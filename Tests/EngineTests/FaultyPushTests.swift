import APNs
import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A push that is refused where others are accepted` {
    private static let foreign = #","bundle_id":"com.example.foreign""#

    private func harness(_ tweak: (inout EngineSettings) -> Void = { _ in }) throws -> EngineHarness
    {
        let harness = try EngineHarness(tweak: tweak)
        harness.assign()
        return harness
    }

    private func isSuspended(_ harness: EngineHarness) -> Bool { harness.engine.isAnyAppSuspended }

    private var alarms: (EngineHarness) -> Int {
        { harness in harness.engine.notices.filter { $0.suspension != nil }.count }
    }

    /// A harness whose credential was accepted for the app's own topic.
    private func proven() throws -> EngineHarness {
        let harness = try harness()
        harness.push(offset: 0)
        try harness.sendAndRespond(200)
        harness.settle()
        return harness
    }

    @Test(arguments: [(400, "TopicDisallowed"), (403, "TopicMismatch")])
    func `is rejected at once, alone, if it names a topic that is not its app's`(
        status: Int, reason: String
    ) throws {
        let harness = try proven()
        harness.push(offset: 1, more: Self.foreign)
        try harness.sendAndRespond(status, reason)
        #expect(!isSuspended(harness) && alarms(harness) == 0)
        let all = harness.settle()
        #expect(all.outcomes.first?.value.contains(#""verdict":"rejected""#) == true)
        #expect(all.outcomes.first?.value.contains(#""reason":"\#(reason)""#) == true)
        #expect(all.deadLetters.count == 1)
        #expect(harness.next() == 2)
    }

    @Test func `is rejected at once if its push type has a topic of its own`() throws {
        let harness = try proven()
        harness.take(
            #"{"device_token":"aa","push_type":"voip","payload":{"aps":{}}}"#, offset: 1)
        try harness.sendAndRespond(400, "TopicDisallowed")
        #expect(!isSuspended(harness))
        #expect(harness.settle().deadLetters.count == 1)
    }

    @Test func `suspends its app while nothing shows that the credential is good`() throws {
        let harness = try harness()
        harness.push(offset: 0, more: Self.foreign)
        try harness.sendAndRespond(400, "TopicDisallowed")
        #expect(isSuspended(harness))
        #expect(harness.settle().isEmpty)
    }

    @Test func `suspends its app if its refusal is the credential's`() throws {
        let harness = try proven()
        harness.push(offset: 1, more: Self.foreign)
        try harness.sendAndRespond(403, "InvalidProviderToken")
        #expect(isSuspended(harness))
    }

    @Test func `suspends its app after a push to the app's own topic was refused`() throws {
        let harness = try proven()
        harness.push(offset: 1)
        harness.push(offset: 2, more: Self.foreign)
        let ids = harness.sendAll()
        for id in ids { harness.respond(id, 400, "TopicDisallowed") }
        #expect(isSuspended(harness))
        #expect(harness.settle().isEmpty)
    }

    @Test func `suspends its app after the credential was changed`() throws {
        let harness = try proven()
        harness.engine.credentialAdopted(nil, CredentialVersion.first, route: 0)
        harness.push(offset: 1, more: Self.foreign)
        try harness.sendAndRespond(400, "TopicDisallowed")
        #expect(isSuspended(harness))
    }

    /// Answers probes until sending resumes, with a 200 for all pushes but one.
    private func resume(_ harness: EngineHarness, refusing bad: Int64) throws {
        for _ in 0..<100 where isSuspended(harness) {
            harness.pass(milliseconds: 1000)
            while let id = harness.send() {
                if harness.offset(id) == bad {
                    harness.respond(id, 403, "InvalidProviderToken")
                } else {
                    harness.respond(id, 200)
                }
            }
        }
    }

    @Test func `suspends its app twice at most, then ends, whatever the reason`() throws {
        let harness = try harness()
        harness.push("bad0", offset: 0)
        try harness.sendAndRespond(403, "InvalidProviderToken")
        for offset in 1..<40 as Range<Int64> {
            harness.push("ab\(10 + offset)", offset: offset)
            try resume(harness, refusing: 0)
            while let id = harness.send() {
                let isBad = harness.offset(id) == 0
                harness.respond(id, isBad ? 403 : 200, isBad ? "InvalidProviderToken" : "")
            }
        }
        #expect(alarms(harness) == 2)
        let all = harness.settle()
        #expect(all.outcomes.count == 40)
        #expect(all.deadLetters.map { $0.header("apns-bridge-offset") } == ["0"])
        #expect(harness.next() == 40)
    }

    @Test func `is kept while every other push is refused, too`() throws {
        let harness = try harness()
        for offset in 0..<5 { harness.push("ab\(10 + offset)", offset: Int64(offset)) }
        for _ in 0..<200 {
            harness.pass(milliseconds: 1000)
            while let id = harness.send() { harness.respond(id, 403, "InvalidProviderToken") }
        }
        #expect(harness.settle().isEmpty)
        #expect(alarms(harness) == 1)
    }

    @Test func `is kept if only pushes of another type are accepted meanwhile`() throws {
        let harness = try harness()
        harness.push("bad0", offset: 0)
        try harness.sendAndRespond(403, "InvalidProviderToken")
        for offset in 1..<20 as Range<Int64> {
            let payload = #"{"aps":{"content-available":1}}"#
            harness.take(
                #"{"device_token":"aa","push_type":"background","payload":\#(payload)}"#,
                offset: offset)
            try resume(harness, refusing: 0)
            while let id = harness.send() {
                let isBad = harness.offset(id) == 0
                harness.respond(id, isBad ? 403 : 200, isBad ? "InvalidProviderToken" : "")
            }
        }
        #expect(harness.settle().deadLetters.isEmpty)
        #expect(harness.next() == 0)
    }

    @Test func `goes after what waits when sending resumes`() throws {
        let harness = try harness()
        for offset in 0..<10 { harness.push("ab\(10 + offset)", offset: Int64(offset)) }
        try harness.sendAndRespond(403, "InvalidProviderToken")
        harness.pass(milliseconds: 1000)
        try harness.sendAndRespond(200)
        for offset in 10..<15 { harness.push("ab\(10 + offset)", offset: Int64(offset)) }
        let sent = harness.sendAll().map(harness.offset)
        #expect(sent.firstIndex(of: 0) == 8)
        #expect(sent.count == 14)
    }
}
