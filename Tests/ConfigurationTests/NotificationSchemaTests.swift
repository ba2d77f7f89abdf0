import Configuration
import Testing
import YAML

@Suite struct `The JSON Schema of a notification` {
    private let schema: YAMLNode
    private let block: YAMLNode

    init() throws {
        schema = try YAMLDocument.parse(ConnectorSchema.json(), file: "connector.json")
        block = try #require(schema["properties"]?["notification"])
    }

    private func names(_ node: YAMLNode?) -> [String] {
        node?["properties"]?.entries?.compactMap(\.key.text) ?? []
    }

    /// The keys that the loader lists for one that resembles none of them.
    private func known(_ notification: String) throws -> [String] {
        let old = "  payload"
        let remedies = try Example.load([old: "  payload: {aps: {badge: 1}}\n  \(notification)"])
            .diagnostics.compactMap(\.remedy)
        let list = try #require(remedies.first { $0.hasPrefix("keys are ") })
        return list.dropFirst("keys are ".count).split(separator: ", ").map(String.init)
    }

    @Test func `has the fields of the loader`() throws {
        #expect(names(block) == (try known("zzzzzzzzzzzzzzzz: 1")))
    }

    @Test func `has the policies of the loader`() throws {
        let policy = block["properties"]?["policy"]
        #expect(Set(names(policy)) == Set(try known("policy: {zzzzzzzzzzzzzzzzzzzzz: 1}")))
    }

    @Test func `has the keys of a live_activity of the loader`() throws {
        let activity = block["properties"]?["live_activity"]
        let old = "  payload"
        let remedies = try Example.load([
            old: "  priority: 5\n  live_activity: {event: end, zzzzzzzzzzzzzzzzzzzzz: 1}"
        ]).diagnostics.compactMap(\.remedy)
        let list = try #require(remedies.first { $0.hasPrefix("keys are ") })
        let known = list.dropFirst("keys are ".count).split(separator: ", ").map(String.init)
        #expect(names(activity) == known)
    }

    @Test func `has an example for each key of a live_activity that the loader accepts`() throws {
        let activity = block["properties"]?["live_activity"]
        let start = [
            "event": "start", "content_state": "{a: 1}", "attributes_type": "A",
            "attributes": "{a: 1}", "alert": "{title: Hi}",
        ]
        for name in names(activity) {
            let example = try #require(
                activity?["properties"]?[name]?["examples"]?.elements?.first, "\(name)")
            let others = name == "dismissal_date" ? ["event": "end"] : start
            let members = [name: Self.flow(example)].merging(others) { one, other in
                name == "event" ? other : one
            }
            let text = members.sorted { $0.key < $1.key }
                .map { "\($0.key): \($0.value)" }.joined(separator: ", ")
            let found = try Example.findings([
                "  payload": "  priority: 5\n  live_activity: {\(text)}"
            ])
            #expect(found == [], "\(name)")
        }
    }

    @Test func `has the same policies at the top level, except one without meaning there`() throws {
        let known = Set(names(block["properties"]?["policy"]))
        #expect(
            Set(names(schema["properties"]?["policy"])) == known.subtracting(["unknown_aps_keys"]))
    }

    @Test func `has a condition in each block of a list, and otherwise the same fields`() throws {
        let items = schema["properties"]?["notifications"]?["items"]
        #expect(names(items) == ["when"] + names(block))
    }

    @Test func `has examples that the loader accepts`() throws {
        for name in names(block) where name != "policy" {
            let example = try #require(
                block["properties"]?[name]?["examples"]?.elements?.first, "\(name)")
            let token = name == "for_each" ? "'${device.token}'" : "'${token}'"
            let others = [
                "payload": "{aps: {badge: 1}}", "device_token": token, "ttl": "4h",
                "priority": "5",
            ].filter { other in
                if other.key == name { return false }
                if name == "live_activity" { return other.key != "payload" }
                if name == "broadcast" { return other.key == "ttl" || other.key == "priority" }
                if other.key == "priority" { return false }
                if name == "device_tokens" { return other.key != "device_token" }
                return name == "expiration" ? other.key != "ttl" : true
            }
            var fields = [name: Self.flow(example)].merging(others) { mine, _ in mine }
            if name == "broadcast" { fields["live_activity"] = "{event: end}" }
            let text = fields.sorted { $0.key < $1.key }
                .map { "\($0.key): \($0.value)" }.joined(separator: ", ")
            let found = try Example.findings([
                "notification": "notification: {\(text)}", "  device_token": "", "  ttl": "",
                "  payload": "",
            ])
            #expect(found == [], "\(name)")
        }
    }

    @Test func `names each value of a policy that the loader accepts`() throws {
        for (name, schema) in block["properties"]?["policy"]?["properties"]?.entries ?? [] {
            for word in schema["enum"]?.elements?.compactMap(\.text) ?? [] {
                let key = name.text ?? ""
                let more = word == "truncate" ? ", truncate: aps.alert.body" : ""
                let policy = "  policy: {\(key): \(word)\(more)}"
                let found = try Example.findings([
                    "  payload": "  payload: {aps: {alert: {body: Hi}}}\n\(policy)"
                ])
                #expect(found == [], "\(key): \(word)")
            }
        }
    }

    @Test func `describes every field in a sentence`() {
        for (key, schema) in block["properties"]?.entries ?? [] {
            #expect(schema["description"]?.text?.hasSuffix(".") == true, "\(key.text ?? "")")
            #expect(schema["title"]?.text == key.text)
        }
    }

    private static func flow(_ node: YAMLNode) -> String {
        switch node.kind {
        case .scalar(let text, .plain): text
        case .scalar(let text, _): "'\(text)'"
        case .sequence(let elements): "[\(elements.map(flow).joined(separator: ", "))]"
        case .mapping(let entries):
            "{\(entries.map { "\(flow($0.key)): \(flow($0.value))" }.joined(separator: ", "))}"
        }
    }
}
