import Delivery
import Mapping
import Testing

/// A list of blocks: a push to each device, one to the support, and one for the rest.
private let blocks: [MappingSource] = [
    [
        "when": ["type": ["shipped"]], "device_tokens": "${devices}",
        "payload": ["aps": ["alert": "shipped"]],
    ],
    [
        "when": ["urgent": [true]], "device_token": "${support}",
        "payload": ["aps": ["alert": "urgent"]],
    ],
    ["device_token": "${owner}", "payload": ["aps": ["alert": "rest"]]],
]

private func plan(
    _ blocks: [MappingSource], match: String? = nil, when: MappingSource? = nil
) -> (plan: MappingPlan?, problems: [MappingProblem]) {
    MappingPlan.compile(
        notification: nil, notifications: member("notifications", list(blocks)),
        match: match.map { member("match", .plain($0)) }, when: when, defaults: defaults,
        hash: sha256)
}

private func list(_ blocks: [MappingSource]) -> MappingSource {
    .list(blocks, location: MappingLocation(line: 4, column: 3))
}

private func member(_ key: String, _ value: MappingSource) -> MappingMember {
    MappingMember(key: key, keyLocation: MappingLocation(line: 3, column: 1), value: value)
}

private func made(
    _ json: String, _ blocks: [MappingSource] = blocks, match: String? = nil,
    when: MappingSource? = nil
) throws -> (notifications: [Notification], isSkipped: Bool) {
    let compiled = plan(blocks, match: match, when: when)
    guard let plan = compiled.plan else { throw Unplanned(problems: compiled.problems) }
    var mapper = Mapper(plan: plan)
    var result = MappedRecord()
    let record = TestRecord(json: json)
    mapper.map(record.makeRecord(), now: 0, into: &result)
    mapper.map(record.makeRecord(), now: 0, into: &result)
    return (Array(result.notifications[0..<result.count]), result.isSkipped)
}

@Suite struct `A list of notifications` {
    private let event = """
        {"type":"shipped","urgent":true,"devices":["AA","bb"],"support":"cc","owner":"dd"}
        """

