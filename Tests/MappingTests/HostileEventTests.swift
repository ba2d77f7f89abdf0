import Delivery
import Mapping
import Testing

/// Events whose writers are not trusted.
@Suite struct `A hostile event` {
    private func map(
        _ json: String, _ source: MappingSource?,
        _ tweak: (inout MappingDefaults) -> Void = { _ in }
    ) throws -> [Notification] {
        var own = MappingDefaults(
            fileName: "orders.yaml", bundleID: "com.example.shop", environment: "production")
        tweak(&own)
        let compiled = MappingPlan.compile(
            notification: source, when: nil, defaults: own, hash: sha256)
        guard let plan = compiled.plan else { throw Unplanned(problems: compiled.problems) }
        var mapper = Mapper(plan: plan)
        var result = MappedRecord()
        mapper.map(TestRecord(json: json).makeRecord(), now: 0, into: &result)
        return Array(result.notifications[..<result.count])
    }

    private static let pay = #""bundle_id":"com.example.pay","payload":{"aps":{"badge":1}}"#

    // MARK: Apps

    @Test func `does not reach another app of the team`() throws {
        let canonical = try map(#"{"device_token":"ab",\#(Self.pay)}"#, nil)
        #expect(canonical.map(\.drop?.reason) == [.bundleIDNotAllowed])
        #expect(DropReason.bundleIDNotAllowed.leavesDeadLetter)
        #expect(canonical[0].drop?.detail.contains("'apns.allowed_bundle_ids'") == true)
        // The outcome says which one it was.
        #expect(String(decoding: canonical[0].bundleID, as: UTF8.self) == "com.example.pay")
        let template = minimal.with(["bundle_id": "com.example.${app}"])
        #expect(
            try map(#"{"token":"ab","app":"pay"}"#, template).map(\.drop?.reason)
                == [.bundleIDNotAllowed])
        #expect(try map(#"{"token":"ab","app":"shop"}"#, template).map(\.drop?.reason) == [nil])
    }

    @Test func `reaches the apps that are allowed, and no others`() throws {
        for (allowed, isAllowed) in [
            ("com.example.*", true), ("com.example.pay", true), ("*", true),
            ("com.example.pa*", true), ("com.example.payment", false), ("com.other.*", false),
            ("com.example.pay.*", false),
        ] {
            let made = try map(#"{"device_token":"ab",\#(Self.pay)}"#, nil) {
                $0.allowedBundleIDs = [allowed]
            }
            #expect(made.map { $0.drop == nil } == [isAllowed], "\(allowed)")
        }
    }

    @Test func `does not reach another app by naming one of the connector`() throws {
        let apps = [
            MappingApp(name: "shop", bundleID: "com.example.shop", environment: "production")
        ]
        let source = minimal.with(["bundle_id": "${bundle?}"])
        for (event, reason) in [
            (#"{"token":"ab","app":"shop","bundle":"com.example.pay"}"#, .bundleIDNotAllowed),
            (#"{"token":"ab","app":"shop","bundle":"com.example.shop"}"#, nil),
            (#"{"token":"ab","app":"shop"}"#, nil),
        ] as [(String, DropReason?)] {
            let made = try map(event, source) { own in
                own = MappingDefaults(fileName: "orders.yaml", apps: apps, app: "${app}")
            }
            #expect(made.map(\.drop?.reason) == [reason])
        }
    }

    @Test func `has nothing to do with a bundle identifier that the file contains`() throws {
        let source = minimal.with(["bundle_id": "com.example.pay"])
        #expect(try map(#"{"token":"ab"}"#, source).map(\.drop?.reason) == [nil])
    }

    // MARK: Cost

    private static func event(_ text: String, devices: Int) -> String {
        let list = (0..<devices).map { #"{"token":"\#(1000 + $0)","l":"en"}"# }
        return
            #"{"name":"\#(text)","texts":{"en":"\#(text)"},"#
            + #""devices":[\#(list.joined(separator: ","))]}"#
    }

    private static func perDevice(_ body: MappingSource) -> MappingSource {
        [
            "for_each": ["items": "${devices}", "as": "device"],
            "device_token": "${device.token}", "payload": ["aps": ["alert": body]],
        ]
    }

    private static let marks = "e" + String(repeating: "\u{301}", count: 200_000)

    @Test func `of a thousand devices does not transform a text for each of them`() throws {
        let event = Self.event(Self.marks, devices: 1000)
        let clock = ContinuousClock()
        for body: MappingSource in ["${name | truncate(50)}", "${texts[device.l] | truncate(50)}"] {
            let start = clock.now
            let made = try map(event, Self.perDevice(body))
            #expect(made.count == 1000 && made.allSatisfy { $0.drop == nil })
            #expect(made.last?.body == #"{"aps":{"alert":"…"}}"#)
            // It took 40 s in a release build, and minutes in a debug build.
            #expect(clock.now - start < .seconds(10))
        }
    }

    @Test(arguments: [
        "${texts[device.l] | upper}", "${texts[device.l] | trim}", "${device.l}${name}",
        "${name | replace(\"e\", \"eeeeeeee\") | replace(\"\u{301}\", \"eeeeeeeeeeeeeeee\")"
            + " | replace(\"e\", \"eeeeeeee\") | replace(\"e\", \"eeeeeeee\") | truncate(9)}",
    ])
    func `is dropped once when it would cost too much`(_ body: String) throws {
        let made = try map(
            Self.event(Self.marks, devices: 1000), Self.perDevice(.text(body)))
        #expect(made.map(\.drop?.reason) == [.tooExpensive])
        #expect(DropReason.tooExpensive.leavesDeadLetter)
        #expect(made[0].drop?.detail.contains("more than 16 MiB") == true)
    }

    /// Written for each device, and then left out because of what follows.
    @Test(arguments: [
        ["alert": ["title": "Hi", "subtitle": "${name} ${device.nick?}"]],
        ["alert": ["title": "${name}", "body": "Hi ${device.nick}"]],
        ["alert": ["title": "Hi", "loc-args": ["${name}", "${device.nick}"]]],
    ] as [MappingSource])
    func `is dropped once even if what it costs is left out`(_ aps: MappingSource) throws {
        var source = Self.perDevice("")
        source = source.with(["payload": ["aps": aps]])
        // It took 51 s in a debug build.
        #expect(try map(Self.escapes, source).map(\.drop?.reason) == [.tooExpensive])
    }

    @Test(arguments: [
        ("collapse_id", "${name}${device.nick?}"), ("priority", "${name}${device.nick}"),
    ])
    func `is dropped once even if a field that costs much has no value`(
        _ key: String, _ template: String
    ) throws {
        let source = Self.perDevice("Hi").with([key: .text(template)])
        #expect(try map(Self.escapes, source).map(\.drop?.reason) == [.tooExpensive])
    }

    @Test(arguments: ["${name}${device.nick?}", "${name}${device.nick}"])
    func `is dropped once even if a label that costs much has no value`(_ label: String) throws {
        let made = try map(Self.escapes, Self.perDevice("Hi")) {
            $0.labels = ["campaign": .text(label)]
        }
        #expect(made.map(\.drop?.reason) == [.tooExpensive])
    }

    private static let escapes = event(
        String(repeating: "\\u00e9", count: 70_000), devices: 1000)

    @Test func `has names that are not read again for each device`() throws {
        let clock = ContinuousClock()
        let start = clock.now
        let devices = (0..<1000).map { #"{"token":"\#(1000 + $0)","l":"en"}"# }
        let list = devices.joined(separator: ",")
        let name = String(repeating: "\\u00e9", count: 150_000)
        let event = #"{"texts":{"\#(name)":"x","\u0065n":"Hi"},"devices":[\#(list)]}"#
        let made = try map(event, Self.perDevice("${texts[device.l]}"))
        #expect(made.count == 1000 && made.allSatisfy { $0.drop == nil })
        #expect(made.last?.body == #"{"aps":{"alert":"Hi"}}"#)
        // It took minutes.
        #expect(clock.now - start < .seconds(10))
    }

    @Test func `has names that are compared for no longer than it may cost`() throws {
        let start = String(repeating: "n", count: 900)
        let names = (1000..<1400).map { #""\#(start)\#($0)":1"# }.joined(separator: ",")
        let devices = (0..<500).map { #"{"token":"\#(1000 + $0)","l":"\#(start)\#($0 + 1000)"}"# }
        let event = #"{"texts":{\#(names)},"devices":[\#(devices.joined(separator: ","))]}"#
        let made = try map(event, Self.perDevice("${texts[device.l] ?? 'Hi'}"))
        #expect(made.map(\.drop?.reason) == [.tooExpensive])
    }

    @Test func `of a payload for a thousand device tokens takes no gigabyte`() throws {
        let tokens = (0..<1000).map { "\"\(1000 + $0)\"" }.joined(separator: ",")
        let text = String(repeating: "x", count: 900_000)
        let made = try map(
            #"{"device_tokens":[\#(tokens)],"payload":{"aps":{"alert":"\#(text)"}}}"#, nil)
        #expect(made.map(\.drop?.reason) == [.tooExpensive])
    }

    @Test func `is no reason to mix up what elements have in common`() throws {
        let event = #"""
            {"name":"ana","list":[1,2],"devices":[{"token":"aa","n":"b"},{"token":"bb","n":"c"},
             {"token":"cc"}]}
            """#
        let body: MappingSource =
            "${name | upper} ${device.n ?? name | upper} ${list | join(\"-\")} ${@offset}"
        let made = try map(event, Self.perDevice(body))
        #expect(
            made.map(\.body) == [
                #"{"aps":{"alert":"ANA B 1-2 42"}}"#, #"{"aps":{"alert":"ANA C 1-2 42"}}"#,
                #"{"aps":{"alert":"ANA ANA 1-2 42"}}"#,
            ])
        let faulty = try map(
            event, Self.perDevice("${name | number} ${device.n}"))
        #expect(faulty.map(\.drop?.reason) == [.wrongType, .wrongType, .wrongType])
    }

    @Test func `has a text that is replaced in linear time`() throws {
        let text = String(repeating: "a", count: 200_000)
        let old = String(repeating: "a", count: 2000) + "b"
        let source = minimal.with([
            "payload": ["aps": ["alert": .text("${t | replace(\"\(old)\", \"\") | length}")]]
        ])
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try map(#"{"token":"ab","t":"\#(text)"}"#, source)[0].body.contains("200000"))
        #expect(clock.now - start < .seconds(5))
        for (event, old, expected) in [
            ("aXaXaXb", "aXaXb", "aX_"), ("aaaa", "aa", "__"), ("abab", "b", "a_a_"),
        ] {
            let source = minimal.with([
                "payload": ["aps": ["alert": .text("${t | replace(\"\(old)\", \"_\")}")]]
            ])
            #expect(
                try map(#"{"token":"ab","t":"\#(event)"}"#, source)[0].body
                    == #"{"aps":{"alert":"\#(expected)"}}"#)
        }
    }

    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "ab…"), ("ä\u{308}öü", 3, "ä\u{308}öü"),
        ("äöüß", 3, "äö…"), ("\u{1F468}\u{200D}\u{1F469}xyz", 2, "\u{1F468}\u{200D}\u{1F469}…"),
        ("\\u00e4\\ud83d\\ude00bcd", 3, "ä\u{1F600}…"), ("äb", 1, "…"),
    ])
    func `has texts that are cut as before`(_ text: String, _ count: Int, _ cut: String) throws {
        let source = minimal.with([
            "payload": ["aps": ["alert": .text("${t | truncate(\(count))}")]]
        ])
        let long = text + String(repeating: "€", count: 2000)
        let body = try map(#"{"token":"ab","t":"\#(text)"}"#, source)[0].body
        #expect(body == #"{"aps":{"alert":"\#(cut)"}}"#)
        let short = try map(#"{"token":"ab","t":"\#(long)"}"#, source)[0].body
        #expect(short.count == body.count || !cut.hasSuffix("…"))
        #expect(short.hasSuffix(#"…"}}"#))
    }
}
