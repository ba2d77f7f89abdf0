import APNsSimulator
import Foundation

/// A simulator over real sockets, and what a program needs to push to it.
final class ForeignStage {
    let server: SimulatorServer
    let port: UInt16
    let bearer: String
    private let folder: URL

    init(scenario: String? = nil) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let identity = try SimulatorIdentity.kept(in: folder.path)
        let now = Int64(Date.now.timeIntervalSince1970)
        bearer = String(decoding: try identity.providerToken(issuedAt: now), as: UTF8.self)
        var configuration = SimulatorConfiguration(identity: identity)
        if let scenario {
            configuration.scenario = try Scenario.find(scenario)
        }
        server = SimulatorServer(configuration)
        port = try server.start()
        try Data(#"{"aps":{"alert":"Hello"}}"#.utf8).write(to: folder.appending(path: "body"))
    }

    /// Ends the simulator, and removes its files.
    func end() {
        server.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func url(_ token: String) -> String { "https://localhost:\(port)/3/device/\(token)" }

    /// The fields of a push as arguments, each after `option`.
    func headers(_ option: String) -> [String] {
        ["authorization: bearer \(bearer)", "apns-topic: com.example.app", "apns-push-type: alert"]
            .flatMap { [option, $0] }
    }

    /// Runs a program to its end, and returns what it has printed, errors included.
    func run(_ program: String, _ arguments: [String]) throws -> String {
        let output = folder.appending(path: UUID().uuidString)
        try Data().write(to: output)
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        let handle = try FileHandle(forWritingTo: output)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        return try String(contentsOf: output, encoding: .utf8)
    }
}
