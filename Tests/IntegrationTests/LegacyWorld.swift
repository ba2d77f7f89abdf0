import Foundation
import JSON
import Kafka
import TLS
import Testing

/// A Kafka, a bridge and an APNs simulator, and in front of them the services for legacy providers.
final class LegacyWorld {
    let world: BridgeWorld
    private(set) var gatewayRuns = 0

    init(
        _ cluster: BridgeWorld.Cluster, partitions: Int = 4, limits: String = "{payload: 256}",
        kafka: String = "", namesFingerprints: Bool = false, login: [String]? = nil
    ) throws {
        world = try BridgeWorld(cluster, partitions: partitions)
        let connection = login ?? ["bootstrap.servers: \(world.bootstrapServers)"]
        let authority = try CertificateAuthority.generate(name: "Providers")
        let server = try authority.issue()
        let client = try authority.issueClient(bundleID: "com.example.shop")
        let stranger = try authority.issueClient(bundleID: "com.example.other")
        try write("providers.pem", authority.certificatePEM)
        try write("gateway.pem", server.certificatePEM + server.keyPEM)
        try write("client.pem", client.certificatePEM + client.keyPEM)
        try write("stranger.pem", stranger.certificatePEM + stranger.keyPEM)
        let known = try CertificateDescription.all(inPEM: client.certificatePEM)[0].fingerprint
        let digits = known.map { String(format: "%02X", $0) }.joined(separator: ":")
        let clients =
            namesFingerprints
            ? "client_fingerprints: [\"\(digits)\"]" : "client_ca_file: providers.pem"
        let common = """
            listen: {port: 0, certificate: gateway.pem}
            kafka:
              \(connection.joined(separator: "\n  "))
              reconnect.backoff.max.ms: 500\(kafka)
            apps:
              shop: {bundle_id: com.example.shop, \(clients)}

            """
        let gateway = common + "topic: \(world.source)\nlimits: \(limits)\n"
        let feedback = common + "unregistered: \(world.unregistered)\ngroup: feedback\n"
        try write("a.legacy-gateway.yaml", Array(gateway.utf8))
        try write("a.feedback-service.yaml", Array(feedback.utf8))
    }

    private func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: world.folder.appending(path: name))
    }

    func path(_ name: String) -> String { world.folder.appending(path: name).path }

    /// Starts a gateway, and leaves its port where providers look for it.
    func startGateway() throws -> ServiceProcess {
        let service = try ServiceProcess("legacy-gateway", path("a.legacy-gateway.yaml"))
        try write("port", Array("\(service.port)".utf8))
        return service
    }

    func startFeedback() throws -> ServiceProcess {
        try ServiceProcess("feedback-service", path("a.feedback-service.yaml"))
    }

    /// Starts a provider.
    func provider(
        _ script: String, _ arguments: String..., python: String? = nil
    ) throws -> ProviderProcess {
        try ProviderProcess(script, arguments, python: python)
    }

    /// What stands in the topic of events: of each what the provider called it.
    func events() throws -> [LegacyEvent] {
        let reader = try TopicReader(properties: world.properties)
        return try reader.readAll(world.source, timeoutMilliseconds: 60_000).map { record in
            try LegacyEvent(record)
        }
    }

    /// Reads the topic of events again and again until every push up to `count` stands in it.
    func waitForAll(_ count: Int, seconds: Double = 300) throws {
        let end = Date(timeIntervalSinceNow: seconds)
        while try Set(events().compactMap(\.identifier)).count < count {
            try #require(Date() < end, "not all pushes are taken in time")
            waitBeforeNextLook()
        }
    }

    /// Reads a topic again and again until so many records stand in it.
    func waitFor(_ count: Int, in topic: String, seconds: Double = 300) throws {
        let end = Date(timeIntervalSinceNow: seconds)
        let reader = try TopicReader(properties: world.properties)
        while try reader.readAll(topic, timeoutMilliseconds: 60_000).count < count {
            try #require(Date() < end, "not \(count) records in \(topic) in time")
            waitBeforeNextLook()
        }
    }
}

/// An event of the gateway, as far as tests look into it.
struct LegacyEvent {
    var command: Int
    var identifier: Int?
    var key: String
    var object: [String: Any]

    init(_ record: StoredRecord) throws {
        let value = try #require(record.value)
        let read = try JSONSerialization.jsonObject(with: Data(value))
        object = try #require(read as? [String: Any])
        let legacy = try #require(object["legacy"] as? [String: Any])
        command = try #require(legacy["command"] as? Int)
        identifier = legacy["identifier"] as? Int
        key = String(decoding: record.key ?? [], as: UTF8.self)
    }
}
