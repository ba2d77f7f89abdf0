import APNsSimulator
import Foundation
import Testing

@Suite struct `The shipped connectors` {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../connectors").standardizedFileURL

    static let names = [
        "avro-orders", "badge", "breaking-news", "campaign", "chat", "debezium-outbox",
        "debezium-table", "devices", "live-activity", "live-activity-broadcast", "login-codes",
        "mdm", "orders", "protobuf-orders", "providers", "refresh", "voip", "wallet",
    ]

    /// Files for legacy providers among them.
    static let others = ["providers.feedback-service.yaml", "providers.legacy-gateway.yaml"]

    /// A copy of the folder with the simulator's keys beside it, as the README makes them.
    private static func copy() throws -> URL {
        let location = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: location, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: folder, to: location.appending(path: "connectors"))
        let state = location.appending(path: "simulator").path
        _ = try SimulatorIdentity.kept(in: state, further: [.management, .pass])
        return location
    }

    @Test func `come with a test and an example each`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        let endings = ["example.json", "test.yaml", "yaml"]
        let expected =
            Self.names.flatMap { name in endings.map { "\(name).\($0)" } } + Self.others
        #expect(files.sorted() == expected.sorted())
    }

    @Test func `have no error and no warning`() throws {
        let location = try Self.copy()
        defer { try? FileManager.default.removeItem(at: location) }
        let ending = try Program.run(
            Program.path, ["lint", "--strict", "connectors"], in: location)
        #expect(ending.output == "")
        #expect(ending.code == 0)
    }

    @Test func `pass their own tests without a key, from any folder`() throws {
        let ending = try Program.run("test", Self.folder.path)
        #expect(ending.code == 0, "\(ending.output)\(ending.errors)")
        let lines = ending.output.split(separator: "\n")
        #expect(lines.count == Self.names.count)
        #expect(lines.allSatisfy { $0.hasPrefix("PASS  ") })
    }

    @Test(arguments: names) func `render their example event`(name: String) throws {
        let ending = try Program.run(
            Program.path, ["render", "\(name).yaml", "\(name).example.json"], in: Self.folder)
        #expect(ending.code == 0, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains("Would send"))
    }
}
