import Configuration
import Testing

@Suite struct `A connector for passes or orders in Wallet` {
    @Test(arguments: ["pass.com.example.ticket", "order.com.example.shop"])
    func `is for production only`(_ bundleID: String) throws {
        let changes = [
            "  bundle_id": "  bundle_id: \(bundleID)", "  payload": "  payload: {}",
        ]
        #expect(try Example.findings(changes) == [])
        #expect(
            try Example.findings(
                changes.merging(["  environment": "  environment: sandbox"]) { $1 }) == [
                    "7:16: warning: passes and orders in Wallet take pushes in production only"
                        + " | write environment: production"
                ])
    }

    private static func changes(
        _ allowed: String, bundleID: String = "${topic}", environment: String = "production"
    ) -> [String: String] {
        [
            "  environment":
                "  environment: \(environment)\n  allowed_bundle_ids: [\"\(allowed)\"]",
            "  payload": "  bundle_id: \(bundleID)\n  payload: {}",
        ]
    }

    @Test(arguments: ["pass.com.example.card", "pass.*", "order.com.example.*", "*"])
    func `may be one whose events name the pass`(_ allowed: String) throws {
        #expect(try Example.findings(Self.changes(allowed)) == [])
    }

    @Test func `has a payload as any other if its events can name no pass`() throws {
        let found = try Example.findings(Self.changes("com.example.*"))
        #expect(found.count == 1 && found[0].contains("error: an alert push needs"), "\(found)")
        let named = try Example.findings(
            Self.changes("pass.com.example.card", bundleID: "com.example.other"))
        #expect(named.count == 1 && named[0].contains("error: an alert push needs"), "\(named)")
    }

    @Test func `may name the pass in a notification`() throws {
        #expect(
            try Example.findings(Self.changes("com.x", bundleID: "pass.com.example.card")) == [])
    }

    @Test func `is for production only, wherever the pass is named`() throws {
        let message = "warning: passes and orders in Wallet take pushes in production only | write"
        let allowed = try Example.findings(
            Self.changes("pass.com.example.card", environment: "development"))
        #expect(
            allowed.map { $0.drop { $0 != " " } } == [
                " \(message) environment: production, or remove 'pass.com.example.card'"
            ])
        let named = try Example.findings(
            Self.changes("com.x", bundleID: "order.com.example", environment: "development"))
        #expect(
            named.map { $0.drop { $0 != " " } } == [
                " \(message) environment: production in 'apns'"
            ])
    }
}
