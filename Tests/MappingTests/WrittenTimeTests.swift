import Delivery
import Mapping
import Testing

@Suite struct `A time that an event writes` {
    private static let never = Expiration.at(seconds: Int64(Int32.max))

    @Test(arguments: [
        ("1767276000", 1_767_276_000), ("1767276000123", 1_767_276_000),
        ("1767276000123456", 1_767_276_000), ("1767276000123456789", 1_767_276_000),
        ("1767276000.000000000", 1_767_276_000), ("\"1767276000.9\"", 1_767_276_000),
        ("978307200", 978_307_200), ("2147483647", 2_147_483_647),
        ("[2026,1,1]", 1_767_225_600), ("[2026,1,1,14,0]", 1_767_276_000),
        ("[2026,1,1,14,0,0]", 1_767_276_000), ("[2026,1,1,14,0,0,999999999]", 1_767_276_000),
        ("[2028,2,29,0,0]", 1_835_395_200),
    ])
    func `may have any unit, and the form of any language`(text: String, seconds: Int64) throws {
        let source = minimal.with(["expiration": "${v}"])
        let made = try notification("{\"token\":\"ab\",\"v\":\(text)}", source)
        #expect(made.drop == nil)
        #expect(made.expiration == .at(seconds: seconds))
    }

    @Test(arguments: [
        "253402300799", "253402300799999", "253402300799999999", "9223372036854775807",
        "4102444800", "2147483648", "4102444799", "2147483648123", "\"2090-01-01\"",
        "\"never\"", "\"9999-12-31T23:59:59Z\"", "[9999,12,31]", "[2150,1,1,0,0]",
    ])
    func `is the farthest one if it stands for never`(text: String) throws {
        let source = minimal.with(["expiration": "${v}"])
        let made = try notification("{\"token\":\"ab\",\"v\":\(text)}", source)
        #expect(made.drop == nil)
        #expect(made.expiration == Self.never)
    }

    @Test func `may be written as never in the file`() throws {
        let made = try notification(#"{"token":"ab"}"#, minimal.with(["expiration": "never"]))
        #expect(made.expiration == Self.never)
        #expect(problems(minimal.with(["event_time": "never"])).count == 1)
    }

    @Test func `is an error in the file if it is a number of days`() {
        let found = problems(minimal.with(["expiration": 20_455]))
        #expect(found.count == 1)
        #expect(
            found.first?.message.hasSuffix(
                "in seconds it would be before 2001: is it a number of days, or a time to live?")
                == true)
    }

    @Test func `leaves a dead letter if it is none`() throws {
        let source = minimal.with(["expiration": "${v}"])
        for (text, message) in [
            ("20455", "is it a number of days, or a time to live?"),
            ("500000000000", "in no unit it is a time from 2001 to 2100"),
            ("\"soon\"", "or an array such as [2026, 1, 31, 10, 0], or never"),
        ] {
            let drop = try notification("{\"token\":\"ab\",\"v\":\(text)}", source).drop
            #expect(drop?.reason == .invalidExpiration)
            #expect(drop?.detail.contains(message) == true, "\(drop?.detail ?? "")")
        }
        #expect(DropReason.invalidExpiration.leavesDeadLetter)
    }

    @Test(arguments: [
        "[1970,1,1]", "[1999,1,1,0,0]", "[2000,12,31,23,59,59]", "\"1970-01-01\"",
        "\"1970-01-01T00:00:00Z\"", "\"1999-05-05\"", "\"0001-01-01T00:00:00Z\"",
    ])
    func `leaves a dead letter if it is a date before 2001`(text: String) throws {
        for (field, reason) in [
            ("expiration", DropReason.invalidExpiration), ("event_time", .invalidEventTime),
        ] {
            let source = minimal.with([field: "${v}"])
            let drop = try notification("{\"token\":\"ab\",\"v\":\(text)}", source).drop
            #expect(drop?.reason == reason)
            #expect(drop?.detail.contains("it is a date before 2001") == true)
        }
    }

    @Test(arguments: ["[2150,1,1]", "[9999,1,1]", "\"2150-01-01\"", "\"never\""])
    func `is not that of an event if it stands for never`(text: String) throws {
        let source = minimal.with(["event_time": "${v}"])
        let drop = try notification("{\"token\":\"ab\",\"v\":\(text)}", source).drop
        #expect(drop?.reason == .invalidEventTime)
    }

