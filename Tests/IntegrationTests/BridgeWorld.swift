import APNsSimulator
import Delivery
import Foundation
import JSON
import Kafka
import TLS
import Testing

/// A Kafka with fresh topics, an APNs simulator, and a connector file between them.
final class BridgeWorld {
    /// Where the topics are.
    enum Cluster {
        case real(RealKafka)
        case embedded(EmbeddedCluster)
    }

    let cluster: Cluster
    let simulator: SimulatorServer
    let folder: URL
    let file: String
    let source: String
    /// What the connector reads: the name of the topic, or a pattern.
    private let sources: String
    let outcomes: String
    let unregistered: String
    let deadLetter: String
    /// The topic of what waits for a retry; nil when the connector has none.
    let retry: String?
    let group: String
    let partitions: Int
    /// How the bridge connects to Kafka, as lines of YAML; nil for as the tests do.
    let login: [String]?
    /// After how many milliseconds without a word the group gives a member up.
    private let sessionTimeout: Int
    private(set) var published = 0

    /// Makes topics, starts the simulator, and writes the connector file; `extra` is YAML that is
    /// added to it.
    init(
        _ cluster: Cluster, partitions: Int, extra: String = "",
        behaviour: Scenario = .builtIn, sourceConfiguration: [String] = [],
        hasRetryTopic: Bool = false, readsByPattern: Bool = false, hasSource: Bool = true,
        furtherKeys: [ProviderKey] = [], login: [String]? = nil, sessionTimeout: Int = 6000
    ) throws {
        self.cluster = cluster
        self.login = login
        self.sessionTimeout = sessionTimeout
        self.partitions = partitions
        let name = "events-" + UUID().uuidString.lowercased().prefix(8)
        source = name
        sources = readsByPattern ? "'^\(name)(-.*)?$'" : name
        outcomes = "\(name).outcomes"
        unregistered = "\(name).unregistered"
        deadLetter = "\(name).dead-letter"
        retry = hasRetryTopic ? "\(name).retry" : nil
        group = "\(name)-group"
        folder = FileManager.default.temporaryDirectory.appending(path: "apns-bridge-\(name)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let identity = try SimulatorIdentity.generate()
        var configuration = SimulatorConfiguration(identity: identity, scenario: behaviour)
        configuration.furtherKeys = furtherKeys
        simulator = SimulatorServer(configuration)
        let port = try simulator.start()
        file = folder.appending(path: "events.yaml").path
        try Data(identity.authorityPEM).write(to: folder.appending(path: "ca.pem"))
        try Data(identity.authenticationKey.privateKeyPEM)
            .write(to: folder.appending(path: "AuthKey.p8"))
        try makeTopics(sourceConfiguration, hasSource: hasSource)
        try connector(port: port, identity, extra).write(
            toFile: file, atomically: true, encoding: .utf8)
    }

    deinit {
        simulator.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private func makeTopics(_ sourceConfiguration: [String], hasSource: Bool) throws {
        for topic in (hasSource ? [source] : []) + [outcomes, unregistered, deadLetter]
            + (retry.map { [$0] } ?? [])
        {
            switch cluster {
            case .real(let kafka):
                try kafka.createTopic(
                    topic, partitions: partitions,
                    configuration: topic == source ? sourceConfiguration : [])
            case .embedded(let cluster):
                try cluster.createTopic(topic, partitions: partitions)
            }
        }
    }

    private func connector(
        port: UInt16, _ identity: SimulatorIdentity, _ extra: String
    ) -> String {
        """
        source: {topics: [\(sources)], group: \(group), start: earliest}
        kafka:
          \((login ?? ["bootstrap.servers: \(bootstrapServers)"]).joined(separator: "\n  "))
          session.timeout.ms: \(sessionTimeout)
          heartbeat.interval.ms: 500
          fetch.wait.max.ms: 20
          reconnect.backoff.max.ms: 500
        apns:
          endpoint: https://localhost:\(port)
          ca_file: ca.pem
          environment: production
          key: ${file:AuthKey.p8}
          key_id: \(identity.keyID)
          team_id: \(identity.teamID)
          bundle_id: com.example.shop
          connections: 2
        results:
          outcomes: \(outcomes)
          unregistered: \(unregistered)
          dead_letter: \(deadLetter)
          \(retry.map { "retry: \($0)" } ?? "filtered: false")
        \(extra)
        """
    }

    /// The address of the cluster.
    var bootstrapServers: String {
        switch cluster {
        case .real(let kafka): kafka.bootstrapServers
        case .embedded(let cluster): cluster.bootstrapServers
        }
    }

    /// What a client needs to reach the cluster.
    var properties: KafkaProperties { ["bootstrap.servers": bootstrapServers] }

    /// Publishes canonical events, numbered on from those before.
    func publish(_ count: Int) throws {
        var writer = try RecordWriter(properties: properties)
        for number in published..<(published + count) {
            try writer.write(
                source, value: Self.event(number), partition: Int32(number % partitions))
        }
        try writer.flush(timeoutMilliseconds: 60_000)
        published += count
    }

    /// Publishes one record as it is given.
    func publish(value: [UInt8]?, key: [UInt8]? = nil) throws {
        var writer = try RecordWriter(properties: properties)
        try writer.write(source, key: key, value: value, partition: 0)
        try writer.flush()
        published += 1
    }

    /// A canonical event.
    static func event(_ number: Int) -> [UInt8] {
        let digits = String(number, radix: 16)
        let token = "a0" + String(repeating: "0", count: 62 - digits.count) + digits
        let event =
            "{\"device_token\":\"\(token)\",\"collapse_id\":\"n\(number)\","
            + "\"payload\":{\"aps\":{\"alert\":\"number \(number)\"}}}"
        return [UInt8](event.utf8)
    }

    /// Runs the bridge.
    func start(
        _ verb: String = "run", name: String = "bridge", environment: [String: String] = [:]
    ) throws -> BridgeProcess {
        try BridgeProcess([verb, file], in: folder, name: name, environment: environment)
    }

    /// How many records the group has committed.
    func committed() throws -> Int {
        let all = (0..<partitions).map {
            TopicPartition(topic: source, partition: Int32($0))
        }
        return try CommittedOffsets.read(properties: properties, group: group, partitions: all)
            .reduce(0) { $0 + Int($1.next ?? 0) }
    }

    /// Waits until so many records are committed; fails when the time is over.
    func waitUntilCommitted(
        _ count: Int, seconds: Double = 300, while process: BridgeProcess
    ) throws {
        let end = Date(timeIntervalSinceNow: seconds)
        while true {
            var problem = "not committed in time"
            do {
                if try committed() >= count { return }
            } catch let failure as KafkaFailure {
                // The coordinator of a broker that has just started may not be there yet.
                problem += ", and the offsets cannot be read: \(failure)"
            }
            try #require(process.isRunning, "the bridge ended: \(process.logged)")
            try #require(Date() < end, "\(problem): \(process.logged)")
            waitBeforeNextLook()
        }
    }

    /// Every outcome that stands on its topic.
    func readOutcomes() throws -> [BridgeOutcome] {
        let reader = try TopicReader(properties: properties)
        return try reader.readAll(outcomes, timeoutMilliseconds: 60_000).map { record in
            try #require(BridgeOutcome(record))
        }
    }
}

/// An outcome as its record contains it.
struct BridgeOutcome {
    struct Position: Hashable {
        var partition: Int64
        var offset: Int64
    }

    var position: Position
    var verdict: String
    var reason: String?
    var id: String
    var timestamp: Int64

    init?(_ record: StoredRecord) {
        guard let value = record.value,
            let object = try? JSONSerialization.jsonObject(with: Data(value)) as? [String: Any],
            let source = object["source"] as? [String: Any],
            let partition = source["partition"] as? Int64, let offset = source["offset"] as? Int64,
            let verdict = object["verdict"] as? String, let id = object["apns_id"] as? String
        else { return nil }
        position = Position(partition: partition, offset: offset)
        self.verdict = verdict
        reason = object["reason"] as? String
        self.id = id
        timestamp = record.timestamp ?? 0
    }
}
