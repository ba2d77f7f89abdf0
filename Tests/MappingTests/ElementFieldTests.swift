import Delivery
import Mapping
import Testing

@Suite struct `An element of a list` {
    private static let apps = [
        MappingApp(name: "shop", bundleID: "com.example.shop", environment: "production"),
        MappingApp(name: "pay", bundleID: "com.example.pay", environment: "production"),
    ]
    private static let block: MappingSource = [
        "for_each": ["items": "${devices}", "as": "device"], "device_token": "${device.token}",
        "payload": ["aps": ["alert": "Hi"]],
    ]

    private func compile(
        _ blocks: [MappingSource], app: MappingSource? = nil, labels: MappingSource? = nil
    ) -> (plan: MappingPlan?, problems: [MappingProblem]) {
        let location = MappingLocation(line: 3, column: 1)
        var chosen = defaults
        chosen.labels = labels
        if let app {
            chosen = MappingDefaults(
                fileName: "connectors/orders.yaml", apps: Self.apps, app: app)
            chosen.labels = labels
        }
        return MappingPlan.compile(
            notification: nil,
            notifications: MappingMember(
                key: "notifications", keyLocation: location,
                value: .list(blocks, location: location)),
            match: MappingMember(key: "match", keyLocation: location, value: .plain("all")),
            when: nil,
            defaults: chosen, hash: sha256)
    }

    private func made(
        _ event: String, _ blocks: [MappingSource], app: MappingSource? = nil,
        labels: MappingSource? = nil
    ) throws -> [Notification] {
        let compiled = compile(blocks, app: app, labels: labels)
        guard let plan = compiled.plan else { throw Unplanned(problems: compiled.problems) }
        #expect(compiled.problems == [])
        var mapper = Mapper(plan: plan)
        var result = MappedRecord()
        for _ in 0..<2 { mapper.map(TestRecord(json: event).makeRecord(), now: 0, into: &result) }
        return Array(result.notifications[..<result.count])
    }

    @Test func `chooses its app`() throws {
        let made = try made(
            #"{"devices":[{"token":"aa","app":"pay"},{"token":"bb","app":"shop"},{"token":"cc"}]}"#,
            [Self.block], app: "${device.app}")
        #expect(made.map(\.app) == [1, 0, -1])
        #expect(made[0].bundleID == Array("com.example.pay".utf8))
        let drop = try #require(made[2].drop)
        #expect(drop.reason == .missingField)
        #expect(drop.detail.hasSuffix("${device.app} is absent (element 2)"))
    }

    @Test func `has its own labels, next to those of the event`() throws {
        let made = try made(
            #"""
            {"kind":"news","devices":[{"token":"aa","country":"DE"},{"token":"bb"},
             {"token":"cc","country":["x"]}]}
            """#,
            [Self.block], labels: ["country": "${device.country?}", "kind": "${kind}"])
        #expect(
            made.map { String(decoding: $0.labels, as: UTF8.self) } == [
                #"{"country":"DE","kind":"news"}"#, #"{"kind":"news"}"#,
                #"{"country":null,"kind":"news"}"#,
            ])
        #expect(made.map { $0.labelFault == nil } == [true, true, false])
    }

    @Test func `decides the event time of its push`() throws {
        let made = try made(
            #"""
            {"devices":[{"token":"aa","at":1767261600},{"token":"bb","at":1767261660}]}
            """#,
            [Self.block.with(["event_time": "${device.at}", "ttl": "1m"])])
        #expect(made.map(\.eventTime) == [1_767_261_600_000, 1_767_261_660_000])
        #expect(made.map(\.expiresAt) == [1_767_261_660_000, 1_767_261_720_000])
    }

    @Test func `is meant by its name in its own block only`() throws {
        let plain: MappingSource = [
            "device_token": "${token}", "payload": ["aps": ["alert": "Hi"]],
        ]
        let other = Self.block.with([
            "for_each": ["items": "${devices}", "as": "phone"], "device_token": "${phone.token}",
        ])
        let compiled = compile([Self.block, plain, other], app: "${device.app}")
        #expect(
            compiled.problems.map(\.message) == [
                "'device' hides the event's own member 'device' in this notification"
            ])
        var mapper = Mapper(plan: try #require(compiled.plan))
        var result = MappedRecord()
        let event = #"""
            {"token":"bb","device":{"app":"shop"},"devices":[{"token":"aa","app":"pay"}]}
            """#
        mapper.map(TestRecord(json: event).makeRecord(), now: 0, into: &result)
        #expect(result.notifications[..<result.count].map(\.app) == [1, 0, 0])
    }

    @Test func `does not repeat the problems of what stands outside of its block`() {
        let compiled = compile(
            [Self.block, Self.block], app: "${device.", labels: ["bad name": "${a}"])
        #expect(compiled.problems.filter { !$0.isWarning }.count == 2)
    }

    @Test func `of another list has no push after those of the first`() throws {
        let blocks: [MappingSource] = ["phones", "tablets"].map { list in
            Self.block.with([
                "for_each": [
                    "items": .text("${\(list)}"), "as": "device", "when": ["on": [true]],
                ]
            ])
        }
        let location = MappingLocation(line: 3, column: 1)
        let compiled = MappingPlan.compile(
            notification: nil,
            notifications: MappingMember(
                key: "notifications", keyLocation: location,
                value: .list(blocks, location: location)),
            when: nil, defaults: defaults, hash: sha256)
        #expect(
            compiled.problems.map { $0.message.hasPrefix("this block is unreachable") } == [true])
        var mapper = Mapper(plan: try #require(compiled.plan))
        var result = MappedRecord()
        let event = #"{"phones":[{"token":"aa","on":true}],"tablets":[{"token":"bb","on":true}]}"#
        mapper.map(TestRecord(json: event).makeRecord(), now: 0, into: &result)
        #expect(result.notifications[..<result.count].map(\.tokenText) == ["aa"])
    }
}
