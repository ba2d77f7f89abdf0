import APNsSimulator
import Delivery
import Foundation
import JSON
import Kafka
import Testing

/// Two apps between a real Kafka and a simulator: shop pushes with a key, pay with a certificate.
final class TwoAppsWorld {
    /// The apps' bundle identifiers; pay's is the one that the simulator's certificate is for.
    static let bundleIDs = ["shop": "com.example.shop", "pay": "com.example.app"]
    private static let partitions: Int32 = 2

    let simulator: SimulatorServer
    let unregistered: String
    let deadLetter: String
    private let kafka: RealKafka
    private let folder: URL
    private let name = RealKafka.uniqueName("apps")
    private let sources: [String: String]
    private let outcomes: String
    private var published: [String: Int] = [:]

    /// Makes topics, one for each app or one for both, starts the simulator, and writes the
    /// connector file; `delivery` is YAML, the inside of that block.
    init(sharingTopic isShared: Bool, delivery: String) throws {
        kafka = try RealKafka.shared()
        let name = name
        sources = Self.bundleIDs.keys.reduce(into: [:]) {
            $0[$1] = isShared ? name : "\(name).\($1)"
        }
        outcomes = "\(name).outcomes"
        unregistered = "\(name).unregistered"
        deadLetter = "\(name).dead-letter"
        folder = FileManager.default.temporaryDirectory.appending(path: "apns-bridge-\(name)")
        let identity = try SimulatorIdentity.kept(in: folder.path)
        simulator = SimulatorServer(SimulatorConfiguration(identity: identity))
        for topic in Set(sources.values).union([outcomes, unregistered, deadLetter]) {
            try kafka.createTopic(topic, partitions: Int(Self.partitions))
        }
        try simulator.begin(try Self.scenario("latency: 20ms"))
        let port = try simulator.start()
        try connector(port: port, identity, delivery)
            .write(toFile: file, atomically: true, encoding: .utf8)
    }

    deinit {
        simulator.stop()
        try? FileManager.default.removeItem(at: folder)
    }

    private var file: String { folder.appending(path: "apps.yaml").path }

    private func connector(
        port: UInt16, _ identity: SimulatorIdentity, _ delivery: String
    ) -> String {
        """
        source: {topics: [\(Set(sources.values).sorted().joined(separator: ", "))], group: \(name)}
        kafka: {bootstrap.servers: "\(kafka.bootstrapServers)", fetch.wait.max.ms: 20}
        apns:
          endpoint: https://localhost:\(port)
          ca_file: ca.pem
          environment: production
          connections: 2
          apps:
            shop:
              bundle_id: com.example.shop
              key: ${file:AuthKey.p8}
              key_id: \(identity.keyID)
              team_id: \(identity.teamID)
            pay: {bundle_id: com.example.app, certificate: client.pem}
        results: {outcomes: \(outcomes), unregistered: \(unregistered), dead_letter: \(deadLetter)}
        delivery: {\(delivery)}

        """
    }

    static func scenario(_ text: String) throws -> Scenario {
        try Scenario.parse([UInt8](text.utf8), file: "scenario.yaml")
    }

    // MARK: Kafka

    private var properties: KafkaProperties { kafka.properties }

    /// Publishes so many events for each app, by turns.
    func publish(_ count: Int) throws {
        var writer = try RecordWriter(properties: properties)
        for _ in 0..<count {
            for app in Self.bundleIDs.keys.sorted() {
                let number = published[app, default: 0]
                published[app] = number + 1
                try writer.write(
                    try #require(sources[app]), value: Self.event(number, to: app),
                    partition: Int32(number) % Self.partitions)
            }
        }
        try writer.flush(timeoutMilliseconds: 60_000)
    }

    private static func event(_ number: Int, to app: String) -> [UInt8] {
        let digits = String(number, radix: 16)
        let token = (app == "pay" ? "a1" : "a0") + String(repeating: "0", count: 62 - digits.count)
        let event =
            "{\"device_token\":\"\(token)\(digits)\",\"collapse_id\":\"\(app)-\(number)\","
            + "\"bundle_id\":\"\(bundleIDs[app] ?? "")\","
            + "\"payload\":{\"aps\":{\"alert\":\"number \(number)\"}}}"
        return [UInt8](event.utf8)
    }

    func start() throws -> BridgeProcess { try BridgeProcess(["run", file], in: folder) }

    /// Waits until so many records are committed, of the topics of these apps together.
    func waitUntilCommitted(
        _ count: Int, of apps: [String] = ["shop", "pay"], while process: BridgeProcess
    ) throws {
        let all = Set(apps.compactMap { sources[$0] }).flatMap { topic in
            (0..<Self.partitions).map { TopicPartition(topic: topic, partition: $0) }
        }
        let end = Date(timeIntervalSinceNow: 180)
        var committed = 0
        while committed < count {
            try #require(process.isRunning, "the bridge ended: \(process.logged.suffix(4000))")
            try #require(Date() < end, "not in time, \(committed): \(process.logged.suffix(4000))")
            waitBeforeNextLook()
            committed = try CommittedOffsets.read(
                properties: properties, group: name, partitions: all
            ).reduce(0) { $0 + Int($1.next ?? 0) }
        }
    }

    /// How many records have been published, of both apps.
    var total: Int { published.values.reduce(0, +) }

    func readOutcomes() throws -> [AppOutcome] {
        try TopicReader(properties: properties).readAll(outcomes, timeoutMilliseconds: 60_000).map {
            try #require(AppOutcome($0))
        }
    }

    func count(of topic: String) throws -> Int {
        try TopicReader(properties: properties).readAll(topic).count
    }
}

/// What an outcome says of a push to one of the apps.
struct AppOutcome {
    var position: String
    var app: String
    var verdict: String
    var respondedAt: String

    init?(_ record: StoredRecord) {
        guard let value = record.value,
            let object = try? JSONSerialization.jsonObject(with: Data(value)) as? [String: Any],
            let source = object["source"] as? [String: Any],
            let topic = source["topic"] as? String,
            let partition = source["partition"] as? Int64, let offset = source["offset"] as? Int64,
            let app = object["bundle_id"] as? String, let verdict = object["verdict"] as? String
        else { return nil }
        position = "\(topic)/\(partition)/\(offset)"
        self.app = app
        self.verdict = verdict
        respondedAt = object["answered_at"] as? String ?? ""
    }
}
