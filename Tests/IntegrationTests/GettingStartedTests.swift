import Foundation
import Kafka
import Testing

/// What a reader needs beside Kafka's own tools.
private enum ReadersTools {
    static var areThere: Bool {
        ["kcat", "curl", "openssl", "python3"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
        }
    }
}

/// The article for new users: its commands are run as a reader would run them, in one shell.
@Suite(
    RealKafka.startable,
    .enabled(if: ReadersTools.areThere, "needs kcat, curl, openssl and python3"))
struct `The article about getting started` {
    /// What stands in the article's blocks of a kind.
    private static func blocks(_ kind: String) throws -> [String] {
        let article = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Bridge/Documentation.docc/GettingStarted.md")
        return try String(contentsOf: article.standardizedFileURL, encoding: .utf8)
            .components(separatedBy: "```\(kind)\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
    }

    /// The commands, with ports, topics and a group that no other test uses.
    private static func script(_ kafka: RealKafka, port: UInt16, page: UInt16) throws -> String {
        let name = RealKafka.uniqueName("started")
        let commands = try blocks("sh").joined()
            .replacing("localhost:9092", with: kafka.bootstrapServers)
            .replacing("simulator --state", with: "simulator --port 2197 --admin-port 2198 --state")
            .replacing("2197", with: "\(port)").replacing("2198", with: "\(page)")
            .replacing("shop.orders", with: "\(name).orders")
            .replacing("apns.", with: "\(name).").replacing("apns-orders", with: name)
        return "set -euo pipefail\ntrap 'kill $(jobs -p)' EXIT\n" + commands
    }

    private func run(_ script: String) throws -> (code: Int32, output: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "output.txt")
        try Data().write(to: file)
        let output = try FileHandle(forWritingTo: file)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["bash", "-c", script]
        process.currentDirectoryURL = folder
        process.standardOutput = output
        process.standardError = output
        let own = BridgeProcess.executable.deletingLastPathComponent().path
        let kafka = try #require(RealKafka.home) + "/bin"
        process.environment = ProcessInfo.processInfo.environment
            .merging(["PATH": "\(own):\(kafka):/usr/bin:/bin"]) { $1 }
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, try String(contentsOf: file, encoding: .utf8))
    }

    @Test func `shows commands that work, with what they print`() throws {
        let (port, page) = (try RealKafka.freePort(), try RealKafka.freePort())
        let ending = try run(try Self.script(try RealKafka.shared(), port: port, page: page))
        #expect(ending.code == 0, "\(ending.output)")
        let output = ending.output.replacing("localhost:\(port)", with: "localhost:2197")
        for line in try Self.blocks("text").joined().split(separator: "\n") {
            #expect(output.contains(line), "\(line)\nis not in\n\(output)")
        }
        #expect(ending.output.contains(#""lock_screen":[{"app":"com.example.shop","title":"Order"#))
    }
}
