import APNs
import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing
import Tracing

@testable import Engine

/// The spans of one push.
private struct Spans {
    let all: [Span]

    /// The last push that a harness has finished.
    init(_ harness: EngineHarness) { all = harness.engine.takeSpans().spans }

    subscript(name: String) -> Span? { all.first { $0.name == name } }
    var names: [String] { all.map(\.name) }
    var receive: Span? { self["receive shop.orders"] }
    var sends: [Span] { all.filter { $0.name == "send apns" } }

    /// What is wrong with them as a trace: every span but the first is part of the first.
    var faults: [String] {
        guard let first = all.first else { return ["no spans"] }
        var faults: [String] = []
        if Set(all.map(\.id)).count != all.count { faults.append("two have the same ID") }
        for span in all {
            if span.trace != first.trace { faults.append("\(span.name): another trace") }
            if span.end < span.start { faults.append("\(span.name): ends before it begins") }
        }
        for span in all.dropFirst() {
            if span.parent != first.id { faults.append("\(span.name): not part of the first") }
            if span.start < first.start || span.end > first.end {
                faults.append("\(span.name): not within the first")
            }
        }
        return faults
    }
}

@Suite struct `The spans of a push` {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let parent = "b7ad6b7169203331"

    private static func headers(_ flags: String = "01") -> [ResultRecord.Header] {
        [
            ("traceparent", Array("00-\(trace)-\(parent)-\(flags)".utf8)),
            ("tracestate", Array("vendor=1".utf8)),
        ]
    }

    private func harness(
        share: Double = 1, tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let harness = try EngineHarness {
            $0.sampler = TraceSampler(share: share)
            tweak(&$0)
        }
        harness.assign()
        return harness
    }

    @Test func `of a broadcast name its channel, and no others do`() throws {
        let harness = try harness { $0.results.deviceTokens = .omitted }
        harness.take(Samples.broadcast(to: "Y2hhbm5lbA=="), offset: 7)
        harness.engine.accepted(try #require(harness.send()))
        harness.store(harness.publish())
        let spans = Spans(harness)
        #expect(spans.faults == [])
        #expect(spans.sends.map { $0["apns.channel_id"] } == [.text("Y2hhbm5lbA==")])
        harness.push(offset: 8)
        harness.engine.accepted(try #require(harness.send()))
        harness.store(harness.publish())
        #expect(Spans(harness).sends.map { $0["apns.channel_id"] } == [nil])
    }

    @Test func `that APNs accepts show when it was received, sent and reported`() throws {
        let harness = try harness()
        harness.push(offset: 7)
        harness.pass(milliseconds: 10)
        let push = try #require(harness.send())
        let id = harness.apnsID(push)
        #expect(harness.engine.tracedApp(of: push) == 0)
        harness.engine.traceRequest(push, StreamID(connection: 17, stream: 5))
        harness.pass(milliseconds: 30)
        harness.engine.accepted(push)
        #expect(Spans(harness).all.isEmpty, "its outcome is not stored yet")
        let outcome = harness.publish()
        harness.pass(milliseconds: 4)
        harness.store(outcome)
        let spans = Spans(harness)
        #expect(
            spans.names == ["receive shop.orders", "map", "send apns", "outcome apns.outcomes"])
        #expect(spans.faults == [])
        #expect(spans.all.map(\.kind) == [.consumer, .internal, .client, .producer])
        let start = EngineHarness.start
        #expect(spans.all.map { $0.start - start } == [0, 0, 10, 40])
        #expect(spans.all.map { $0.end - start } == [44, 0, 40, 44])
        #expect(spans.all.allSatisfy { $0.failure == nil })
        let receive = try #require(spans.receive)
        #expect(receive.parent == nil)
        #expect(receive.trace.text == id.description.replacing("-", with: ""))
        #expect(receive["messaging.system"] == .text("kafka"))
        #expect(receive["messaging.destination.name"] == .text("shop.orders"))
        #expect(receive["messaging.consumer.group.name"] == .text(harness.engine.settings.group))
        #expect(receive["messaging.kafka.offset"] == .integer(7))
        #expect(receive["apns_bridge.verdict"] == .text("accepted"))
        let send = try #require(spans.sends.first)
        #expect(send["http.response.status_code"] == .integer(200))
        #expect(send["apns.id"] == .text(id.description))
        #expect(send["apns.connection"] == .integer(17) && send["apns.stream"] == .integer(5))
        #expect(
            spans["outcome apns.outcomes"]?["messaging.destination.name"]
                == .text("apns.outcomes"))
        #expect(Spans(harness).all.isEmpty, "they are handed over once")
    }

