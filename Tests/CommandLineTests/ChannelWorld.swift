import APNsSimulator
import Foundation
import Testing

/// A simulator, and a connector whose app has its channels there.
final class ChannelWorld {
    let world: SimulatorWorld
    let app = "com.example.app"

    init(apns more: String = "", delivery: String = "{request_timeout: 20s}") throws {
        world = try SimulatorWorld()
        let connector = """
            \(world.connector(for: app, apns: more))
            delivery: \(delivery)
            notification:
              device_token: ${token}
              payload: {aps: {badge: 1}}

            """
        try write(connector, to: "orders.yaml")
    }

    deinit { world.remove() }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: world.folder.appending(path: name))
    }

    /// Changes the connector file.
    func change(_ text: String, to other: String) throws {
        let file = world.folder.appending(path: "orders.yaml")
        let before = try String(contentsOf: file, encoding: .utf8)
        try #require(before.contains(text))
        try write(before.replacingOccurrences(of: text, with: other), to: "orders.yaml")
    }

    /// Replaces the key of the app by the simulator's client certificate.
    func useCertificate() throws {
        try change(
            "key: ${file:simulator/AuthKey.p8}", to: "certificate: ${file:simulator/client.pem}")
        try change("  key_id: SIMULATOR1\n", to: "")
        try change("  team_id: SIMULATEAM\n", to: "")
    }

    /// Runs `channels`, with the connector after the name of the subcommand.
    func run(
        _ verb: String, _ arguments: String..., at terminal: PseudoTerminal? = nil
    ) throws -> Program.Ending {
        try Program.run(
            Program.path, ["channels", verb, "orders.yaml"] + arguments, in: world.folder,
            at: terminal)
    }

    /// Creates a channel, and returns its ID.
    func create(_ arguments: String...) throws -> String {
        let ending = try Program.run(
            Program.path, ["channels", "create", "orders.yaml"] + arguments, in: world.folder)
        try #require(ending.code == 0, "\(ending)")
        return ending.output.trimmingCharacters(in: .newlines)
    }

    /// The channels that the simulator has.
    var channelIDs: [String] { world.server.channels.list(of: app).map(\.identifier) }

    /// Lets the simulator play a scenario.
    func play(_ scenario: String) throws {
        try world.server.begin(try Scenario.parse([UInt8](scenario.utf8), file: "scenario.yaml"))
    }
}

extension Program.Ending {
    /// The JSON object that is its whole output.
    var object: [String: Any] {
        get throws {
            try #require(
                JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any], "\(self)")
        }
    }
}
