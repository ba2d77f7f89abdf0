import Foundation
import Testing

/// A real Kafka with a second listener on which clients log in with tokens of an OAuth server of
/// the tests. The broker ends each login after ten seconds.
final class OAuthKafka: Sendable {
    private static let sharedResult = Result {
        let kafka = try OAuthKafka()
        atexit { OAuthKafka.sharedEnded() }
        return kafka
    }

    /// The broker of the whole test run; started when it is first asked for.
    static func shared() throws -> OAuthKafka { try sharedResult.get() }

    private static func sharedEnded() { try? sharedResult.get().remove() }

    let kafka: RealKafka
    let folder: URL
    let tokenURL: String
    private let address: String
    private let server: TokenServer

    private init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "apns-bridge-oauth-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        server = try TokenServer(folder)
        tokenURL = "http://127.0.0.1:\(server.port)/token"
        try Data("open sesame".utf8).write(to: folder.appending(path: "secret"))
        address = "127.0.0.1:\(try RealKafka.freePort())"
        let keys = "file://\(folder.path)/jwks.json"
        let package = "org.apache.kafka.common.security.oauthbearer"
        let listener = "listener.name.sasl_plaintext.oauthbearer"
        kafka = try RealKafka.start(
            listeners: ["SASL_PLAINTEXT://\(address)"],
            properties: [
                "sasl.enabled.mechanisms=OAUTHBEARER",
                "\(listener).sasl.jaas.config=\(package).OAuthBearerLoginModule required;",
                "\(listener).sasl.server.callback.handler.class="
                    + "\(package).OAuthBearerValidatorCallbackHandler",
                "\(listener).connections.max.reauth.ms=10000",
                "sasl.oauthbearer.jwks.endpoint.url=\(keys)",
                "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                "super.users=User:ANONYMOUS",
            ],
            environment: { _ in
                ["KAFKA_OPTS": "-Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=\(keys)"]
            })
        // The name in the tokens.
        try kafka.tool(
            "kafka-acls.sh",
            [
                "--bootstrap-server", kafka.bootstrapServers, "--add", "--allow-principal",
                "User:bridge", "--operation", "All", "--topic", "*", "--group", "*",
            ])
    }

    private func remove() {
        kafka.remove()
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The lines of a connector file's `kafka` for a bridge that logs in.
    var login: [String] {
        ["bootstrap.servers: \(address)", "security.protocol: sasl_plaintext"]
    }

    /// The rest of a connector file for a bridge that asks the server for tokens.
    func oauth(secret: String? = nil) -> String {
        let file = "${file:\(folder.appending(path: "secret").path)}"
        return """
            kafka_login:
              oauth:
                token_url: \(tokenURL)
                client_id: bridge
                client_secret: "\(secret ?? file)"
                scope: kafka
            """
    }

    /// The same for one that reads a file that the server keeps.
    var tokenFile: String {
        "kafka_login: {token_file: \(folder.appending(path: "token").path)}"
    }

    /// How the server responds from now on.
    func respond(_ mode: String) throws {
        try mode.write(
            to: folder.appending(path: "mode"), atomically: true, encoding: .utf8)
    }

    /// How often the server was asked.
    var requests: Int {
        let data = try? Data(contentsOf: folder.appending(path: "requests"))
        return data?.count { $0 == UInt8(ascii: "\n") } ?? 0
    }
}

/// The process of the server.
private final class TokenServer: @unchecked Sendable {  // Nothing changes after `init`.
    let port: String
    private let process = Process()
    private let input = Pipe()

    init(_ folder: URL) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "token_server.py").path
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-B", script, folder.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = input
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = line.trimmingCharacters(in: .whitespacesAndNewlines)
        try #require(!port.isEmpty, "the token server did not start")
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