    @Test func `belong to the trace of its event, and follow its decision`() throws {
        let harness = try harness(share: 0)
        harness.take(Samples.event("aa"), offset: 0, headers: Self.headers())
        try harness.sendAndRespond(200)
        let stored = harness.settle()
        let spans = Spans(harness)
        #expect(spans.faults == [])
        #expect(spans.receive?.trace.text == Self.trace)
        #expect(spans.receive?.parent?.text == Self.parent)
        #expect(spans.all.allSatisfy { $0.state == "vendor=1" })
        let header = stored.outcomes.first?.header("traceparent")
        #expect(header == "00-\(Self.trace)-\(Self.parent)-01")

        let eager = try self.harness(share: 1)
        eager.take(Samples.event("aa"), offset: 0, headers: Self.headers("00"))
        try eager.sendAndRespond(200)
        eager.settle()
        #expect(Spans(eager).all.isEmpty)
    }

    @Test func `begin a trace of its own where the header is not valid`() throws {
        let harness = try harness()
        harness.take(
            Samples.event("aa"), offset: 0, headers: [("traceparent", Array("00-1-2-01".utf8))])
        try harness.sendAndRespond(200)
        harness.settle()
        let spans = Spans(harness)
        #expect(spans.all.count == 4 && spans.receive?.parent == nil && spans.faults == [])
    }

    @Test func `that APNs rejects name the reason`() throws {
        let harness = try harness()
        harness.push(offset: 0)
        try harness.sendAndRespond(400, "BadTopic")
        harness.settle()
        let spans = Spans(harness)
        #expect(spans.names.count == 4 && spans.faults == [])
        for span in [spans.receive, spans.sends.first] {
            #expect(span?["error.type"] == .text("BadTopic") && span?.failure != nil)
        }
        #expect(spans.sends.first?["http.response.status_code"] == .integer(400))
        #expect(spans["outcome apns.outcomes"]?.failure == nil)
    }

    @Test func `that is dropped have no request, and name the reason`() throws {
        let harness = try harness()
        harness.take("no JSON", offset: 0)
        harness.settle()
        let spans = Spans(harness)
        #expect(spans.names == ["receive shop.orders", "map", "outcome apns.outcomes"])
        #expect(spans.faults == [])
        #expect(spans["map"]?["error.type"] == .text("unparsable"))
        #expect(spans.receive?["error.type"] == .text("unparsable"))
    }

    @Test func `that is in doubt say so, and why`() throws {
        let harness = try harness { $0.inDoubt = .report }
        harness.push(offset: 0)
        harness.engine.inDoubt(try #require(harness.send()), reason: "the connection broke")
        harness.settle()
        let spans = Spans(harness)
        #expect(spans.faults == [])
        for span in [spans.receive, spans.sends.first] {
            #expect(span?["error.type"] == .text("in_doubt"))
            #expect(span?.failure == "the connection broke")
        }
        #expect(spans.receive?["apns_bridge.verdict"] == .text("unknown"))
    }

    @Test func `that is sent again contain each attempt`() throws {
        let harness = try harness()
        harness.push(offset: 0)
        try harness.sendAndRespond(503, "ServiceUnavailable")
        harness.pass(milliseconds: 60_000)
        harness.engine.notSent(try #require(harness.send()))
        harness.pass(milliseconds: 10)
        try harness.sendAndRespond(200)
        harness.settle()
        let spans = Spans(harness)
        #expect(spans.faults == [])
        #expect(
            spans.sends.map { $0["error.type"] }
                == [.text("ServiceUnavailable"), .text("not_sent"), nil])
        #expect(
            spans.sends.map { $0["http.request.resend_count"] } == [nil, .integer(1), .integer(2)])
        #expect(spans.receive?.failure == nil)
        #expect(spans.receive?["apns_bridge.attempts"] == .integer(2))
    }

