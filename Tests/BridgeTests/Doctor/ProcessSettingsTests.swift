import Configuration
import Foundation
import Synchronization
import Testing

@testable import Bridge

@Suite struct `An examination of bridge.yaml` {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "d\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func findings(_ text: String) async throws -> [DoctorFinding] {
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "bridge.yaml")
        try Data("\(text)\n".utf8).write(to: file)
        let (settings, diagnostics) = ProcessFile.load(
            [folder.path], settings: nil, environment: [:])
        let process = try #require(settings, "\(diagnostics)")
        let found = Mutex<[DoctorFinding]>([])
        await Doctor.examine(process, version: "1") { finding in
            found.withLock { $0.append(finding) }
        }
        return found.withLock { $0 }
    }

    @Test func `finds nothing to check where nothing is set`() async throws {
        #expect(try await findings("log: {level: info}") == [])
    }

    @Test func `finds a port that is available`() async throws {
        #expect(
            try await findings("admin: {listen: '127.0.0.1:0'}") == [
                DoctorFinding(nil, "admin 127.0.0.1:0", .passed, "any free port is available")
            ])
    }

    @Test func `warns of a port in use, which the bridge itself may have`() async throws {
        let other = try PortInUse()
        let found = try await findings("admin: {listen: '127.0.0.1:\(other.number)'}")
        let finding = try #require(found.first)
        #expect(finding.result == .warning)
        let message = "cannot listen on 127.0.0.1:\(other.number): address already in use"
        #expect(finding.detail.hasPrefix(message))
        #expect(finding.detail.hasSuffix("bridge.yaml:1)"))
        #expect(
            finding.action
                == "nothing to do if the bridge is running already; otherwise stop what listens"
                + " there (ss -ltnp), or write another port")
    }

    @Test func `fails for an address that is not of this machine`() async throws {
        try Data("secret-of-16-bytes\n".utf8).write(to: folder.appending(path: "token"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.appending(path: "token").path)
        let found = try await findings(
            "admin: {listen: '192.0.2.1:8080', token_file: token}")
        #expect(found.map(\.check) == ["admin 192.0.2.1:8080", "admin token"])
        #expect(found.map(\.result) == [.failed, .passed])
        #expect(found.first?.action == "write an address of this machine")
    }

    @Test func `leaves no socket behind, and knows that systemd makes its folder`() async throws {
        let found = try await findings("admin: {listen: 'unix:admin.sock'}")
        #expect(found.map(\.result) == [.passed])
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "admin.sock").path))
    }

    @Test func `knows that systemd makes the folder of a socket`() async throws {
        let found = try await findings("admin: {listen: 'unix:later/admin.sock'}")
        #expect(found.map(\.result) == [.warning])
        #expect(found.first?.action?.contains("RuntimeDirectory=") == true)
    }

    @Test func `asks the collector of traces, with a batch that has no spans`() async throws {
        let collector = Collector()
        let url = try collector.start()
        let found = try await findings("telemetry: {otlp: '\(url)'}")
        #expect(
            found == [
                DoctorFinding(nil, "telemetry \(url)", .passed, "the collector responds 200")
            ])
        let request = try #require(await collector.requests { !$0.isEmpty }.first)
        #expect(request.faults.isEmpty && request.spans.isEmpty)
    }

    @Test func `warns of a collector that is away or refuses, because pushes continue`()
        async throws
    {
        let collector = Collector(statuses: [401])
        let url = try collector.start()
        let refused = try await findings("telemetry: {otlp: '\(url)'}")
        #expect(refused.map(\.result) == [.warning])
        #expect(refused.first?.detail == "the collector responds 401")
        #expect(refused.first?.action?.contains("telemetry.otlp in bridge.yaml") == true)
    }

    @Test func `warns of a collector that does not listen`() async throws {
        let peer = try PortInUse(listens: false)
        let url = "http://127.0.0.1:\(peer.number)/x"
        let found = try await findings("telemetry: {otlp: '\(url)?key=a'}")
        #expect(found.map(\.check) == ["telemetry \(url)"])
        #expect(found.map(\.result) == [.warning])
        #expect(found.first?.detail.hasPrefix("no response from the collector: ") == true)
    }
}
