import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `The labels of a push` {
    private func harness(
        _ labels: [(String, String)], tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let plan = try Samples.canonicalPlan(labels: Samples.labels(labels))
        let harness = try EngineHarness(plan: plan, tweak: tweak)
        harness.assign()
        return harness
    }

    private let campaign = [("campaign", "${campaign.id}"), ("day", "${day?}")]

    @Test func `that an event lacks do not keep it from being sent, and are reported`() throws {
        let harness = try harness(campaign)
        harness.push(offset: 0)
        try harness.sendAndRespond(200)
        let value = try #require(harness.settle().first).value
        #expect(
            value.contains(
                #""verdict":"accepted","reason":null,"#
                    + #""detail":"the label 'campaign' is null: orders.yaml:9:5: "#
                    + #"${campaign.id} is absent","suspect":false,"#))
        #expect(value.contains(#""labels":{"campaign":null},"#))
    }

    @Test func `that cannot be copied are reported next to the reason of a drop`() throws {
        let harness = try harness(campaign)
        harness.push("xyz", offset: 0, more: #","campaign":{"id":[1]}"#)
        let all = harness.settle()
        let detail = try #require(all.deadLetters.first?.header("apns-bridge-detail"))
        #expect(
            detail.hasSuffix(
                "; the label 'campaign' is null: orders.yaml:9:5: ${campaign.id} is not valid: "
                    + "a label must be a string or a number"))
        #expect(try Samples.member("detail", of: #require(all.outcomes.first).value) == detail)
    }

    @Test func `are in outcome, unregistered record and dead letter`() throws {
        let harness = try harness(campaign)
        let more = #","campaign":{"id":"summer \"26\""},"day":7"#
        let labels = #"{"campaign":"summer \"26\"","day":7}"#
        for (offset, status, reason) in [(0, 410, "Unregistered"), (1, 400, "PayloadEmpty")] {
            harness.push("ab0\(offset)", offset: Int64(offset), more: more)
            try harness.sendAndRespond(status, reason)
        }
        let all = harness.settle()
        #expect(all.outcomes.count == 2)
        #expect(all.outcomes.allSatisfy { $0.value.contains(#""labels":\#(labels),"#) })
        let unregistered = try #require(all.unregistered.first)
        #expect(unregistered.value.contains(#""labels":\#(labels),"source""#))
        #expect(all.deadLetters.first?.header("apns-bridge-labels") == labels)
    }

    @Test func `are shared by the pushes of a record, together with its payload`() throws {
        let harness = try harness(campaign)
        let tokens = (100..<600).map { "\"ab0\($0)\"" }.joined(separator: ",")
        let text = String(repeating: "x", count: 2000)
        harness.take(
            #"{"device_tokens":[\#(tokens)],"campaign":{"id":"c"},"#
                + #""payload":{"aps":{"alert":"\#(text)"}}}"#,
            offset: 0)
        #expect(harness.engine.storedBytes < 100_000)
        for id in harness.sendAll() { harness.respond(id, 200) }
        let outcomes = harness.settle()
        #expect(outcomes.count == 500)
        #expect(outcomes.allSatisfy { $0.value.contains(#""labels":{"campaign":"c"},"#) })
    }

    @Test func `need no details of a push that is accepted at once`() throws {
        let harness = try harness(campaign)
        harness.push(offset: 0, more: #","campaign":{"id":1}"#)
        let id = try #require(harness.send())
        harness.respond(id, 200)
        let hasDetails = harness.engine.pushesCell.value.hasDetails(id)
        #expect(!hasDetails)
    }

    @Test func `are null if the event cannot be read`() throws {
        let harness = try harness(campaign)
        harness.take("no JSON", offset: 0)
        let all = harness.settle()
        #expect(all.outcomes.first?.value.contains(#""labels":null,"#) == true)
        #expect(all.deadLetters.first?.header("apns-bridge-labels") == nil)
    }

    @Test func `are left out of an outcome that is too large`() throws {
        let harness = try harness(campaign)
        harness.push(offset: 0, more: #","campaign":{"id":"c"}"#)
        try harness.sendAndRespond(200)
        let first = try #require(harness.publish().first)
        harness.engine.acknowledged(first.ticket, .tooLarge)
        let second = try #require(harness.publish().first)
        #expect(second.value.contains(#""labels":null,"#))
    }

    @Test func `are the same after the retry topic`() throws {
        let writer = try harness(campaign + [("offset", "${@offset}")]) {
            $0.results.retry = "apns.retry"
        }
        writer.push(offset: 3, more: #","campaign":{"id":"c"}"#)
        writer.respond(try #require(writer.send()), 503, "ServiceUnavailable", retryAfter: 10)
        writer.engine.drain(until: writer.engine.now + .seconds(10))
        let record = try #require(writer.settle().retries.first).record
        let reader = try harness(campaign + [("offset", "${@offset}")]) {
            $0.results.retry = "apns.retry"
        }
        let id = reader.assignRetry()
        reader.takeBack(record, offset: 70, of: id)
        reader.pass(milliseconds: 10_000)
        try reader.sendAndRespond(200)
        let value = try #require(reader.settle().first).value
        #expect(value.contains(#""labels":{"campaign":"c","offset":3},"#))
    }
}
