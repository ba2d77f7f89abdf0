import Foundation
import Kafka
import Testing

@Suite struct `The compose file` {
    let file = Result { try ComposeFile.load() }

    @Test func `gives every service an address that Kafka advertises`() throws {
        let file = try file.get()
        let kafka = try file.service("kafka").environment ?? [:]
        let advertised = kafka["KAFKA_ADVERTISED_LISTENERS"]?.description ?? ""
        for name in ["topics", "bridge", "legacy-gateway", "feedback-service"] {
            let environment = try file.service(name).environment ?? [:]
            let address = try #require(environment["KAFKA_BOOTSTRAP"]).description
            #expect(advertised.contains("://\(address)"))
        }
    }

    @Test func `mounts the simulator's keys where the connector looks for them`() throws {
        let volumes = try file.get().service("bridge").volumes ?? []
        #expect(volumes.contains("./connectors:/etc/apns-bridge/connectors:ro"))
        #expect(volumes.contains("simulator:/etc/apns-bridge/simulator:ro"))
    }

    @Test func `starts the services for legacy providers only on request`() throws {
        let file = try file.get()
        let profiles = file.services.mapValues { $0.profiles ?? [] }
        let others = profiles.filter { !$0.value.isEmpty }
        #expect(others == ["legacy-gateway": ["legacy"], "feedback-service": ["legacy"]])
        for name in others.keys {
            let message = try file.service(name).command ?? []
            #expect(message.first == name)
            let path = message.last?.split(separator: "/").suffix(2).joined(separator: "/") ?? ""
            let file = ComposeFile.root.appending(path: path).path
            #expect(FileManager.default.fileExists(atPath: file), "\(path)")
        }
    }

    @Test(RealKafka.startable)
    func `brings an event to its outcome, command by command`() throws {
        let file = try file.get()
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "apns-bridge-compose-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let kafka = try RealKafka.start(properties: Self.properties(of: file))
        defer { kafka.remove() }
        let names = [
            ("/opt/kafka", try #require(RealKafka.home)), ("kafka:29092", kafka.bootstrapServers),
        ]
        let topics = try ComposeContainer("topics", of: file, in: folder, replacing: names).wait()
        try #require(topics.code == 0, "\(topics.text)")

        let simulator = try ComposeContainer(
            "simulator", of: file, in: folder,
            replacing: [
                ("--port=2197", "--port=0"), ("--admin-port=2198", "--admin-port=0"),
                ("0.0.0.0", "127.0.0.1"),
            ])
        let announcement = try simulator.waitFor("bundle_id")
        let address = try #require(announcement.firstMatch(of: /https:\/\/simulator:(\d+)/))
        let bridge = try ComposeContainer(
            "bridge", of: file, in: folder,
            replacing: names + [("simulator:2197", "localhost:\(address.1)")])

        let outcome = try Self.outcome(of: Self.example(), on: kafka)
        #expect(outcome["verdict"] as? String == "accepted")
        let end = bridge.end()
        #expect(end.code == 0, "\(end.text)")
        #expect(simulator.end().code == 0)
    }

    private static func example() throws -> [UInt8] {
        let file = ComposeFile.root.appending(path: "connectors/orders.example.json")
        return [UInt8](try Data(contentsOf: file))
    }

    /// Publishes one event and waits for its outcome.
    private static func outcome(of event: [UInt8], on kafka: RealKafka) throws -> [String: Any] {
        var writer = try RecordWriter(properties: kafka.properties)
        try writer.write("shop.orders", value: event)
        try writer.flush()
        let text = try kafka.tool(
            "kafka-console-consumer.sh",
            [
                "--bootstrap-server", kafka.bootstrapServers, "--topic", "apns.outcomes",
                "--from-beginning", "--max-messages", "1", "--timeout-ms", "60000",
            ])
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("{") }, "\(text)")
        return try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    /// The image's defaults for the variables, but with the test's own addresses.
    private static func properties(of file: ComposeFile) throws -> [String] {
        let addresses = ["LISTENER", "CONTROLLER", "NODE_ID", "PROCESS_ROLES"]
        return try (file.service("kafka").environment ?? [:]).compactMap { name, value in
            if addresses.contains(where: name.contains) { return nil }
            let key = name.dropFirst("KAFKA_".count).lowercased()
                .split(separator: "_").joined(separator: ".")
            return "\(key)=\(value)"
        }
    }
}
