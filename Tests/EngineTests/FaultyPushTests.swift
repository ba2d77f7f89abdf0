import APNs
import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A push that is refused where others are accepted` {
    private static let foreign = #","bundle_id":"com.example.foreign""#

    private func desk(_ tweak: (inout EngineSettings) -> Void = { _ in }) throws -> EngineDesk {
        let desk = try EngineDesk(tweak: tweak)
        desk.assign()
        return desk
    }

    private func isSuspended(_ desk: EngineDesk) -> Bool { desk.engine.isAnyAppSuspended }

    private var alarms: (EngineDesk) -> Int {
        { desk in desk.engine.notices.filter { $0.suspension != nil }.count }
    }

    /// A desk whose credential was accepted for the app's own topic.
    private func proven() throws -> EngineDesk {
        let desk = try desk()
        desk.push(offset: 0)
        try desk.sendAndAnswer(200)
        desk.settle()
        return desk
    }

    @Test(arguments: [(400, "TopicDisallowed"), (403, "TopicMismatch")])
    func `is rejected at once, alone, if it names a topic that is not its app's`(
        status: Int, reason: String
    ) throws {
        let desk = try proven()
        desk.push(offset: 1, more: Self.foreign)
        try desk.sendAndAnswer(status, reason)
        #expect(!isSuspended(desk) && alarms(desk) == 0)
        let all = desk.settle()
        #expect(all.outcomes.first?.value.contains(#""verdict":"rejected""#) == true)
        #expect(all.outcomes.first?.value.contains(#""reason":"\#(reason)""#) == true)
        #expect(all.deadLetters.count == 1)
        #expect(desk.next() == 2)
    }

    @Test func `is rejected at once if its push type has a topic of its own`() throws {
        let desk = try proven()
        desk.take(
            #"{"device_token":"aa","push_type":"voip","payload":{"aps":{}}}"#, offset: 1)
        try desk.sendAndAnswer(400, "TopicDisallowed")
        #expect(!isSuspended(desk))
        #expect(desk.settle().deadLetters.count == 1)
    }

    @Test func `suspends its app while nothing shows that the credential is good`() throws {
        let desk = try desk()
        desk.push(offset: 0, more: Self.foreign)
        try desk.sendAndAnswer(400, "TopicDisallowed")
        #expect(isSuspended(desk))
        #expect(desk.settle().isEmpty)
    }

    @Test func `suspends its app if its refusal is the credential's`() throws {
        let desk = try proven()
        desk.push(offset: 1, more: Self.foreign)
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        #expect(isSuspended(desk))
    }

    @Test func `suspends its app after a push to the app's own topic was refused`() throws {
        let desk = try proven()
        desk.push(offset: 1)
        desk.push(offset: 2, more: Self.foreign)
        let ids = desk.sendAll()
        for id in ids { desk.answer(id, 400, "TopicDisallowed") }
        #expect(isSuspended(desk))
        #expect(desk.settle().isEmpty)
    }

    @Test func `suspends its app after the credential was changed`() throws {
        let desk = try proven()
        desk.engine.credentialAdopted(nil, CredentialVersion.first, route: 0)
        desk.push(offset: 1, more: Self.foreign)
        try desk.sendAndAnswer(400, "TopicDisallowed")
        #expect(isSuspended(desk))
    }

    /// Answers probes until sending resumes, with a 200 for all pushes but one.
    private func resume(_ desk: EngineDesk, refusing bad: Int64) throws {
        for _ in 0..<100 where isSuspended(desk) {
            desk.pass(milliseconds: 1000)
            while let id = desk.send() {
                if desk.offset(id) == bad {
                    desk.answer(id, 403, "InvalidProviderToken")
                } else {
                    desk.answer(id, 200)
                }
            }
        }
    }

    @Test func `suspends its app twice at most, then ends, whatever the reason`() throws {
        let desk = try desk()
        desk.push("bad0", offset: 0)
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        for offset in 1..<40 as Range<Int64> {
            desk.push("ab\(10 + offset)", offset: offset)
            try resume(desk, refusing: 0)
            while let id = desk.send() {
                let isBad = desk.offset(id) == 0
                desk.answer(id, isBad ? 403 : 200, isBad ? "InvalidProviderToken" : "")
            }
        }
        #expect(alarms(desk) == 2)
        let all = desk.settle()
        #expect(all.outcomes.count == 40)
        #expect(all.deadLetters.map { $0.header("apns-bridge-offset") } == ["0"])
        #expect(desk.next() == 40)
    }

    @Test func `is kept while every other push is refused, too`() throws {
        let desk = try desk()
        for offset in 0..<5 { desk.push("ab\(10 + offset)", offset: Int64(offset)) }
        for _ in 0..<200 {
            desk.pass(milliseconds: 1000)
            while let id = desk.send() { desk.answer(id, 403, "InvalidProviderToken") }
        }
        #expect(desk.settle().isEmpty)
        #expect(alarms(desk) == 1)
    }

    @Test func `is kept if only pushes of another type are accepted meanwhile`() throws {
        let desk = try desk()
        desk.push("bad0", offset: 0)
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        for offset in 1..<20 as Range<Int64> {
            let payload = #"{"aps":{"content-available":1}}"#
            desk.take(
                #"{"device_token":"aa","push_type":"background","payload":\#(payload)}"#,
                offset: offset)
            try resume(desk, refusing: 0)
            while let id = desk.send() {
                let isBad = desk.offset(id) == 0
                desk.answer(id, isBad ? 403 : 200, isBad ? "InvalidProviderToken" : "")
            }
        }
        #expect(desk.settle().deadLetters.isEmpty)
        #expect(desk.next() == 0)
    }

    @Test func `goes after what waits when sending resumes`() throws {
        let desk = try desk()
        for offset in 0..<10 { desk.push("ab\(10 + offset)", offset: Int64(offset)) }
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        desk.pass(milliseconds: 1000)
        try desk.sendAndAnswer(200)
        for offset in 10..<15 { desk.push("ab\(10 + offset)", offset: Int64(offset)) }
        let sent = desk.sendAll().map(desk.offset)
        #expect(sent.firstIndex(of: 0) == 8)
        #expect(sent.count == 14)
    }
}
