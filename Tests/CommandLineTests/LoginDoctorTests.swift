import Foundation
import TLS
import Testing

@Suite struct `The verb doctor about a login to Amazon MSK` {
    /// AWS's services of the tests of `KafkaLogin`.
    private final class Server {
        let port: String
        private let process = Process()
        private let input = Pipe()

        init() throws {
            let script = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../KafkaLoginTests/aws_server.py").standardized.path
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["python3", "-B", script]
            let output = Pipe()
            process.standardOutput = output
            process.standardInput = input
            try process.run()
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            port = line.trimmingCharacters(in: .whitespacesAndNewlines)
            try #require(!port.isEmpty, "the server did not start")
        }

        deinit {
            try? input.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }

    @Test func `names the source of the credentials, asks it without a proxy, and hides them`()
        throws
    {
        let server = try Server()
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(SigningKey.generate().privateKeyPEM).write(to: folder.appending(path: "key.p8"))
        // Nobody is at these ports.
        let connector = """
            source: {topics: [orders], group: g}
            kafka: {bootstrap.servers: "127.0.0.1:9"}
            kafka_login: {aws_msk_iam: {region: eu-west-1}}
            apns:
              endpoint: https://127.0.0.1:9
              environment: production
              key: ${file:key.p8}
              key_id: KEYKEYKEY1
              team_id: TEAMTEAM01
              bundle_id: com.example.shop
            results: {outcomes: o, unregistered: u, dead_letter: d}
            """
        try Data(connector.utf8).write(to: folder.appending(path: "orders.yaml"))
        let address = "http://127.0.0.1:\(server.port)"
        let variables = [
            "http_proxy=http://127.0.0.1:9",
            "AWS_CONTAINER_CREDENTIALS_FULL_URI=\(address)/v1/credentials",
            "AWS_CONTAINER_AUTHORIZATION_TOKEN=let me in", "HOME=/nonexistent",
        ]
        let ending = try Program.run(
            "/usr/bin/env", variables + [Program.path, "doctor", "orders.yaml"], in: folder)
        let start =
            "ok           orders: kafka login: token of AWS container credentials of \(address),"
            + " valid for 900 s; the credentials expire at 20"
        #expect(
            ending.output.split(separator: "\n").contains { $0.hasPrefix(start) },
            "\(ending.output)")
        for secret in ["let me in", "open+sesame", "t0k3n"] {
            #expect(!(ending.output + ending.errors).contains(secret), "\(secret)")
        }
    }
}
