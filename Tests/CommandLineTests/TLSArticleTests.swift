import Foundation
import TLS
import Testing

/// The example of TLS in the article about running the bridge.
@Suite final class `The example of TLS to Kafka` {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(
            at: folder.appending(path: "tls"), withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func example() throws -> String {
        let path = "../../Sources/Bridge/Documentation.docc/Running.md"
        let article = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: path),
            encoding: .utf8)
        let section = try #require(article.split(separator: "### TLS and client certificates").last)
        let block = try #require(section.split(separator: "```yaml\n").dropFirst().first)
        return String(try #require(block.split(separator: "```").first))
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        let file = folder.appending(path: name)
        try Data(bytes).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }

    private func lint(_ kafka: String) throws -> Program.Ending {
        try write(Array(ConnectorText.orders(kafka: kafka, "  ttl: 4h").utf8), to: "orders.yaml")
        return try Program.run(
            Program.path, ["lint", "--strict", folder.appending(path: "orders.yaml").path],
            in: FileManager.default.temporaryDirectory)
    }

    @Test func `is accepted by librdkafka, with the files beside the connector`() throws {
        let authority = try CertificateAuthority.generate(name: "Kafka")
        let client = try authority.issue(hostNames: ["bridge"])
        try write(authority.certificatePEM, to: "tls/ca.pem")
        try write(client.certificatePEM, to: "tls/client.pem")
        try write(client.keyPEM, to: "tls/client.key")
        try write(try SigningKey.generate().privateKeyPEM, to: "AuthKey.p8")
        let ending = try lint(try example())
        #expect(ending.output == "")
        #expect(ending.code == 0, "\(ending.errors)")
        let misspelled = try lint(
            try example().replacing("ssl.key.location", with: "ssl.key.locaton"))
        #expect(misspelled.code == 78)
        #expect(misspelled.output.contains("did you mean 'ssl.key.location'?"))
        try write(Array("nothing".utf8), to: "tls/client.key")
        #expect(try lint(try example()).output.contains("ssl.key.location"))
    }
}
