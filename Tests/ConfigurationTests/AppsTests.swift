import Configuration
import Foundation
import TLS
import Testing

/// The example with an `apns` block instead of its own.
private func load(
    _ apns: String, bundle: String? = nil, environment: [String: String] = [:]
) throws -> (connector: Connector?, findings: [String]) {
    var lines = Example.text.split(separator: "\n", omittingEmptySubsequences: false)
    let begin = try #require(lines.firstIndex(of: "apns:"))
    let end = try #require(lines.firstIndex(of: "notification:"))
    lines.replaceSubrange(begin..<end, with: apns.split(separator: "\n"))
    var text = lines.joined(separator: "\n")
    if let bundle {
        text = text.replacing("  ttl: 4h", with: "  bundle_id: \(bundle)\n  ttl: 4h")
    }
    let result = ConnectorFile.load(
        bytes: Array(text.utf8), path: "orders.yaml",
        environment: try Example.environment(environment))
    let findings = result.diagnostics.map { finding in
        "\(finding.line):\(finding.column): \(finding.message)"
            + (finding.remedy.map { " | \($0)" } ?? "")
    }
    return (result.connector, findings)
}

private let two = """
    apns:
      environment: production
      key: "${env:KEY}"
      key_id: ABC123DEFG
      team_id: DEF123GHIJ
      apps:
        shop: {bundle_id: com.example.shop}
        pay: {bundle_id: com.example.pay}
    """

@Suite struct `Several apps of a connector` {
    @Test func `must have every key that they do not inherit`() throws {
        let text = two.replacing("  team_id: DEF123GHIJ\n", with: "")
            .replacing("pay: {bundle_id: com.example.pay}", with: "pay: {key_id: ABC123DEFH}")
        #expect(
            try load(text, bundle: "${app}").findings == [
                "11:5: 'team_id' is missing in apns.apps.shop | write team_id: DEF123GHIJ",
                "12:5: 'team_id' is missing in apns.apps.pay | write team_id: DEF123GHIJ",
                "12:5: 'bundle_id' is missing in apns.apps.pay"
                    + " | write bundle_id: com.example.shop",
            ])
    }

    @Test func `need an address`() throws {
        let text = two.replacing("  environment: production\n", with: "")
            .replacing("pay: {", with: "pay: {environment: development, ")
        #expect(
            try load(text, bundle: "${app}").findings == [
                "11:5: 'environment' is missing in apns.apps.shop | write environment: production,"
                    + " or development for apps that Xcode installed"
            ])
    }

    @Test func `must differ if only the event's fields distinguish them`() throws {
        let text = two.replacing("com.example.pay", with: "com.example.shop")
        #expect(
            try load(text, bundle: "${bundle}").findings == [
                "13:5: 'pay' has the same bundle_id and environment as 'shop'"
                    + " | write app: ${path.to.name} next to 'apps', so that each event names its"
                    + " app"
            ])
        let chosen = text.replacing("  apps:", with: "  app: ${app}\n  apps:")
        #expect(try load(chosen).findings == [])
    }

    @Test func `have valid names`() throws {
        let text = two.replacing("    pay:", with: "    my pay:")
        #expect(
            try load(text, bundle: "${bundle}").findings == [
                "13:5: 'my pay' is not a valid name under 'apps'"
                    + " | write 1 to 64 letters, digits, '-' and '_' only"
            ])
    }

    @Test func `are a map of maps`() throws {
        let list = two.replacing("    shop: {bundle_id: com.example.shop}\n", with: "")
            .replacing("  apps:\n    pay: {bundle_id: com.example.pay}", with: "  apps: [pay]")
        #expect(
            try load(list, bundle: "${bundle}").findings.first?
                .hasPrefix("11:9: 'apps' must be a map of names, not a list") == true)
        let text = two.replacing("{bundle_id: com.example.pay}", with: "com.example.pay")
        #expect(
            try load(text, bundle: "${bundle}").findings
                == ["13:10: 'pay' must be a map of keys | write the settings that differ, or {}"])
    }

    @Test func `must be distinguishable`() throws {
        #expect(
            try load(two).findings == [
                "15:3: it is not clear which of 'apns.apps' this notification is for"
                    + " | write app: ${path.to.name} in 'apns', or bundle_id: here"
            ])
    }

    @Test func `must exist if one is chosen`() throws {
        let text = two.split(separator: "\n").prefix(5).joined(separator: "\n")
        #expect(
            try load(text + "\n  bundle_id: com.example.shop\n  app: ${app}").findings == [
                "12:3: 'app' requires 'apps'"
                    + " | write apps: with a named entry for each app, or remove 'app'"
            ])
    }

    @Test func `do not inherit the key of another app's key ID`() throws {
        let key = #"key: "${env:PAY_KEY}", "#
        let text = two.replacing("pay: {", with: "pay: {" + key)
        let pem = String(decoding: try SigningKey.generate().privateKeyPEM, as: UTF8.self)
        #expect(
            try load(text, bundle: "${bundle}", environment: ["PAY_KEY": pem]).findings == [
                "13:5: 'pay' has the same key_id as 'shop' but a different key | write the key_id"
                    + " of each key: it is part of the file name, AuthKey_ABC123DEFG.p8"
            ])
        let other = text.replacing(key, with: key + "key_id: ABC123DEFH, ")
        let found = try load(other, bundle: "${bundle}", environment: ["PAY_KEY": pem])
        #expect(found.findings == [])
        #expect(found.connector?.apns.routes == [[0], [1]])
    }

    @Test func `report a mistake in shared settings only once`() throws {
        let text = two.replacing("ABC123DEFG", with: "ABC123DEF")
        #expect(try load(text, bundle: "${bundle}").findings.count == 1)
    }

    @Test func `may be written as in the article`() throws {
        let path = "../../../Sources/Bridge/Documentation.docc/SeveralApps.md"
        let text = try String(
            contentsOf: URL(filePath: #filePath).appending(path: path).standardizedFileURL,
            encoding: .utf8)
        let block = try #require(text.components(separatedBy: "```yaml\n").dropFirst().first)
        let apns = try #require(block.components(separatedBy: "```").first)
        let connector = try #require(try load(apns).connector)
        #expect(connector.apns.apps.map(\.name) == ["shop", "pay", "pay-beta"])
        #expect(connector.apns.routes == [[0, 1], [2]])
    }

    @Test func `inherit shared settings, and share connections if they can`() throws {
        let other = "    other: {bundle_id: com.example.other, environment: development}"
        let connector = try #require(
            try load(two + "\n" + other, bundle: "${bundle}").connector)
        #expect(connector.apns.apps.map(\.name) == ["shop", "pay", "other"])
        #expect(
            connector.apns.apps.map(\.endpoint.host) == [
                "api.push.apple.com", "api.push.apple.com", "api.sandbox.push.apple.com",
            ])
        #expect(connector.apns.routes == [[0, 1], [2]])
    }
}
