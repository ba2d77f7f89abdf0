import Foundation
import LegacyProviders
import Testing

@Suite struct `An event of a legacy provider` {
    static let app = EventWriter.App(
        name: "shop", bundleID: "com.example.shop", environment: "production")

    private func event(_ packet: PushPacket) -> String? {
        var writer = EventWriter()
        return writer.event(of: packet, for: Self.app).map { String(decoding: $0, as: UTF8.self) }
    }

    private func packet(_ payload: String, priority: UInt8? = nil) -> PushPacket {
        PushPacket(
            command: .frame, identifier: 1, priority: priority, deviceToken: [1, 0xAB],
            payload: Array(payload.utf8))
    }

    @Test func `carries all that the provider said, and the payload as it was written`() {
        let packet = PushPacket(
            command: .frame, identifier: 7, expiration: 1_800_000_000, priority: 5,
            deviceToken: [0x0A, 0xFF], payload: Array(#"{ "aps":{"alert":"é","badge":1.0}}"#.utf8))
        #expect(
            event(packet)
                == #"{"device_token":"0aff","bundle_id":"com.example.shop","#
                + #""environment":"production","push_type":"alert","priority":5,"#
                + #""expiration":1800000000,"legacy":{"app":"shop","command":2,"identifier":7},"#
                + #""payload":{ "aps":{"alert":"é","badge":1.0}}}"#)
        #expect(EventWriter.key(of: packet) == Array("0aff".utf8))
    }

    @Test func `keeps the expiry 0, which means not stored`() {
        let packet = PushPacket(
            command: .enhanced, identifier: 0, expiration: 0, deviceToken: [1],
            payload: Packets.payload)
        #expect(event(packet)?.contains(#""expiration":0,"#) == true)
    }

    @Test func `names neither expiration nor priority where the provider named none`() {
        let packet = PushPacket(command: .simple, deviceToken: [1], payload: Packets.payload)
        let text = event(packet)
        #expect(text?.contains("expiration") == false)
        #expect(text?.contains("priority") == false)
        #expect(text?.contains(#""command":0,"identifier":null"#) == true)
    }

    @Test(arguments: [
        #"{"aps":{"content-available":1}}"#, #"{"aps":{"content-available":1,"alert":null}}"#,
        #"{"aps":{"category":"c","content-available":1},"x":2}"#,
    ])
    func `is a push in the background at priority 5 when it only brings content`(payload: String) {
        let text = event(packet(payload, priority: 10))
        #expect(text?.contains(#""push_type":"background","priority":5,"#) == true)
    }

    @Test(arguments: [
        #"{"aps":{"content-available":1,"sound":""}}"#,
        #"{"aps":{"content-available":1,"badge":0}}"#,
        #"{"aps":{"content-available":0}}"#, #"{"aps":{}}"#,
        #"{"aps":{"content-available":1,"alert":"Hello"}}"#,
    ])
    func `is an alert otherwise`(payload: String) {
        let text = event(packet(payload, priority: 10))
        #expect(text?.contains(#""push_type":"alert","priority":10,"#) == true)
    }

    @Test(arguments: [
        "", "null", "[]", "{}", #"{"aps":null}"#, #"{"aps":[]}"#, #"{"aps":"x"}"#, "{\"aps\":{}}\0",
        #"{"aps":{}},"#, #"{"aps":{}},{}"#, #"{"aps":{}}]"#, #"{'aps':{}}"#, #"{"aps":{}"#,
        #"{"aps":{}},"device_token":"00","x":{}"#, "\u{FEFF}{\"aps\":{}}",
    ])
    func `there is none of a payload that is not a JSON object with aps`(payload: String) {
        #expect(event(packet(payload)) == nil)
    }

    @Test func `there is none of bytes that are not UTF-8`() {
        var packet = packet("")
        packet.payload = Array(#"{"aps":{"alert":""#.utf8) + [0xFF] + Array(#""}}"#.utf8)
        #expect(event(packet) == nil)
    }

    @Test func `there is none of a payload that lies too deep for the event`() {
        let deepest = String(repeating: "[", count: 62) + String(repeating: "]", count: 62)
        #expect(event(packet(#"{"aps":{},"x":\#(deepest)}"#)) != nil)
        #expect(event(packet(#"{"aps":{},"x":[\#(deepest)]}"#)) == nil)
    }

    @Test func `is JSON whatever the app is called`() throws {
        var writer = EventWriter()
        let app = EventWriter.App(name: "a\"b", bundleID: "com.example", environment: "development")
        let event = writer.event(of: packet(#"{"aps":{}}"#), for: app)
        let bytes = try #require(event)
        let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
        #expect((object?["legacy"] as? [String: Any])?["app"] as? String == "a\"b")
    }
}
