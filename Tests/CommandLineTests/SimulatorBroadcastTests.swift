import APNsSimulator
import Foundation
import Testing

/// Broadcasts as a client of another make sends them.
@Suite(.enabled(if: Shell.has("curl"), "curl is not installed"))
struct `A simulator that curl asks for broadcasts` {
    private let world: SimulatorWorld

    init() throws { world = try SimulatorWorld() }

    /// The header lines of the response, in lower case.
    private func ask(_ path: String, _ fields: [String], body: String) throws -> [String] {
        let token = try Program.run(
            Program.path, ["simulator", "token", "--state", "simulator"], in: world.folder
        ).output.trimmingCharacters(in: .newlines)
        let headers = (["authorization: bearer \(token)"] + fields).flatMap { ["--header", $0] }
        let asked = try Program.run(
            "/usr/bin/env",
            ["curl", "--silent", "--http2", "--cacert", "simulator/ca.pem", "--dump-header", "-"]
                + headers + ["--data", body, "https://localhost:\(world.port)\(path)"],
            in: world.folder)
        return asked.output.lowercased().split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func `gives an accepted one an identifier for Apple's console`() throws {
        defer { world.remove() }
        let made = try ask(
            "/1/apps/com.example.app/channels", [],
            body: #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#)
        #expect(made.first?.contains("201") == true, "\(made)")
        #expect(!made.contains { $0.hasPrefix("apns-unique-id") })
        // In its own spelling: Base64 distinguishes upper from lower case.
        let channel = try #require(world.server.channels.list().first?.identifier)
        let sent = try ask(
            "/4/broadcasts/apps/com.example.app",
            [
                "apns-channel-id: \(channel)", "apns-push-type: liveactivity",
                "apns-priority: 10", "apns-expiration: 0",
            ], body: #"{"aps":{"event":"update","timestamp":1,"content-state":{}}}"#)
        #expect(sent.first?.contains("200") == true, "\(sent)")
        #expect(sent.contains { $0.hasPrefix("apns-request-id: ") && $0.count == 53 }, "\(sent)")
        #expect(sent.contains { $0.hasPrefix("apns-unique-id: ") && $0.count == 52 }, "\(sent)")
    }
}
