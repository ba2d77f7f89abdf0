import Configuration
import Testing

@Suite struct `A connector with several notifications` {
    private func findings(_ more: String) throws -> [String] {
        try Example.findings(["notification": "apns_bridge_list:"], adding: more)
            .filter { !$0.contains("apns_bridge_list") }
    }

    private let block = """
        notifications:
          - when: {type: [order.shipped]}
            device_token: ${token}
            ttl: 4h
            payload: {aps: {alert: "${text}"}}
          - device_token: ${token}
            expiration: 0
            payload: {aps: {badge: 1}}

        """

    @Test func `is read`() throws {
        #expect(try findings(block) == [])
        #expect(try findings(block + "match: first\n") == [])
        #expect(try findings(block + "match: all\n") == [])
    }

    @Test(arguments: [
        (
            "notifications: {device_token: x}\n",
            "20:16: error: 'notifications' must be a list of blocks, not a map"
        ),
        (
            "notifications: []\n",
            "20:16: error: 'notifications' is empty | write at least one block"
        ),
        ("match: every\n", "20:8: error: 'match' must be first or all, not 'every'"),
        (
            "match: all\n",
            "20:1: error: 'match' is only valid with 'notifications'"
                + " | remove it, or write a list of 'notifications'"
        ),
        (
            "notifications:\n- device_token: ${token}\n  playload: {}\n",
            "22:3: error: unknown key 'playload' in a block of notifications"
                + " | did you mean 'payload'?"
        ),
    ])
    func `is rejected at the position of the mistake`(_ more: String, _ message: String) throws {
        let found = try findings(more)
        #expect(found.contains { $0.hasPrefix(message) }, "\(found)")
    }

    @Test func `is rejected along with a single notification`() throws {
        let found = try Example.findings(adding: block)
        #expect(
            found == [
                "20:1: error: 'notification' and 'notifications' are mutually exclusive"
                    + " | put them all in 'notifications', as a list"
            ])
    }

    @Test func `may have a policy at the top level only for canonical events`() throws {
        let policy = "policy: {collapse_id_too_long: hash}\n"
        let canonical = Example.text.split(separator: "notification:")
        let allowed = "  allowed_bundle_ids: [com.example.*]\n"
        let rest = canonical[1].drop { $0 != "r" }
        let text = canonical[0] + allowed + rest + policy
        let loaded = ConnectorFile.load(
            bytes: Array(text.utf8), path: "orders.yaml", environment: try Example.environment())
        #expect(loaded.diagnostics == [])
        let message =
            "error: 'policy' belongs in the notification blocks | move it into 'notification';"
            + " at the top level it is for canonical events"
        #expect(try Example.findings(adding: policy) == ["20:1: " + message])
        #expect(try findings(policy + block) == ["20:1: " + message])
    }

    @Test func `keeps the values of a condition as they are written`() throws {
        let found = try findings(block.replacing("order.shipped", with: "\"${x}\""))
        #expect(found.count == 1)
        #expect(found.first?.contains("a pattern cannot contain templates") == true)
    }

    @Test func `reads CloudEvents if so configured`() throws {
        let changed = ["  group": "  group: g\n  format: cloudevents"]
        #expect(try Example.findings(changed) == [])
        #expect(try Example.load(changed).connector?.source.format == .cloudevents)
        let found = try Example.findings(["  device_token": "  device_token: ${@ce.subject}"])
        #expect(
            found == [
                "13:17: error: '@ce' is only valid with CloudEvents"
                    + " | write format: cloudevents in 'source', or @headers.ce_subject"
            ])
    }
}