    @Test func `makes the notification of the first block that matches`() throws {
        let found = try made(event)
        #expect(found.notifications.map(\.tokenText) == ["aa", "bb"])
        #expect(found.notifications.map(\.index) == [0, 1])
        let second = try made(#"{"type":"x","urgent":true,"support":"cc","owner":"dd"}"#)
        #expect(second.notifications.map(\.body) == [#"{"aps":{"alert":"urgent"}}"#])
        #expect(second.notifications.map(\.index) == [1000])
        let last = try made(#"{"owner":"dd"}"#, match: "first")
        #expect(last.notifications.map(\.body) == [#"{"aps":{"alert":"rest"}}"#])
        #expect(last.notifications.map(\.index) == [2000])
    }

    @Test func `makes the notifications of all blocks that match if so configured`() throws {
        let found = try made(event, match: "all").notifications
        #expect(found.map(\.tokenText) == ["aa", "bb", "cc", "dd"])
        #expect(found.map(\.index) == [0, 1, 1000, 2000])
        #expect(
            found.map(\.body)
                == ["shipped", "shipped", "urgent", "rest"].map {
                    #"{"aps":{"alert":"\#($0)"}}"#
                })
    }

    @Test func `keeps the index of a notification if a condition changes`() throws {
        var changed = blocks
        changed[0] = changed[0].with(["when": ["type": ["never"]]])
        let found = try made(event, changed, match: "all").notifications
        #expect(found.map(\.index) == [1000, 2000])
        #expect(found.map(\.isOneOfSeveral) == [true, true])
    }

    @Test func `filters a record once if no block matches`() throws {
        let conditional = Array(blocks.dropLast())
        for match in ["first", "all"] {
            let found = try made(#"{"type":"x"}"#, conditional, match: match)
            #expect(found.isSkipped)
            #expect(found.notifications.isEmpty)
        }
    }

    @Test func `is subject to the connector's own condition`() throws {
        let found = try made(event, match: "all", when: ["owner": ["someone"]])
        #expect(found.isSkipped)
        #expect(try made(event, match: "all", when: ["owner": ["dd"]]).notifications.count == 4)
    }

    @Test func `drops the notification of one block and makes the others`() throws {
        let found = try made(
            #"{"type":"shipped","devices":["aa"],"urgent":true,"owner":"dd"}"#, match: "all"
        ).notifications
        #expect(found.map(\.drop?.reason) == [nil, .missingField, nil])
        #expect(found[1].index == 1000)
    }

    @Test func `sends different notifications to one device`() throws {
        let found = try made(
            #"{"type":"shipped","devices":["aa","aa"],"urgent":true,"support":"aa","owner":"AA"}"#,
            match: "all"
        ).notifications
        #expect(found.map(\.drop?.reason) == [nil, .duplicate, nil, nil])
    }

    @Test func `may name no more device tokens than one record, in all blocks together`() throws {
        let tokens = (0..<999).map { "\"\(String(0x1000_0000 + $0, radix: 16))\"" }
        let event = #"{"type":"shipped","devices":[\#(tokens.joined(separator: ","))],"m":"#
        let both = [
            blocks[0],
            ["device_tokens": "${m}", "payload": ["aps": ["badge": 1]]] as MappingSource,
        ]
        #expect(try made(event + #"["aa"]}"#, both, match: "all").notifications.count == 1000)
        let found = try made(event + #"["aa","bb"]}"#, both, match: "all").notifications
        #expect(found.count == 1000)
        #expect(found.compactMap(\.drop).map(\.reason) == [.tooManyDeviceTokens])
    }

    @Test(
        arguments: [
            ([], nil, "'notifications' is empty", "write at least one block"),
            (
                ["text"], nil, "a block of 'notifications' must be a map of fields",
                "write when:, device_token: and payload:"
            ),
            (
                [minimal.with(["whn": ["a": [1]]])], nil,
                "unknown key 'whn' in a block of notifications", nil
            ),
            (
                [minimal], "every", "'match' must be first or all, not 'every'",
                "first: the first block that matches; all: each one that matches"
            ),
            ([minimal.without("payload")], nil, "'payload' is missing", nil),
            (
                [minimal.with(["when": ["a": 1]])], nil, "'a' must be a list", "write [1]"
            ),
        ] as [([MappingSource], String?, String, String?)])
    func `is rejected for`(
        _ blocks: [MappingSource], _ match: String?, _ message: String, _ remedy: String?
    ) {
        let found = plan(blocks, match: match)
        #expect(found.plan == nil)
        #expect(found.problems.map(\.message) == [message])
        if let remedy { #expect(found.problems.map(\.remedy) == [remedy]) }
    }

    @Test func `is rejected along with a single notification, and 'match' without it`() {
        let both = MappingPlan.compile(
            notification: minimal, notifications: member("notifications", list([minimal])),
            when: nil, defaults: defaults, hash: sha256)
        #expect(
            both.problems.map(\.message) == [
                "'notification' and 'notifications' are mutually exclusive"
            ])
        let match = MappingPlan.compile(
            notification: minimal, match: member("match", "all"), when: nil, defaults: defaults,
            hash: sha256)
        #expect(match.problems.map(\.message) == ["'match' is only valid with 'notifications'"])
        #expect(
            problems(minimal.with(["when": ["a": [1]]])).map(\.message) == [
                "'when' belongs at the top level"
            ])
    }

    @Test func `causes a warning about a block that is never reached`() {
        let unreached = [minimal, minimal.with(["when": ["a": [1]]])]
        #expect(plan(unreached).problems.map(\.isWarning) == [true])
        #expect(plan(unreached, match: "all").problems.isEmpty)
    }
}

@Suite struct `Several device tokens` {
    private func made(_ json: String, _ tokens: MappingSource = "${t}") throws -> [Notification] {
        let source = minimal.without("device_token").with(["device_tokens": tokens])
        let result = try mapped(TestRecord(json: json), source)
        return Array(result.notifications[0..<result.count])
    }

    @Test func `are read from text with commas, in order`() throws {
        let found = try made(#"{"t":" AA, bb,,cc ,aa,"}"#)
        #expect(found.map(\.tokenText) == ["aa", "bb", "cc", "aa"])
        #expect(found.map(\.index) == [0, 1, 3, 4])
        #expect(found.map(\.drop?.reason) == [nil, nil, nil, .duplicate])
    }

    @Test func `are read from a composed text`() throws {
        let found = try made(#"{"a":"aa","b":"bb"}"#, "${a},${b}")
        #expect(found.map(\.tokenText) == ["aa", "bb"])
    }

    @Test(arguments: [
        (#"{"t":""}"#, "invalid_device_token"), (#"{"t":" , "}"#, "invalid_device_token"),
        (#"{"t":7}"#, "wrong_type"), (#"{"t":{}}"#, "wrong_type"), (#"{"t":true}"#, "wrong_type"),
        (#"{"t":[null]}"#, "missing_field"),
    ])
    func `are reported once if there are none`(_ event: String, _ reason: String) throws {
        #expect(try made(event).map(\.drop?.reason.rawValue) == [reason])
    }

    @Test func `are recognized as duplicates among a thousand`() throws {
        let tokens = (0..<500).map { "\"\(String(0x1000_0000 + $0 * 4096, radix: 16))\"" }
        let found = try made("{\"t\":[\((tokens + tokens).joined(separator: ","))]}")
        #expect(found.count == 1000)
        #expect(found.prefix(500).allSatisfy { $0.drop == nil })
        #expect(found.suffix(500).allSatisfy { $0.drop?.reason == .duplicate })
    }

    @Test func `keep the reason for which none of them is sent`() throws {
        let source = minimal.without("device_token").with([
            "device_tokens": "${t}", "collapse_id": "${c}",
        ])
        let result = try mapped(TestRecord(json: #"{"t":["aa","aa"]}"#), source)
        #expect(result.count == 2)
        #expect(result.notifications[0].drop?.reason == .missingField)
        #expect(result.notifications[1].drop?.reason == .missingField)
    }

    @Test func `have the event's own apns-id only if there can be only one`() throws {
        #expect(try made(#"{"t":["aa"]}"#).map(\.isOneOfSeveral) == [false])
        #expect(try made(#"{"t":["aa",null]}"#).map(\.isOneOfSeveral) == [true])
        #expect(try notification(#"{"token":"aa"}"#).isOneOfSeveral == false)
    }

    @Test func `replace a single one in a canonical event`() throws {
        let both = #"{"device_token":"aa","device_tokens":["bb"],"payload":{"aps":{"badge":1}}}"#
        let result = try mapped(TestRecord(json: both), nil)
        #expect(result.count == 1)
        #expect(result.notifications[0].drop?.reason == .invalidDeviceToken)
    }
}
