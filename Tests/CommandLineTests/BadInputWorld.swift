import APNsSimulator
import Delivery
import Foundation
import Kafka
import TLS
import Testing

/// A Kafka, an APNs simulator and a connector file with which `run` would start; a test makes one
/// thing wrong.
final class BadInputWorld {
    private static let cluster = Result { try EmbeddedCluster() }

    let folder: URL
    let topic = "orders-" + UUID().uuidString.lowercased().prefix(8)
    let simulator: SimulatorServer
    private(set) var port: UInt16 = 0
    private let cluster: EmbeddedCluster

    /// Starts a simulator and writes the files that belong to the connector.
    init(host: String = "127.0.0.1") throws {
        cluster = try Self.cluster.get()
        for name in [topic, "\(topic).outcomes", "\(topic).gone", "\(topic).dead"] {
            try cluster.createTopic(name, partitions: 1)
        }
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let identity = try SimulatorIdentity.generate()
        simulator = SimulatorServer(SimulatorConfiguration(identity: identity))
        port = try simulator.start(host: host)
        try write(identity.authorityPEM, to: "ca.pem")
        try write(identity.authenticationKey.privateKeyPEM, to: "AuthKey.p8")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.appending(path: "AuthKey.p8").path)
    }

    deinit {
        simulator.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: folder.appending(path: name))
    }

    /// The change of `writeConnector` that leaves nothing to warn of.
    static let namesBundleIDs = (
        old: "  bundle_id:",
        new: "  bundle_id: com.example.shop\n  allowed_bundle_ids: [com.example.shop]"
    )

    func createTopic(_ name: String) throws { try cluster.createTopic(name, partitions: 1) }

    /// Makes Kafka report an unknown topic.
    func hide(_ topic: String) { cluster.failTopic(topic, code: 3) }

    /// The address of the cluster.
    var bootstrapServers: String { cluster.bootstrapServers }

    /// What a client needs to reach the cluster.
    var properties: KafkaProperties { ["bootstrap.servers": bootstrapServers] }

    private var connector: String {
        """
        source:
          topics: [\(topic)]
          group: \(topic)-group
        kafka:
          bootstrap.servers: \(cluster.bootstrapServers)
        apns:
          endpoint: https://localhost:\(port)
          ca_file: ca.pem
          environment: production
          key: ${file:AuthKey.p8}
          key_id: \(SimulatorIdentity.defaultKeyID)
          team_id: \(SimulatorIdentity.defaultTeamID)
          bundle_id: com.example.shop
        results:
          outcomes: \(topic).outcomes
          unregistered: \(topic).gone
          dead_letter: \(topic).dead
        startup_deadline: 100ms

        """
    }

    /// Writes `orders.yaml`, with the line that begins as `old` written otherwise.
    func writeConnector(_ old: String = "", _ new: String = "") throws {
        var lines = connector.split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        if !old.isEmpty {
            lines[try #require(lines.firstIndex { $0.hasPrefix(old) })] = new
        }
        try write(Array(lines.joined(separator: "\n").utf8), to: "orders.yaml")
    }

    /// Runs the connector with one line of it written otherwise.
    func run(_ old: String = "", _ new: String = "") throws -> Program.Ending {
        try writeConnector(old, new)
        return try Program.run(Program.path, ["run", "orders.yaml"], in: folder)
    }

    /// Checks that the program ended with one finding and its remedy, and that nothing was read
    /// or sent.
    func expect(
        _ ending: Program.Ending, code: Int32, _ finding: String, remedy: String,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(ending.code == code, sourceLocation: location)
        #expect(ending.output.isEmpty, sourceLocation: location)
        // What may pass is retried for a moment, and the log says so.
        let lines = ending.errors.split(separator: "\n").filter {
            !$0.contains(" info ") && !$0.contains(" warning connector not started yet; retrying ")
                && !$0.contains(" error connector failed to start ")
        }
        #expect(lines.first ?? "" == finding, sourceLocation: location)
        #expect(lines.contains("  \(remedy)"), "\(lines)", sourceLocation: location)
        #expect(lines.last?.hasSuffix("Nothing was started.") == true, sourceLocation: location)
        #expect(simulator.snapshot.responses == 0, sourceLocation: location)
        let committed = try CommittedOffsets.read(
            properties: properties,
            group: "\(topic)-group", partitions: [TopicPartition(topic: topic, partition: 0)])
        #expect(committed.allSatisfy { $0.next == nil }, sourceLocation: location)
    }
}
