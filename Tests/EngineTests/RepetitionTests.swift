import APNs
import BridgeSamples
import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A push in doubt of another type than alert` {
    private func event(
        _ type: String, _ aps: String = #""content-available":1"#, more: String = ""
    ) -> String {
        #"{"device_token":"aa","push_type":"\#(type)","payload":{"aps":{\#(aps)}}\#(more)}"#
    }

    private func activity(_ event: String, more: String = "") -> String {
        let attributes = #","attributes-type":"A","attributes":{},"alert":{"title":"x"}"#
        let start = event == "start" ? attributes : ""
        let aps = #""event":"\#(event)","timestamp":1767261600,"content-state":{}\#(start)\#(more)"#
        return self.event("liveactivity", aps, more: #","collapse_id":"x""#)
    }

    /// Sends a push, which gets no response; true when it is sent again.
    private func isSentAgain(
        _ event: String, _ policy: DeliverySettings.InDoubt = .collapse
    ) throws -> Bool {
        let harness = try EngineHarness { $0.inDoubt = policy }
        harness.assign()
        harness.take(event, offset: 0)
        let id = try #require(harness.send(), "\(harness.settle().map(\.value))")
        harness.engine.inDoubt(id, reason: "lost")
        harness.pass(milliseconds: 500)
        let isSent = harness.send() != nil
        if !isSent {
            let value = try #require(harness.settle().outcomes.first).value
            #expect(value.contains(#""verdict":"unknown""#))
        }
        return isSent
    }

    @Test(
        arguments: [
            ("background", #""aps":{"content-available":1}"#), ("location", #""aps":{}"#),
            ("complication", #""aps":{}"#), ("widgets", #""aps":{"content-changed":true}"#),
            ("fileprovider", #""container-identifier":"x","domain":"y""#),
            ("controls", #""aps":{"content-changed":true}"#),
        ])
    func `is sent again if it only wakes an app`(type: String, payload: String) throws {
        let begin = #"{"device_token":"aa","push_type":"\#(type)","payload":{\#(payload)}"#
        #expect(try isSentAgain(begin + "}"))
        #expect(try isSentAgain(begin + #","collapse_id":"x"}"#))
        #expect(try !isSentAgain(begin + "}", .report))
    }

    @Test(arguments: ["voip", "pushtotalk"])
    func `is unknown if it would ring twice, even with a collapse ID`(type: String) throws {
        #expect(try !isSentAgain(event(type, more: #","collapse_id":"x""#)))
        #expect(try isSentAgain(event(type, more: #","collapse_id":"x""#), .resend))
    }

    @Test func `is unknown if it would start a second Live Activity`() throws {
        #expect(try !isSentAgain(activity("start")))
    }

    @Test(arguments: ["update", "end"])
    func `is sent again if its timestamp orders it and it does not alert`(name: String) throws {
        #expect(try isSentAgain(activity(name)))
        #expect(try isSentAgain(activity(name, more: #","alert":null"#)))
        #expect(try !isSentAgain(activity(name, more: #","alert":{"title":"Goal"}"#)))
    }

    @Test func `keeps what it did with the activity through the retry topic`() throws {
        let update = activity("update")
        let harness = try retryHarness()
        harness.take(update, offset: 1)
        harness.engine.inDoubt(try #require(harness.send()), reason: "lost")
        let retry = try #require(harness.publish().retries.first)
        #expect(retry.header("apns-bridge-retry-event") == "update")
        harness.store([retry])
        let id = harness.assignRetry()
        harness.pass(milliseconds: 20_000)
        harness.takeBack(retry.record, offset: 0, of: id)
        #expect(harness.sendAll().map(harness.offset) == [1])
        // The attempt in doubt was a start: it is not sent as something else.
        var changed = retry.record
        changed.headers = changed.headers.map { header in
            header.name.hasSuffix("retry-event") ? (header.name, Array("start".utf8)) : header
        }
        harness.takeBack(changed, offset: 1, of: id)
        #expect(harness.send() == nil)
        #expect(harness.settle().outcomes.last?.value.contains(#""verdict":"unknown""#) == true)
    }
}
