import Delivery
import Mapping
import Testing

/// One push for each device, to those that are active.
private let perDevice: MappingSource = [
    "for_each": ["items": "${devices}", "as": "device"],
    "device_token": "${device.token}", "collapse_id": "${id?}",
    "payload": ["aps": ["alert": "Hi ${device.name ?? name}", "badge": "${device.badge?}"]],
]

private func made(
    _ json: String, _ source: MappingSource = perDevice, when: MappingSource? = nil
) throws -> [Notification] {
    let result = try mapped(TestRecord(json: json), source, when: when)
    return Array(result.notifications[..<result.count])
}

private func list(_ blocks: [MappingSource]) -> MappingMember {
    MappingMember(
        key: "notifications", keyLocation: MappingLocation(line: 3, column: 1),
        value: .list(blocks, location: MappingLocation(line: 4, column: 3)))
}

private func made(
    _ json: String, blocks: [MappingSource], matchesAll: Bool, only index: Int? = nil
) throws -> [Notification] {
    let match = MappingMember(
        key: "match", keyLocation: MappingLocation(line: 3, column: 1),
        value: .plain(matchesAll ? "all" : "first"))
    let compiled = MappingPlan.compile(
        notification: nil, notifications: list(blocks), match: match, when: nil,
        defaults: defaults, hash: sha256)
    guard let plan = compiled.plan else { throw Unplanned(problems: compiled.problems) }
    var mapper = Mapper(plan: plan)
    var result = MappedRecord()
    let record = TestRecord(json: json)
    mapper.map(record.makeRecord(), now: 0, into: &result)
    mapper.map(record.makeRecord(), now: 0, only: index, into: &result)
    return Array(result.notifications[..<result.count])
}

