internal import APNs
package import Configuration
internal import Delivery
package import Engine
internal import JSON
internal import Kafka
package import Mapping
package import TLS

/// What the tests of the bridge share.
package enum Samples {
    /// Why a sample could not be made.
    package struct Failure: Error { let detail: String }

    package static let signingKey = Result { try SigningKey.generate() }

    /// What events need not name: they may be for each app of the worlds, and for one of device
    /// management.
    private static var defaults: MappingDefaults {
        var defaults = MappingDefaults(
            fileName: "orders.yaml", bundleID: "com.example.shop", environment: "production")
        defaults.allowedBundleIDs = ["com.example.*", "com.apple.mgmt.*"]
        return defaults
    }

    /// A plan for events that carry the fields of a notification themselves; with `cuts`, alerts
    /// that are too long are cut.
    package static func canonicalPlan(
        labels: MappingSource? = nil, cuts: Bool = false
    ) throws -> MappingPlan {
        var defaults = defaults
        defaults.labels = labels
        let policy = MappingMember(
            key: "policy", keyLocation: MappingLocation(line: 20, column: 1),
            value: map([
                ("payload_too_large", plain("truncate")), ("truncate", plain("aps.alert")),
            ]))
        let compiled = MappingPlan.compile(
            notification: nil, policy: cuts ? policy : nil, when: nil, defaults: defaults,
            hash: { SHA256.hash($0) })
        guard let plan = compiled.plan else { throw Failure(detail: "\(compiled.problems)") }
        return plan
    }

    /// Labels as in a connector file: names and quoted templates, from line 9 on.
    package static func labels(_ labels: [(String, String)]) -> MappingSource {
        let members = labels.enumerated().map { index, label in
            let location = MappingLocation(line: 9 + index, column: 5)
            return MappingMember(
                key: label.0, keyLocation: location,
                value: .scalar(text: label.1, style: .quoted, location: location))
        }
        return .map(members, location: MappingLocation(line: 8, column: 3))
    }

    /// The same for events that have no `kind`; the others are skipped.
    package static func selectivePlan() throws -> MappingPlan {
        try plan(when: withoutKind, defaults)
    }

    private static func plan(
        when: MappingSource, _ defaults: MappingDefaults
    ) throws -> MappingPlan {
        let compiled = MappingPlan.compile(
            notification: nil, when: when, defaults: defaults, hash: { SHA256.hash($0) })
        guard let plan = compiled.plan else { throw Failure(detail: "\(compiled.problems)") }
        return plan
    }

    /// A plan for events with the fields of a notification or, where `list` is true, with
    /// `devices`: each of them gets a push that is not `off`. Events of a `kind` are skipped.
    package static func elementsPlan() throws -> MappingPlan {
        let lists = map([
            ("when", map([("list", list([plain("true")]))])),
            (
                "for_each",
                map([
                    ("items", text("${devices}")), ("as", text("device")),
                    ("when", map([("off", list([map([("exists", plain("false"))])]))])),
                ])
            ),
            ("device_token", text("${device.token}")), ("ttl", text("4h")),
            ("payload", map([("aps", map([("badge", text("${device.badge}"))]))])),
        ])
        let others = map([
            ("device_tokens", text("${device_tokens ?? device_token}")),
            ("collapse_id", text("${collapse_id?}")), ("expiration", text("${expiration?}")),
            ("payload", text("${payload}")),
        ])
        let compiled = MappingPlan.compile(
            notification: nil,
            notifications: MappingMember(
                key: "notifications", keyLocation: location, value: list([lists, others])),
            when: withoutKind, defaults: defaults,
            hash: { SHA256.hash($0) })
        guard let plan = compiled.plan else { throw Failure(detail: "\(compiled.problems)") }
        return plan
    }

    /// A plan for events with a device token, whose keys in Avro name the badge.
    package static func keyPlan() throws -> MappingPlan {
        let compiled = MappingPlan.compile(
            notification: map([
                ("device_token", text("${device_token}")), ("ttl", text("4h")),
                ("payload", map([("aps", map([("badge", text("${@key.badge}"))]))])),
            ]), when: nil, format: text("avro"), keyFormat: text("avro"), defaults: defaults,
            hash: { SHA256.hash($0) })
        guard let plan = compiled.plan else { throw Failure(detail: "\(compiled.problems)") }
        return plan
    }

    private static let location = MappingLocation(line: 1, column: 1)

    private static func map(_ members: [(String, MappingSource)]) -> MappingSource {
        .map(
            members.map { MappingMember(key: $0.0, keyLocation: location, value: $0.1) },
            location: location)
    }

    private static func list(_ elements: [MappingSource]) -> MappingSource {
        .list(elements, location: location)
    }

    private static func text(_ text: String) -> MappingSource {
        .scalar(text: text, style: .quoted, location: location)
    }

    private static func plain(_ text: String) -> MappingSource {
        .scalar(text: text, style: .plain, location: location)
    }

    /// A pattern for events without a `kind`.
    private static var withoutKind: MappingSource {
        map([("kind", list([map([("exists", plain("false"))])]))])
    }

    /// A plan for two apps, of which the event's bundle identifier chooses one; events of a `kind`
    /// are skipped.
    package static func twoAppsPlan() throws -> MappingPlan {
        let apps = twoApps.map {
            MappingApp(name: $0.name, bundleID: $0.bundleID, environment: $0.environment)
        }
        return try plan(
            when: withoutKind,
            MappingDefaults(fileName: "orders.yaml", apps: apps, app: nil))
    }

    /// Two apps with a credential each.
    package static let twoApps = [
        EngineApp(
            name: "shop", bundleID: "com.example.shop", environment: "production", route: 0,
            credential: "key SHOP"),
        EngineApp(
            name: "pay", bundleID: "com.example.pay", environment: "production", route: 1,
            credential: "key PAY"),
    ]

    package static func connector(plan: MappingPlan) throws -> Connector {
        Connector(
            name: "orders", file: "connectors/orders.yaml",
            source: SourceSettings(topics: ["shop.orders"], group: "apns-orders"), kafka: [],
            apns: APNsSettings(apps: [
                AppSettings(
                    name: "shop", endpoint: .apple(.production), environment: .production,
                    credential: .key(
                        try signingKey.get(), keyID: "ABC123DEFG", teamID: "DEF123GHIJ"),
                    bundleID: "com.example.shop")
            ]),
            plan: plan,
            results: ResultsSettings(
                outcomes: "apns.outcomes", unregistered: "apns.unregistered",
                deadLetter: "apns.dead-letter"))
    }

    package static func settings(plan: MappingPlan) throws -> EngineSettings {
        EngineSettings(try connector(plan: plan), clusterID: "K1")
    }

    /// A device token of the usual length that begins with these digits.
    package static func token(_ digits: String) -> String {
        digits + String(repeating: "0", count: 64 - digits.utf8.count)
    }

    /// A canonical event.
    package static func event(_ token: String, more: String = "") -> String {
        #"{"device_token":"\#(token)","payload":{"aps":{"alert":"Hi"}}\#(more)}"#
    }

    /// A canonical event that starts a Live Activity.
    package static func activityStart(_ token: String, more: String = "") -> String {
        let aps =
            #"{"event":"start","timestamp":1767261600,"alert":"Hi","content-state":{},"#
            + #""attributes-type":"A","attributes":{}}"#
        return #"{"device_token":"\#(token)","push_type":"liveactivity","priority":5,"#
            + #""payload":{"aps":\#(aps)}\#(more)}"#
    }

    /// A canonical event that broadcasts the end of a Live Activity, or what `aps` says.
    package static func broadcast(
        to channel: String = "Y2hhbm5lbA==",
        aps: String = #"{"event":"end","timestamp":1767261600}"#, more: String = ""
    ) -> String {
        #"{"channel_id":"\#(channel)","payload":{"aps":\#(aps)}\#(more)}"#
    }

    /// The text of a member of a JSON object; nil when it is absent or null.
    package static func member(_ name: String, of json: String) throws -> String? {
        let bytes = Array(json.utf8)
        var tape = JSONTape()
        try tape.read(bytes)
        guard let node = tape.member(name, of: 0, in: bytes) else { return nil }
        if tape[node].kind == .null { return nil }
        return tape.text(of: node, in: bytes)
    }
}
