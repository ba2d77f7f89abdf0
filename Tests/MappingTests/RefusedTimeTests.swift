import Delivery
import Mapping
import Testing

@Suite struct `A time that is refused` {
    private func drop(_ field: String, _ text: String) throws -> Drop {
        let source = minimal.with([field: "${v}"])
        return try #require(try notification("{\"token\":\"ab\",\"v\":\(text)}", source).drop)
    }

    @Test(arguments: [
        ("20455", " (20455, which is 1970-01-01 in seconds)"),
        ("\"20455\"", " (20455, which is 1970-01-01 in seconds)"),
        ("1767276", " (1767276, which is 1970-01-21 in seconds)"),
        ("500000000000", " (500000000000, which is 1985-11-05 in milliseconds)"),
        ("\"1999-05-05\"", " (1999-05-05)"), ("[1999,5,5]", " ([1999,5,5])"),
        ("\"0001-01-01T00:00:00Z\"", " (0001-01-01T00:00:00Z)"), ("-1", " (-1)"),
        ("\"soon\"", ""),
    ])
    func `is in the dead letter, with what it would be, and not in the outcome`(
        text: String, specifics: String
    ) throws {
        for field in ["expiration", "event_time"] {
            let drop = try drop(field, text)
            #expect(drop.specifics == specifics)
            #expect(drop.detail == drop.cause + specifics)
        }
    }

    @Test(arguments: [
        ("0", "0 stands for no time: "), ("\"never\"", "it stands for never: "),
        ("253402300799", "it stands for never: "), ("\"9999-12-31\"", "it stands for never: "),
        ("\"0001-01-01T00:00:00Z\"", "it is a date before 2001 that stands for no time: "),
        ("[1,1,1,0,0]", "it is a date before 2001 that stands for no time: "),
        ("-62135596800", "it is a date before 2001 that stands for no time: "),
        ("-62135596800000", "it is a date before 2001 that stands for no time: "),
    ])
    func `is said to stand for none if it does, with what to send instead`(
        text: String, message: String
    ) throws {
        let drop = try drop("event_time", text)
        #expect(drop.reason == .invalidEventTime)
        #expect(
            drop.cause
                == "connectors/orders.yaml:8:11: ${v} is not valid: \(message)if the time is"
                + " unknown, send null and write '?' after the path")
    }

    @Test func `is not a point in time in the file if it stands for none`() {
        for text: MappingSource in [0, "never"] {
            let found = problems(minimal.with(["event_time": text]))
            #expect(found.count == 1)
            #expect(found.first?.message.hasSuffix("': it is not a point in time") == true)
        }
    }
}

@Suite struct `The timestamp of a Live Activity` {
    private func made(_ text: String) throws -> Notification {
        let source = minimal.with([
            "push_type": "liveactivity", "priority": 5,
            "payload": [
                "aps": ["timestamp": "${v}", "event": "update", "content-state": ["a": 1]]
            ],
        ])
        return try notification("{\"token\":\"ab\",\"v\":\(text)}", source)
    }

    private func whole(_ text: String) throws -> Notification {
        try notification(
            #"{"device_token":"ab","push_type":"liveactivity","priority":5,"payload":{"aps":"#
                + #"{"timestamp":\#(text),"event":"update","content-state":{}}}}"#, nil)
    }

    @Test(arguments: ["253402300799", "253402300799999", "9223372036854775807", "4102444800"])
    func `is invalid if it stands for never`(text: String) throws {
        let drop = try #require(try made(text).drop)
        #expect(drop.reason == .invalidTimestamp)
        #expect(drop.cause.contains("it stands for never: devices would ignore all later updates"))
        #expect(drop.specifics == " (\(text))")
        let other = try #require(try whole(text).drop)
        #expect(other.reason == .invalidTimestamp)
        #expect(other.detail.hasSuffix(" (\(text), which stands for never)"))
    }

    @Test func `is invalid if it is not a time; its dead letter says what it would be`() throws {
        for (text, written) in [
            ("20455", "20455, which is 1970-01-01 in seconds"), ("0", "0"),
        ] {
            for drop in [try made(text).drop, try whole(text).drop] {
                #expect(drop?.reason == .invalidTimestamp)
                #expect(drop?.detail.hasSuffix(" (\(written))") == true, "\(drop?.detail ?? "")")
            }
        }
    }

    @Test(arguments: [
        ("1767276000123", "1767276000"), ("4000000000", "4000000000"),
        ("4000000000123", "4000000000"),
    ])
    func `is sent in seconds, however late it is`(text: String, sent: String) throws {
        for made in [try made(text), try whole(text)] {
            #expect(made.drop == nil)
            let payload = String(decoding: made.payload, as: UTF8.self)
            #expect(payload.contains("\"timestamp\":\(sent),"))
        }
    }
}

@Suite struct `A date of a Live Activity after 2038` {
    @Test(arguments: [
        ("2147483647", "2147483647"), ("2147483648", "2147483647"), ("4102444799", "2147483647"),
        ("253402300799", "2147483647"), ("2147483648123", "2147483647"),
    ])
    func `is the last second of 32 bits`(text: String, sent: String) throws {
        for name in ["stale-date", "dismissal-date"] {
            let made = try notification(
                #"{"device_token":"ab","push_type":"liveactivity","priority":5,"payload":{"aps":"#
                    + #"{"timestamp":1767276000,"event":"end","\#(name)":\#(text)}}}"#, nil)
            #expect(made.drop == nil)
            let payload = String(decoding: made.payload, as: UTF8.self)
            #expect(payload.contains("\"\(name)\":\(sent)}"))
        }
    }

    @Test(arguments: [
        ("1767276000", "1767276000"), ("4102444799", "2147483647"),
        ("253402300799", "2147483647"), ("1767276000.0", "1767276000"),
    ])
    func `is so in the file, too`(text: String, sent: String) throws {
        let source = minimal.with(["payload": ["aps": ["alert": "A", "stale-date": .plain(text)]]])
        let made = try notification(#"{"token":"ab"}"#, source)
        let payload = String(decoding: made.payload, as: UTF8.self)
        #expect(payload == #"{"aps":{"alert":"A","stale-date":\#(sent)}}"#)
        #expect(
            problems(
                minimal.with(["payload": ["aps": ["alert": "A", "stale-date": .plain("20455")]]])
            ).count == 1)
    }
}
