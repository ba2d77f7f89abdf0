import APNsSimulator
import Delivery
import Foundation
import Kafka
import Testing

@Suite(.serialized) struct `The verb bench` {
    private func expect(
        _ ending: Program.Ending, code: Int32, says line: String,
        at location: SourceLocation = #_sourceLocation
    ) {
        #expect(ending.code == code, "\(ending.errors)", sourceLocation: location)
        let last = ending.errors.split(separator: "\n").last ?? ""
        #expect(last.contains(line), "\(ending.errors)", sourceLocation: location)
    }

    private func json(_ ending: Program.Ending) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
        return try #require(object as? [String: Any])
    }

    @Test func `measures a backlog and an even rate, for programs`() throws {
        let ending = try Program.run(
            "bench", "--events", "2000", "--rate", "100", "--seconds", "1", "--format", "json")
        let report = try json(ending)
        #expect(report["connector"] as? String == "built-in")
        #expect(report["event_bytes"] as? Int == 450)
        #expect(report["h2load"] is NSNull)
        let backlog = try #require(report["backlog"] as? [String: Any])
        #expect(backlog["accepted"] as? Int ?? 0 >= 2000)
        #expect(backlog["rejected"] as? Int == 0)
        #expect(backlog["pushes_per_second"] as? Double ?? 0 > 0)
        #expect(backlog["too_short"] is Bool)
        #expect(backlog["memory_bytes"] as? Int ?? 0 > 1_000_000)
        let costs = try #require(backlog["processor_us_per_push"] as? [String: [String: Double]])
        #expect(costs.keys.sorted() == ["bench", "bridge", "librdkafka", "simulator", "worker"])
        #expect(costs["bridge"]?.keys.sorted() == ["all", "busiest_thread", "kernel", "user"])
        let limit = try #require(backlog["limit"] as? [String: Any])
        #expect((limit["name"] as? String)?.isEmpty == false)
        #expect((limit["action"] as? String)?.isEmpty == false)
        #expect(limit["pushes_to_send"] is Double && limit["most_pushes_to_send"] as? Int == 512)
        let paced = try #require(report["paced"] as? [String: Any])
        #expect(paced["events_per_second"] as? Int == 100)
        // A busy machine may not hold the rate, and says so.
        let isHeld = try #require(paced["held"] as? Bool)
        #expect(ending.code == (isHeld ? 0 : 1), "\(ending.errors)")
        let latency = try #require(paced["latency_ms"] as? [String: [String: Int]])
        #expect(latency["event_to_outcome"]?["count"] == 100)
        let steps = ["p50", "p90", "p99", "p99_9", "max"]
        let values = steps.compactMap { latency["event_to_outcome"]?[$0] }
        #expect(values.count == steps.count)
        #expect(values == values.sorted())
    }

    @Test(arguments: ["orders", "live-activity-broadcast"])
    func `measures a connector file with its example, for people`(name: String) throws {
        let connector = `The shipped connectors`.folder.appending(path: "\(name).yaml").path
        let ending = try Program.run("bench", connector, "--events", "500", "--rate", "0")
        #expect(ending.code == 0, "\(ending.errors)")
        let lines = ending.output.split(separator: "\n").map(String.init)
        #expect(lines.first?.hasPrefix("connector  \(connector): 1 worker, ") == true)
        #expect(lines.first?.hasSuffix(" connections at the end") == true)
        #expect(lines.contains("kafka      embedded: 8 partitions"))
        #expect(lines.contains("  outcomes   500 accepted"))
        #expect(lines.contains { $0.hasPrefix("  limit      ") })
        #expect(!lines.contains { $0.hasPrefix("paced") })
    }

    @Test func `says which rate was reached when one cannot be held`() throws {
        let ending = try Program.run(
            "bench", "--events", "200", "--rate", "1000000000", "--seconds", "1")
        expect(ending, code: 1, says: "error: the rate of 1000000000/s cannot be held: ")
        #expect(ending.errors.contains(/held: [1-9]\d*\/s were reached; lower --rate, or \w/))
        #expect(ending.errors.contains(/or (lift the limit|raise --events)/))
        #expect(ending.output.contains("paced at 1000000000 events per second, of which "))
    }

    @Test func `compares with h2load on the same simulator`() throws {
        let ending = try Program.run(
            "bench", "--events", "1000", "--rate", "0", "--compare", "h2load", "--json")
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/h2load") else {
            return expect(ending, code: 69, says: "error: h2load is not installed: install it")
        }
        #expect(ending.code == 0, "\(ending.errors)")
        let h2load = try #require(json(ending)["h2load"] as? [String: Any])
        #expect(h2load["succeeded"] as? Int == 1000)
        #expect(h2load["requests_per_second"] as? Double ?? 0 > 0)
    }

    @Test func `says how to install h2load before it measures anything`() throws {
        let ending = try Program.run(
            "/usr/bin/env",
            ["PATH=/nowhere", Program.path, "bench", "--compare", "h2load", "--events", "1"])
        expect(ending, code: 69, says: "error: h2load is not installed: install it (on Debian: apt")
        #expect(ending.output.isEmpty)
    }

    @Test func `says that a connector, an event or a simulator's folder is not there`() throws {
        expect(
            try Program.run("bench", "no/such.yaml"), code: 66,
            says: "name a connector file or a folder of them")
        expect(
            try Program.run("bench", "--event", "no/such.json"), code: 66,
            says: "error: the event no/such.json cannot be read: no such file or directory")
        expect(
            try Program.run(
                "bench", "--endpoint", "https://localhost:1", "--state", "no/such/folder"),
            code: 66, says: "is not the state folder of a simulator: pass the one of the simulator")
    }

    @Test func `publishes no event that the connector would drop or filter`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let connector = `The shipped connectors`.folder.appending(path: "orders.yaml").path
        let event = folder.appending(path: "event.json")
        try Data(#"{"type":"order.paid"}"#.utf8).write(to: event)
        expect(
            try Program.run("bench", connector, "--event", event.path), code: 65,
            says: "error: \(event.path) is skipped by 'when'")
        try Data(
            """
            {"type":"order.shipped","order":{"id":1},"expires_at":1767276000,
             "customer":{"name":"Ana","device":{"token":"a1b2c3d4"}}}
            """.utf8
        ).write(to: event)
        expect(
            try Program.run("bench", connector, "--event", event.path), code: 65,
            says: "error: \(event.path) would be dropped as expired: it expired at 2026-01-01T")
    }
}