@Suite struct `A push for each element of a list` {
    @Test func `has the values of its element and those of the event`() throws {
        let found = try made(
            """
            {"name":"Ana","id":"o1","devices":[{"token":"AA","badge":3},
             {"token":"bb","name":"Zoë","badge":null}]}
            """)
        #expect(found.map(\.tokenText) == ["aa", "bb"])
        #expect(found.map(\.collapseText) == ["o1", "o1"])
        #expect(
            found.map(\.body) == [
                #"{"aps":{"alert":"Hi Ana","badge":3}}"#, #"{"aps":{"alert":"Hi Zoë"}}"#,
            ])
        #expect(found.map(\.index) == [0, 1])
        #expect(found.map(\.isOneOfSeveral) == [true, true])
    }

    @Test func `is not made for elements that its pattern rejects, which keep their positions`()
        throws
    {
        let source = perDevice.with([
            "for_each": [
                "items": "${devices}", "as": "device",
                "when": ["platform": ["ios"], "token": [["exists": true]]],
            ]
        ])
        let found = try made(
            """
            {"name":"x","platform":"ios","devices":[{"token":"aa","platform":"web"},
             {"token":"bb","platform":"ios"},{"platform":"ios"},{"token":"dd","platform":["ios"]}]}
            """, source)
        #expect(found.map(\.tokenText) == ["bb", "dd"])
        #expect(found.map(\.index) == [1, 3])
    }

    @Test func `filters the record when no element matches`() throws {
        let source = perDevice.with([
            "for_each": ["items": "${devices}", "as": "device", "when": ["on": [true]]]
        ])
        let result = try mapped(TestRecord(json: #"{"devices":[{"on":false},{}]}"#), source)
        #expect(result.isSkipped && result.count == 0)
    }

    @Test func `is dropped once when the list is empty`() throws {
        let found = try made(#"{"devices":[]}"#)
        #expect(found.map(\.drop?.reason) == [.noDevices])
        #expect(found[0].drop?.detail == "connectors/orders.yaml:8:11: ${devices} is empty")
        #expect(found[0].index == 0)
        #expect(!DropReason.noDevices.leavesDeadLetter)
    }

    @Test(arguments: [
        (#"{}"#, DropReason.missingField, "${devices} is absent"),
        (#"{"devices":null}"#, .missingField, "${devices} is absent"),
        (#"{"devices":{"t":"aa"}}"#, .wrongType, "${devices} is not valid: it must be an array"),
        (#"{"devices":"aa"}"#, .wrongType, "${devices} is not valid: it must be an array"),
        (#"[1]"#, .missingField, "${devices} is absent"),
    ])
    func `is dropped once when there is no list`(
        _ event: String, _ reason: DropReason, _ message: String
    ) throws {
        let found = try made(event)
        #expect(found.map(\.drop?.reason) == [reason])
        #expect(found[0].drop?.detail == "connectors/orders.yaml:8:11: \(message)")
    }

    @Test func `is dropped alone when its element is at fault`() throws {
        let found = try made(
            """
            {"name":"x","devices":[{"token":"aa"},{"name":"y"},"cc",null,7,[{"token":"ee"}],
             {"token":"xyz"},{"token":"bb","badge":"many"},{"token":"cc"}]}
            """)
        #expect(
            found.map(\.drop?.reason) == [
                nil, .missingField, .wrongType, .wrongType, .wrongType, .wrongType,
                .invalidDeviceToken, .wrongType, nil,
            ])
        #expect(found.map(\.index) == Array(0...8))
        #expect(
            found[1].drop?.detail
                == "connectors/orders.yaml:8:11: ${device.token} is absent (element 1)")
        #expect(
            found[2].drop?.detail
                == "connectors/orders.yaml:8:11: ${devices} has a string where an object is"
                + " needed (element 2)")
        #expect(found[8].tokenText == "cc")
        // Nothing of the element before is left in it.
        #expect(found[2].destination.identifier == [] && found[2].payload == [])
    }

    @Test func `is a duplicate if an earlier one goes to its device`() throws {
        let found = try made(
            """
            {"devices":[{"token":"aa"},{"token":"AA","name":"x"},{"token":"aa","name":"x"}]}
            """)
        #expect(found.map(\.drop?.reason) == [.missingField, nil, .duplicate])
    }

    @Test func `is made for at most a thousand elements over all blocks`() throws {
        let thousand = (0..<1000).map { #"{"token":"\#(String(0x10_0000 + $0, radix: 16))"}"# }
            .joined(separator: ",")
        let all = try made(#"{"name":"x","devices":[\#(thousand)]}"#)
        #expect(all.count == 1000 && all.allSatisfy { $0.drop == nil })
        #expect(all.map(\.index) == Array(0..<1000))
        let more = try made(#"{"name":"x","devices":[\#(thousand),{}]}"#)
        #expect(more.map(\.drop?.reason) == [.tooManyDeviceTokens])
        let both = [minimal.with(["device_token": "${owner}"]), perDevice]
        let found = try made(
            #"{"name":"x","owner":"ff","devices":[\#(thousand)]}"#, blocks: both, matchesAll: true)
        #expect(found.map(\.drop?.reason) == [nil, .tooManyDeviceTokens])
        #expect(found.map(\.index) == [0, 1000])
    }

    @Test func `belongs to the block that matched, with an index of its own`() throws {
        let blocks: [MappingSource] = [
            minimal.with(["when": ["kind": ["a"]], "device_token": "${owner}"]),
            perDevice.with(["when": ["kind": ["a", "b"]]]),
            [
                "for_each": ["items": "${watches}", "as": "device"],
                "device_token": "${device.id}", "payload": ["aps": ["badge": "${device.n}"]],
            ],
        ]
        let event = """
            {"kind":"b","name":"x","owner":"ff","devices":[{"token":"aa"},{"token":"bb"}],
             "watches":[{"id":"aa","n":1}]}
            """
        let first = try made(event, blocks: blocks, matchesAll: false)
        #expect(first.map(\.index) == [1000, 1001])
        let all = try made(event, blocks: blocks, matchesAll: true)
        #expect(all.map(\.index) == [1000, 1001, 2000])
        #expect(all.map(\.tokenText) == ["aa", "bb", "aa"])
        #expect(all[2].body == #"{"aps":{"badge":1}}"#)
        #expect(all.allSatisfy { $0.drop == nil && $0.isOneOfSeveral })
    }

    @Test func `is found again by its index without the others`() throws {
        let event = #"{"name":"x","devices":[{"token":"aa"},{"token":"bb"},{"token":"cc"}]}"#
        let found = try made(event, blocks: [perDevice], matchesAll: false, only: 1)
        #expect(found.map(\.tokenText) == ["bb"])
        #expect(found.map(\.index) == [1] && found[0].isOneOfSeveral)
    }

    @Test func `reads the name of the element before a member of the event`() throws {
        let found = try made(
            #"{"name":"x","device":{"token":"ff"},"devices":[{"token":"aa","tags":["a","b"]}]}"#,
            perDevice.with([
                "payload": ["aps": ["badge": 1], "all": "${device}", "t": "${device.tags[*]}"]
            ]))
        #expect(
            found.map(\.body) == [
                #"{"aps":{"badge":1},"all":{"token":"aa","tags":["a","b"]},"t":["a","b"]}"#
            ])
    }

    @Test func `may take its list from the first path that is present`() throws {
        let source = perDevice.with([
            "for_each": ["items": "${user.devices ?? devices}", "as": "device"]
        ])
        #expect(try made(#"{"name":"x","devices":[{"token":"aa"}]}"#, source).count == 1)
    }
}

@Suite struct `'for_each'` {
    private let remedy = "write for_each: {items: \"${devices}\", as: device}"

    @Test(
        arguments: [
            ("text", ["'for_each' must be a map"]),
            (["items": "${a}"], ["'as' is missing in for_each"]),
            (["as": "a"], ["'items' is missing in for_each"]),
            (
                ["items": "${a}", "as": "d", "wen": ["a": [1]]],
                ["unknown key 'wen' in for_each"]
            ),
            (["items": "${a}", "as": "a b"], ["'as' must be a name: letters, digits, '_' and '-'"]),
            (["items": "${a}", "as": "1"], ["'as' must be a name: letters, digits, '_' and '-'"]),
            (["items": "${a}", "as": true], ["'as' must be a name: letters, digits, '_' and '-'"]),
            (["items": "${a}", "as": ["d"]], ["'as' must be a name: letters, digits, '_' and '-'"]),
            (
                ["items": "devices", "as": "d"],
                ["'items' must be the path of a list in the event"]
            ),
            (
                ["items": "${a[*].b}", "as": "d"],
                ["'items' must be the path of a list in the event"]
            ),
            (["items": "${a?}", "as": "d"], ["'items' must be the path of a list in the event"]),
            (
                ["items": "${@key}", "as": "d"],
                ["'items' must be the path of a list in the event"]
            ),
            (["items": "${@key.a}", "as": "d"], ["'items' cannot be a list in the key"]),
            (
                ["items": "${a | json}", "as": "d"],
                ["'items' must be the path of a list in the event"]
            ),
            (
                ["items": "${a}", "as": "d", "when": ["@key": ["k"]]],
                ["'when' of 'for_each' sees only the element, not '@key'"]
            ),
        ] as [(MappingSource, [String])])
    func `is rejected for`(_ source: MappingSource, _ messages: [String]) {
        let found = problems(perDevice.with(["for_each": source, "device_token": "${d.t}"]))
            .filter { !$0.isWarning }
        #expect(found.map(\.message) == messages)
        #expect(found.allSatisfy { $0.remedy != nil })
    }

    @Test func `is rejected along with 'device_tokens'`() {
        let source = perDevice.without("device_token").with(["device_tokens": "${device.tokens}"])
        #expect(
            problems(source).map(\.message) == ["'device_tokens' is not valid with 'for_each'"])
    }

    @Test func `causes a warning about a name that hides a member of the event`() {
        let hidden = ["'device' hides the event's own member 'device' in this notification"]
        let inList = perDevice.with([
            "for_each": ["items": "${device.all}", "as": "device"]
        ])
        #expect(problems(inList).map(\.message) == hidden)
        let inCondition = problems(perDevice, when: ["device": ["kind": ["a"]]])
        #expect(inCondition.map(\.message) == hidden && inCondition.allSatisfy(\.isWarning))
        #expect(problems(perDevice, when: ["kind": ["device": ["a"]]]).isEmpty)
    }

    @Test func `causes a warning about a device token that is always the same`() {
        #expect(
            problems(perDevice.with(["device_token": "${token}"])).map(\.message) == [
                "'device_token' is the same for each 'device': all but the first are duplicates"
            ])
    }
}

@Suite struct `The explanation of a drop in an element` {
    private func explain(_ json: String, _ source: MappingSource = perDevice) throws -> Mapper {
        let compiled = MappingPlan.compile(
            notification: source, when: nil, defaults: defaults, hash: sha256)
        var mapper = Mapper(plan: try #require(compiled.plan))
        mapper.explains = true
        var result = MappedRecord()
        mapper.map(TestRecord(json: json).makeRecord(), now: 0, into: &result)
        return mapper
    }

    @Test func `names what the element has`() throws {
        let mapper = try explain(
            #"{"name":"x","devices":[{"token":"aa"},{"tokn":"bb","n":1},{"token":7.5}]}"#)
        #expect(
            mapper.explanations == [
                "connectors/orders.yaml:8:11: ${device.token} is absent (element 1)": [
                    "the element has device.tokn, device.n", "did you mean device.tokn?",
                ]
            ])
    }

    @Test func `names the fallbacks of any element once`() throws {
        let mapper = try explain(
            #"{"name":"x","devices":[{"token":"aa","name":"y"},{"token":"bb"},{"token":"cc"}]}"#)
        #expect(
            mapper.fallbacks.map(\.absent).filter { $0 == ["device.name"] } == [["device.name"]])
    }

    @Test func `says that no element matched`() throws {
        let mapper = try explain(
            #"{"devices":[{"token":"aa"}]}"#,
            perDevice.with([
                "for_each": ["items": "${devices}", "as": "device", "when": ["on": [true]]]
            ]))
        #expect(
            mapper.filterExplanation == [
                "connectors/orders.yaml:8:11: ${devices} has no element that matches 'when' of"
                    + " 'for_each'"
            ])
    }
}