    @Test func `that waits in the retry topic continue in the same trace`() throws {
        let harness = try retryHarness { $0.sampler = TraceSampler(share: 1) }
        harness.take(Samples.event("aa"), offset: 1)
        harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 10)
        let retry = try #require(harness.settle().retries.first)
        let first = Spans(harness)
        #expect(
            first.names == ["receive shop.orders", "map", "send apns", "retry apns.retry"])
        #expect(first.faults == [])
        #expect(first.receive?["apns_bridge.verdict"] == .text("retry"))

        let id = harness.assignRetry()
        harness.takeBack(retry.record, offset: 0, of: id)
        harness.pass(milliseconds: 10_000)
        try harness.sendAndRespond(200)
        harness.settle()
        let second = Spans(harness)
        #expect(second.faults == [])
        #expect(second.names.first == "receive apns.retry" && second.sends.count == 1)
        #expect(second.all.first?.trace == first.receive?.trace)
        #expect(second.all.first?.id != first.receive?.id)
    }

    @Test func `of one event with several devices are one set for each`() throws {
        let harness = try harness()
        let event = #"{"device_tokens":["aa","bb"],"payload":{"aps":{"alert":"Hi"}}}"#
        harness.take(event, offset: 0, headers: Self.headers())
        for push in harness.sendAll() { harness.respond(push, 200) }
        harness.settle()
        let spans = Spans(harness)
        #expect(spans.names.count { $0 == "receive shop.orders" } == 2)
        #expect(spans.sends.count == 2)
        #expect(Set(spans.all.map(\.trace)).count == 1)
    }

    @Test func `contain no device token, no key and nothing of the payload`() throws {
        let harness = try harness()
        harness.take(Samples.event("abababab"), offset: 0, key: "ada@example.com")
        try harness.sendAndRespond(400, "BadDeviceToken")
        harness.settle()
        let request = TraceRequest(version: "1", instance: "i").body(Spans(harness).all)
        let text = String(decoding: request, as: UTF8.self)
        #expect(text.contains("BadDeviceToken"))
        #expect(!text.contains("abababab") && !text.contains("ada@") && !text.contains("alert\":"))
    }

    @Test func `cost nothing where nothing is traced`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(Samples.event("aa"), offset: 0, headers: Self.headers())
        let push = try #require(harness.send())
        #expect(!harness.engine.isTracing && harness.engine.tracedApp(of: push) == nil)
        let hasDetails = harness.engine.pushesCell.value.hasDetails(push)
        #expect(!hasDetails)
        harness.respond(push, 200)
        harness.settle()
        #expect(Spans(harness).all.isEmpty)
    }

    @Test func `of a push that is not sampled are not begun`() throws {
        let harness = try harness(share: 0)
        harness.push(offset: 0)
        let push = try #require(harness.send())
        let hasDetails = harness.engine.pushesCell.value.hasDetails(push)
        #expect(!hasDetails)
    }

    @Test func `of a push that another worker takes over are given up`() throws {
        let harness = try harness()
        harness.push(offset: 0)
        harness.engine.revoking([AssignmentID(0)])
        harness.pass(milliseconds: 60_000)
        #expect(harness.openRecords == 0 && Spans(harness).all.isEmpty)
    }

    @Test func `are dropped and counted when a turn has too many`() throws {
        let harness = try harness { $0.maxInFlight = 2000 }
        for offset in 0..<1100 { harness.push(offset: Int64(offset)) }
        for push in harness.sendAll() { harness.respond(push, 200) }
        harness.settle()
        let (spans, dropped) = harness.engine.takeSpans()
        #expect(spans.count == Tracer.limit && dropped == 4400 - Tracer.limit)
        #expect(harness.engine.takeSpans().dropped == 0)
    }
}
