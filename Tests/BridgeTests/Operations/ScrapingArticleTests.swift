import Configuration
import Foundation
import Testing

@testable import AdminServer
@testable import Bridge

/// The scrape configuration in the article *Operations*, and the `bridge.yaml` beside it.
@Suite struct `The scrape configuration in the documentation` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    /// The YAML in the article's section about alerts.
    private func snippets() throws -> [String] {
        let article = try text("Sources/Bridge/Documentation.docc/Operations.md")
        let section = try #require(
            article.split(separator: "\n### ").first { $0.hasPrefix("The alerts\n") })
        return section.matches(of: /(?s)```yaml\n(.*?)```/).map { String($0.output.1) }
    }

    /// The settings of a process from the text of its `bridge.yaml`.
    private func settings(_ text: String) throws -> AdminEndpointSettings {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let token = folder.appending(path: "admin.token")
        try "secret-of-16-bytes\n".write(to: token, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: token.path)
        try text.write(
            to: folder.appending(path: "bridge.yaml"), atomically: true, encoding: .utf8)
        let (settings, mistakes) = ProcessFile.load([folder.path], settings: nil, environment: [:])
        #expect(mistakes.isEmpty, "\(mistakes)")
        return try #require(settings?.admin)
    }

    /// What a bridge responds to a scrape that calls it by a name.
    private func status(of host: String, _ settings: AdminEndpointSettings?) -> Int? {
        let router = AdminRouter(
            routes: AdminEndpoint.routes(BridgeStatus()),
            access: AccessRules(hostNames: settings?.hostNames ?? []),
            token: settings?.token.map { BearerToken($0) })
        let request = AdminRequest(method: "GET", path: "/metrics", headers: ["host": host])
        guard case .now(let response) = router.reply(to: request) else { return nil }
        return response.status
    }

    @Test func `is answered by a bridge with the settings beside it`() throws {
        let snippets = try snippets()
        let scrape = try #require(snippets.first { $0.contains("static_configs") })
        let list = try #require(scrape.firstMatch(of: /targets: \[([^\]]*)\]/)).output.1
        let targets = list.matches(of: /"([^"]+)"/).map { String($0.output.1) }
        #expect(targets.count == 2)
        let settings = try settings(try #require(snippets.first { $0.hasPrefix("admin:") }))
        for target in targets {
            #expect(status(of: target, settings) == 200, "\(target)")
            #expect(status(of: target, nil) == 421)
            #expect(target.hasSuffix(":\(settings.port)"))
        }
    }

    @Test func `and the probes in Kubernetes call a pod by its address, not a name`() throws {
        let pods = try text("deploy/kubernetes/base/stateful-set.yaml")
        let probes = pods.matches(of: /httpGet: \{([^}]*)\}/).map { $0.output.1 }
        #expect(probes.count == 3)
        // A probe without a host of its own calls the pod's address.
        #expect(!probes.contains { $0.contains("host") })
        let discovery = try #require(
            try snippets().first { $0.contains("kubernetes_sd_configs: [{role: pod}]") })
        #expect(!discovery.contains("__address__"))
        for address in ["10.1.2.3:8080", "[fd00::7]:8080"] {
            #expect(status(of: address, nil) == 200, "\(address)")
        }
    }
}
