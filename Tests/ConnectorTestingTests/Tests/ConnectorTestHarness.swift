import Configuration
import Testing

@testable import ConnectorTesting

/// A connector and its tests in memory.
enum ConnectorTestHarness {
    static let connectorPath = "connectors/orders.yaml"
    static let testPath = "connectors/orders.test.yaml"

    /// A connector that sends one alert for each event.
    static let connector = """
        source: {topics: [shop.orders, shop.returns], group: apns-orders}
        kafka: {bootstrap.servers: "${env:KAFKA}"}
        apns:
          environment: production
          key: "${file:AuthKey.p8}"
          key_id: ABC123DEFG
          team_id: DEF123GHIJ
          bundle_id: com.example.shop
        when: {type: [shipped]}
        notification:
          device_token: ${token}
          expiration: ${expires_at?}
          payload:
            aps: {alert: {title: "Order ${id} shipped", body: "Hi ${name ?? \\"there\\"}"}}
            order: ${id}
            region: ${env:REGION ?? "none"}
        results: {outcomes: out, unregistered: dead-tokens, dead_letter: dead-letters}
        """

    /// An event that makes one alert.
    static let event = "{type: shipped, token: ab01, id: 7, name: Ana}"

    /// The text of a test file with one test.
    static func file(_ test: String, head: String = "now: 2026-01-01T10:00:00Z") -> String {
        let lines = test.split(separator: "\n", omittingEmptySubsequences: false)
        let body = lines.map { "    " + $0 }.joined(separator: "\n")
        return "\(head)\ntests:\n  - name: a promise\n\(body)\n"
    }

    static func load(
        _ text: String
    ) -> (file: ConnectorTestFile?, diagnostics: [Diagnostic]) {
        let found = ConnectorTestFile.load(bytes: Array(text.utf8), path: testPath)
        return (found.file, found.diagnostics)
    }

    /// Runs a test file on a connector.
    static func run(
        _ text: String, connector source: String = connector
    ) throws -> [ConnectorTestResult] {
        let loaded = load(text)
        let file = try #require(loaded.file, "\(Diagnostic.report(loaded.diagnostics))")
        let result = ConnectorFile.load(
            bytes: Array(source.utf8), path: connectorPath, environment: file.environment,
            isWritten: true, mode: .inspect)
        let connector = try #require(
            result.connector, "\(Diagnostic.report(result.diagnostics))")
        return file.run(on: connector, source: Array(source.utf8))
    }

    /// The failures of the only test of a file, line by line; empty if it passed.
    static func mismatches(_ test: String, connector: String = connector) throws -> [String] {
        let results = try run(file(test), connector: connector)
        return try #require(results.first).mismatches.flatMap { mismatch in
            ["\(mismatch.line): \(mismatch.headline)"] + mismatch.details
        }
    }
}