@Suite(.serialized) struct `The verb bench on a Kafka that is not its own` {
    private let cluster: EmbeddedCluster
    private var properties: KafkaProperties {
        ["bootstrap.servers": cluster.bootstrapServers]
    }

    init() throws {
        cluster = try EmbeddedCluster()
        for name in ["events", "outcomes", "unregistered", "dead-letter"] {
            try cluster.createTopic("mine.\(name)", partitions: 2)
        }
    }

    private func bench(_ arguments: String...) throws -> Program.Ending {
        try Program.run(
            Program.path,
            ["bench", "--bootstrap", cluster.bootstrapServers, "--topics", "mine"] + arguments)
    }

    @Test func `refuses a topic that is not empty`() throws {
        var writer = try RecordWriter(properties: properties)
        try writer.write("mine.events", value: [1])
        try writer.flush()
        let ending = try bench("--events", "10")
        #expect(ending.code == 78)
        #expect(
            ending.errors == "error: the topic 'mine.events' is not empty, it has 1 record: delete"
                + " it, or choose other topics with --topics PREFIX\n")
        let outcomes = try TopicReader(properties: properties).readAll("mine.outcomes")
        #expect(outcomes.isEmpty)
    }

    @Test func `refuses more workers than there are partitions`() throws {
        let ending = try bench("--workers", "3")
        #expect(ending.code == 78)
        #expect(
            ending.errors == "error: 3 workers cannot share the 2 partitions of the events: pass"
                + " --workers 2 or fewer, or give the topic 'mine.events' 3 partitions\n")
        let other = try Program.run("bench", "--workers", "3", "--partitions", "2")
        #expect(other.code == 78)
        #expect(
            other.errors == "error: 3 workers cannot share the 2 partitions of the events: pass"
                + " --workers 2 or fewer, or --partitions 3\n")
    }

    @Test func `uses topics that exist and the simulator it is given, and leaves both`() throws {
        let simulator = try SimulatorProcess([])
        let state = simulator.folder.appending(path: "state").path
        let ending = try bench(
            "--events", "300", "--rate", "0", "--endpoint", simulator.endpoint, "--state", state)
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.output.contains("  outcomes   300 accepted\n"))
        #expect(ending.output.contains("apns       localhost:"))
        let reader = try TopicReader(properties: properties)
        #expect(try reader.readAll("mine.events").count == 300)
        #expect(try reader.readAll("mine.outcomes").count == 300)
    }

    @Test func `names a Kafka that cannot be reached`() throws {
        let peer = try WrongPeer(.refuses)
        let ending = try Program.run("bench", "--bootstrap", "127.0.0.1:\(peer.port)")
        #expect(ending.code == 69)
        #expect(
            ending.errors.hasPrefix(
                "error: no connection to Kafka at 127.0.0.1:\(peer.port): "), "\(ending.errors)")
        #expect(ending.errors.hasSuffix(": start Kafka there, or correct --bootstrap\n"))
        #expect(ending.errors.split(separator: "\n").count == 1)
    }

    @Test func `names an endpoint that cannot be reached`() throws {
        let peer = try WrongPeer(.refuses)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        _ = try SimulatorIdentity.kept(in: folder.path)
        let ending = try bench(
            "--events", "10", "--endpoint", "https://127.0.0.1:\(peer.port)", "--state",
            folder.path)
        #expect(ending.code == 69, "\(ending.errors)")
        let line =
            "error: no connection to APNs at 127.0.0.1:\(peer.port): connect: connection refused:"
            + " start the server there, or correct the address in --endpoint"
        #expect(ending.errors.split(separator: "\n").last.map(String.init) == line)
        #expect(!ending.errors.contains("SIGHUP"), "\(ending.errors)")
        #expect(ending.output.isEmpty)
    }

    @Test func `stops and cleans up when it is asked to`() throws {
        let program = try RunningProgram(
            [
                "bench", "--events", "100000000", "--bootstrap", cluster.bootstrapServers,
                "--topics", "mine",
            ], in: FileManager.default.temporaryDirectory)
        #expect(program.listen(until: "filling"))
        program.send(SIGTERM)
        #expect(program.exitCode == 128 + SIGTERM)
    }
}
