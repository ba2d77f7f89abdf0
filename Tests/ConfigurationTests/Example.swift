import Configuration
import TLS

/// A valid connector file, for tests that break one thing.
enum Example {
    static let text = """
        source:
          topics: [shop.orders]
          group: apns-orders
        kafka:
          bootstrap.servers: localhost:9092
        apns:
          environment: production
          key: "${env:KEY}"
          key_id: ABC123DEFG
          team_id: DEF123GHIJ
          bundle_id: com.example.shop
        notification:
          device_token: ${token}
          ttl: 4h
          payload: {aps: {badge: 1}}
        results:
          outcomes: apns.outcomes
          unregistered: apns.unregistered
          dead_letter: apns.dead-letter

        """

    /// A key that can sign.
    static func environment(_ more: [String: String] = [:]) throws -> [String: String] {
        let key = try SigningKey.generate().privateKeyPEM
        return more.merging(["KEY": String(decoding: key, as: UTF8.self)]) { mine, _ in mine }
    }

    /// Loads the example with lines changed, and something added at its end.
    static func load(
        _ changes: [String: String] = [:], adding more: String = "",
        environment: [String: String] = [:], mode: ConnectorFile.Mode = .run
    ) throws -> (connector: Connector?, diagnostics: [Diagnostic]) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for (old, new) in changes {
            let index = lines.firstIndex { $0.hasPrefix(old) }
            guard let index else { throw NoSuchLine(text: old) }
            lines[index] = new
        }
        return ConnectorFile.load(
            bytes: Array((lines.joined(separator: "\n") + more).utf8), path: "orders.yaml",
            environment: try self.environment(environment), mode: mode)
    }

    /// The findings, each as `line:column: severity: message | remedy`.
    static func findings(
        _ changes: [String: String] = [:], adding more: String = "",
        environment: [String: String] = [:], mode: ConnectorFile.Mode = .run
    ) throws -> [String] {
        let result = try load(changes, adding: more, environment: environment, mode: mode)
        return result.diagnostics.map { finding in
            let remedy = finding.remedy.map { " | \($0)" } ?? ""
            return "\(finding.line):\(finding.column): \(finding.severity.rawValue): "
                + finding.message + remedy
        }
    }

    struct NoSuchLine: Error {
        var text: String
    }
}