    @Test(arguments: [
        ("20455", "v is 20455, which is 1970-01-01 in seconds"),
        ("\"20455\"", "v is \"20455\", which is 1970-01-01 in seconds"),
        ("500000000000", "v is 500000000000, which is 1985-11-05 in milliseconds"),
        ("500000000000000", "v is 500000000000000, which is 1985-11-05 in microseconds"),
        ("4200000000000000000", "v is 4200000000000000000, which is 2103-02-04 in nanoseconds"),
        ("\"soon\"", "v is \"soon\""),
    ])
    func `is explained with what the number would be`(text: String, line: String) throws {
        let compiled = MappingPlan.compile(
            notification: minimal.with(["expiration": "${v}"]), when: nil, defaults: defaults,
            hash: sha256)
        var mapper = Mapper(plan: try #require(compiled.plan, "\(compiled.problems)"))
        mapper.explains = true
        var result = MappedRecord()
        mapper.map(
            TestRecord(json: "{\"token\":\"ab\",\"v\":\(text)}").makeRecord(), now: 0,
            into: &result)
        let detail = try #require(result.notifications[0].drop?.detail)
        #expect(mapper.explanations[detail] == [line])
    }

    @Test(arguments: [
        ("PT4H", 14_400), ("P1DT1H30M", 91_800), ("PT90.5S", 90), ("14400.0", 14_400),
    ])
    func `is that of an event plus a duration of ISO 8601`(text: String, seconds: Int64) throws {
        let made = try notification(
            #"{"token":"ab","v":"\#(text)"}"#, minimal.with(["ttl": "${v}"]))
        #expect(made.drop == nil)
        #expect(made.expiration == .at(seconds: 1_767_261_600 + seconds))
    }

    @Test(arguments: ["PT", "P1M", "PT1H1D", "PT1M1H", "P1H", "PT1.5H", "P", "PT0S", "PT1"])
    func `is not that of an event plus any other duration`(text: String) throws {
        let made = try notification(
            #"{"token":"ab","v":"\#(text)"}"#, minimal.with(["ttl": "${v}"]))
        #expect(made.drop?.reason == .invalidExpiration)
    }

    @Test(arguments: [nil, 0, 1_767_261_600, Int64.max])
    func `is the present if Kafka has no time that a clock could have`(timestamp: Int64?) throws {
        let record = TestRecord(json: #"{"token":"ab"}"#)
        record.timestamp = timestamp
        let made = try mapped(record, minimal.with(["ttl": "4h"]))
        #expect(made.isTimeUnknown)
        #expect(made.notifications[0].expiration == .at(seconds: 1_767_276_000))
    }

    @Test func `is written in seconds in a payload`() throws {
        let source = minimal.with([
            "payload": ["aps": ["alert": "A", "stale-date": "${v}"]]
        ])
        for (text, written) in [
            ("1767276000123", "1767276000"), ("1767276000", "1767276000"), ("0", "0"),
            ("253402300799", "2147483647"), ("1767276000.0", "1767276000"),
        ] {
            let made = try notification("{\"token\":\"ab\",\"v\":\(text)}", source)
            let payload = String(decoding: made.payload, as: UTF8.self)
            #expect(payload == "{\"aps\":{\"alert\":\"A\",\"stale-date\":\(written)}}")
        }
    }
}

@Suite struct `A whole number with a fraction of zero` {
    @Test func `is a badge, a priority and a term`() throws {
        let source = minimal.with([
            "priority": "${p}", "payload": ["aps": ["badge": "${v}", "alert": "${v | plus(1)}"]],
        ])
        let made = try notification(#"{"token":"ab","v":5.0,"p":10.0}"#, source)
        #expect(made.drop == nil)
        #expect(made.priority == 10)
        #expect(
            String(decoding: made.payload, as: UTF8.self) == #"{"aps":{"badge":5,"alert":"6"}}"#)
    }

    @Test func `is one in the file, too`() throws {
        let source = minimal.with([
            "priority": .plain("5.0"), "ttl": .plain("60.0"),
            "payload": ["aps": ["badge": .plain("3.0"), "content-available": .plain("1.0")]],
        ])
        let made = try notification(#"{"token":"ab"}"#, source)
        #expect(made.drop == nil)
        #expect(made.priority == 5)
        #expect(
            String(decoding: made.payload, as: UTF8.self)
                == #"{"aps":{"badge":3,"content-available":1}}"#)
        for text in ["5.5", "10.01", "5."] {
            #expect(problems(minimal.with(["priority": .plain(text)])).count == 1)
        }
    }

    @Test func `is none with any other fraction`() throws {
        let source = minimal.with(["payload": ["aps": ["badge": "${v}"]]])
        for text in ["5.5", "5.01"] {
            let made = try notification("{\"token\":\"ab\",\"v\":\(text)}", source)
            #expect(made.drop?.reason == .wrongType)
        }
    }
}

@Suite struct `A payload that comes whole from the event` {
    private func payload(_ payload: String, type: String = "alert") throws -> String {
        let made = try notification(
            #"{"device_token":"ab","push_type":"\#(type)","payload":\#(payload)}"#, nil)
        return made.drop?.reason.rawValue ?? String(decoding: made.payload, as: UTF8.self)
    }

    @Test(arguments: [
        (#"{"aps":{"badge":5.0},"n":5.0}"#, #"{"aps":{"badge":5},"n":5.0}"#),
        (#"{"aps":{"badge":1.0E1,"alert":"A"}}"#, #"{"aps":{"badge":10,"alert":"A"}}"#),
        (#"{"aps":{"alert":{"body":"A","summary-arg-count":2.0},"badge":3.00}}"#,
            #"{"aps":{"alert":{"body":"A","summary-arg-count":2},"badge":3}}"#),
        (#"{"aps":{"badge":5.5}}"#, "wrong_type"), (#"{"aps":{"badge":-1.0}}"#, "wrong_type"),
        (#"{"aps":{"badge":"5.0"}}"#, "wrong_type"),
    ])
    func `has whole numbers where Apple takes them`(written: String, sent: String) throws {
        #expect(try payload(written) == sent)
    }

    @Test func `wakes an app with 1 as any language writes it`() throws {
        #expect(
            try payload(#"{"aps":{"content-available":1.0}}"#, type: "background")
                == #"{"aps":{"content-available":1}}"#)
    }

    @Test func `has its times in seconds`() throws {
        let rest = #""event":"end","content-state":{}"#
        #expect(
            try payload(
                "{\"aps\":{\"timestamp\":1767276000123,\"stale-date\":1767276000.5,\(rest)}}",
                type: "liveactivity")
                == "{\"aps\":{\"timestamp\":1767276000,\"stale-date\":1767276000,\(rest)}}")
        #expect(
            try payload("{\"aps\":{\"timestamp\":20455,\(rest)}}", type: "liveactivity")
                == "invalid_timestamp")
    }
}

@Suite struct `An empty device token` {
    @Test func `is said to be empty`() throws {
        let drop = try notification(#"{"token":""}"#, minimal).drop
        #expect(drop?.reason == .invalidDeviceToken)
        #expect(drop?.detail.hasSuffix(" is not valid: it is empty") == true)
    }
}

@Suite struct `A string without a device token` {
    @Test(arguments: ["", " ", ",", " , "])
    func `is invalid, and said to be empty`(text: String) throws {
        for source: MappingSource? in [
            nil, minimal.without("device_token").with(["device_tokens": "${device_tokens}"]),
        ] {
            let made = try notification(
                #"{"device_tokens":"\#(text)","payload":{"aps":{"badge":1}}}"#, source)
            #expect(made.drop?.reason == .invalidDeviceToken)
            #expect(made.drop?.detail.hasSuffix(" is not valid: it is empty") == true)
        }
    }
}

@Suite struct `A list without a device token` {
    @Test func `is an event for no devices, which leaves no dead letter`() throws {
        for source: MappingSource? in [
            nil, minimal.without("device_token").with(["device_tokens": "${device_tokens}"]),
        ] {
            let made = try notification(
                #"{"device_tokens":[],"payload":{"aps":{"badge":1}}}"#, source)
            #expect(made.drop?.reason == .noDevices)
            #expect(!DropReason.noDevices.leavesDeadLetter)
        }
    }
}
