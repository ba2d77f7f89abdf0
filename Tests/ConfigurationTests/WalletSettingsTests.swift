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
}
