import Foundation
import Testing
import Tracing

@Suite struct `A request to export spans` {
    private func span(_ name: String = "send apns") throws -> Span {
        var span = Span(
            trace: try #require(TraceID(high: 0x0AF7_6519_16CD_43DD, low: 1)),
            id: try #require(SpanID(2)), parent: SpanID(3), name: name, kind: .client,
            start: 1_767_261_600_001, end: 1_767_261_600_025)
        span.add("http.response.status_code", 410)
        span.add("error.type", "Unregistered")
        span.add("empty", "")
        span.add("nothing", Int64?.none)
        return span
    }

    private func text(_ spans: [Span]) -> String {
        String(decoding: TraceRequest(version: "1.2", instance: "i").body(spans), as: UTF8.self)
    }

    @Test func `is OTLP in JSON, to the byte`() throws {
        var span = try span()
        span.failure = "the token is no longer \"active\""
        span.state = "vendor=1"
        #expect(
            text([span])
                == #"{"resourceSpans":[{"resource":{"attributes":["#
                + #"{"key":"service.name","value":{"stringValue":"apns-bridge"}},"#
                + #"{"key":"service.version","value":{"stringValue":"1.2"}},"#
                + #"{"key":"service.instance.id","value":{"stringValue":"i"}}]},"#
                + #""scopeSpans":[{"scope":{"name":"apns-bridge","version":"1.2"},"spans":["#
                + #"{"traceId":"0af7651916cd43dd0000000000000001","spanId":"0000000000000002","#
                + #""parentSpanId":"0000000000000003","traceState":"vendor=1","#
                + #""name":"send apns","kind":3,"startTimeUnixNano":"1767261600001000000","#
                + #""endTimeUnixNano":"1767261600025000000","attributes":["#
                + #"{"key":"http.response.status_code","value":{"intValue":"410"}},"#
                + #"{"key":"error.type","value":{"stringValue":"Unregistered"}}],"#
                + #""status":{"message":"the token is no longer \"active\"","code":2}}]}]}]}"#)
    }

    @Test func `has no status and no parent where there is none`() throws {
        var span = try span()
        span.parent = nil
        #expect(text([span]).contains(#""status":{}"#))
        #expect(!text([span]).contains("parentSpanId"))
    }

    @Test func `contains each span of its batch`() throws {
        let body = TraceRequest(version: "1", instance: "i").body([try span("a"), try span("b")])
        let object = try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        let resource = (object?["resourceSpans"] as? [[String: Any]])?.first
        let scope = (resource?["scopeSpans"] as? [[String: Any]])?.first
        let names = (scope?["spans"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
        #expect(names == ["a", "b"])
    }

    @Test func `never has a span that ends before it began`() throws {
        let trace = try #require(TraceID(high: 0, low: 1))
        let id = try #require(SpanID(1))
        let span = Span(
            trace: trace, id: id, parent: nil, name: "map", kind: .internal, start: 5, end: 3)
        #expect(span.start == 5 && span.end == 5)
        let early = Span(
            trace: trace, id: id, parent: nil, name: "map", kind: .internal, start: -5, end: -9)
        #expect(text([early]).contains(#""startTimeUnixNano":"0","endTimeUnixNano":"0""#))
    }
}
