import Delivery
import HTTP2
import Testing

@testable import APNs

@Suite struct `A response` {
    static func read(_ body: String) -> ResponseBody { ResponseBody([UInt8](body.utf8)) }

    @Test(arguments: [
        "", "x", "[]", "{", "null", #""BadTopic""#, #"{"reason":400}"#, #"{"Reason":"BadTopic"}"#,
        #"[{"reason":"BadTopic"}]"#, #"{"error":{"reason":"BadTopic"}}"#,
    ])
    func `has no reason if its body has none`(_ body: String) {
        #expect(Self.read(body).reason == "")
    }

    @Test func `cuts a long reason and keeps only its printable characters`() {
        let body = #"{"reason":"Bad\u0000\nTopic\u001b[31m\#(String(repeating: "x", count: 900))"}"#
        let reason = Self.read(body).reason
        #expect(reason.hasPrefix("BadTopic[31mxxx"))
        #expect(reason.utf8.count == 100)
    }

    @Test(arguments: [#""1767268800123""#, "1.5", "1e3", "99999999999999999999", "null", "{}"])
    func `has no time if the value is not a time`(_ time: String) {
        let body = Self.read(#"{"reason":"Unregistered","timestamp":\#(time)}"#)
        #expect(body.reason == "Unregistered")
        #expect(body.timestamp == nil)
    }

    @Test func `has Apple's reason and time`() {
        let body = Self.read(#"{"reason":"Unregistered","timestamp":1767268800123}"#)
        #expect(body.reason == "Unregistered")
        #expect(body.timestamp == 1_767_268_800_123)
    }

    @Test(arguments: [("30", 30), ("0", 0), ("", nil), ("-1", nil), ("1e3", nil), ("soon", nil)])
    func `has a pause only when it is a number of seconds`(_ text: String, _ wanted: Int?) {
        let message = HTTP2Response(status: 429, retryAfter: [UInt8](text.utf8))
        let response = APNsResponse(message, to: NotificationID(high: 1, low: 2))
        #expect(response.retryAfter == wanted)
    }

    @Test func `keeps the identifier that the development environment adds`() {
        let message = HTTP2Response(status: 200, identifier: 1 << 64 | 2, uniqueID: [1, 2, 3])
        let response = APNsResponse(message, to: NotificationID(high: 1, low: 2))
        #expect(response == APNsResponse(status: 200, uniqueID: [1, 2, 3]))
        #expect(response.reaction == .accepted)
    }
}
