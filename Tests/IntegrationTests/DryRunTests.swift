import APNsSimulator
import Delivery
import Foundation
import Kafka
import Testing

@Suite(.serialized) struct `A dry run` {
    private func world(extra: String = "") throws -> BridgeWorld {
        try BridgeWorld(.embedded(try EmbeddedCluster()), partitions: 2, extra: extra)
    }

    private func run(_ world: BridgeWorld, _ options: String...) throws -> String {
        let bridge = try BridgeProcess(
            ["run", "--dry-run"] + options + [world.file], in: world.folder,
            name: UUID().uuidString)
        #expect(bridge.wait() == 0, "\(bridge.logged)")
        return bridge.logged
    }

    private func totals(_ text: String) throws -> [String: Any] {
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("{") })
        return try #require(
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test func `counts what would be sent, sends nothing and commits nothing`() throws {
        let world = try world()
        try world.publish(20)
        try world.publish(value: [UInt8]("{".utf8))
        try world.publish(value: [UInt8](#"{"payload":{"aps":{"badge":1}}}"#.utf8))
        let text = try run(world)
        #expect(text.hasPrefix("events: 22 records read from \(world.source) (2 partitions)\n"))
        #expect(text.contains("  would send           20   alert 20\n"), "\(text)")
        #expect(
            text.contains("  would drop            2   missing_field 1, unparsable 1\n"),
            "\(text)")
        #expect(text.hasSuffix("Nothing was sent or committed.\n"))
        #expect(world.simulator.snapshot.responses == 0)
        #expect(try world.committed() == 0)
        #expect(try world.readOutcomes().isEmpty)
    }

    @Test func `reads the topics that match a pattern, those that appeared from their beginning`()
        throws
    {
        let cluster = try EmbeddedCluster()
        let world = try BridgeWorld(.embedded(cluster), partitions: 2, readsByPattern: true)
        let text = try String(contentsOfFile: world.file, encoding: .utf8)
            .replacing("start: earliest", with: "start: latest")
        try text.write(toFile: world.file, atomically: true, encoding: .utf8)
        try world.publish(4)
        #expect(try totals(try run(world, "--format", "json"))["records"] as? Int == 0)
        try GroupOffsets(properties: world.properties, group: world.group).commit([
            CommittedOffset(
                topicPartition: TopicPartition(topic: world.source, partition: 0), next: 1,
                metadata: "")
        ])
        try cluster.createTopic("\(world.source)-more", partitions: 1)
        var writer = try RecordWriter(properties: world.properties)
        try writer.write("\(world.source)-more", value: BridgeWorld.event(9), partition: 0)
        try writer.flush()
        // One is left in the partition with an offset, and two in the other one of its topic.
        #expect(try totals(try run(world, "--format", "json"))["records"] as? Int == 4)
    }

    @Test func `of a pattern that nothing matches reads nothing`() throws {
        let world = try BridgeWorld(
            .embedded(try EmbeddedCluster()), partitions: 2, readsByPattern: true, hasSource: false)
        let text = try run(world)
        #expect(
            text.contains("0 records read from no topic: none matches source.topics for now"),
            "\(text)")
    }

    @Test func `prints JSON`() throws {
        let world = try world()
        try world.publish(5)
        let totals = try totals(try run(world, "--format", "json"))
        #expect(totals["records"] as? Int == 5 && totals["send"] as? Int == 5)
        #expect(totals["complete"] as? Bool == true)
        #expect(totals["send_by_push_type"] as? [String: Int] == ["alert": 5])
        let partitions = try #require(totals["partitions"] as? [[String: Any]])
        #expect(partitions.compactMap { $0["end"] as? Int } == [3, 2])
    }

    @Test func `begins where the group would continue, or at the beginning if asked`() throws {
        let world = try world()
        try world.publish(10)
        let bridge = try world.start()
        try world.waitUntilCommitted(10, while: bridge)
        #expect(bridge.terminate() == 0)
        try world.publish(4)
        let sent = world.simulator.snapshot.responses
        #expect(try totals(try run(world, "--format", "json"))["records"] as? Int == 4)
        let all = try run(world, "--format", "json", "--from-beginning")
        #expect(try totals(all)["records"] as? Int == 14)
        #expect(world.simulator.snapshot.responses == sent)
        #expect(try world.committed() == 10)
    }

    @Test func `does not take partitions from a bridge that runs`() throws {
        let world = try world()
        let bridge = try world.start()
        try world.publish(4)
        try world.waitUntilCommitted(4, while: bridge)
        let before = bridge.logged.components(separatedBy: "partitions revoked").count
        _ = try run(world)
        try world.publish(4)
        try world.waitUntilCommitted(8, while: bridge)
        #expect(bridge.logged.components(separatedBy: "partitions revoked").count == before)
        #expect(bridge.terminate() == 0)
    }

    @Test func `follows the topic until it is stopped`() throws {
        let world = try world()
        try world.publish(3)
        let bridge = try BridgeProcess(
            ["run", "--dry-run", "--follow", "--format", "json", world.file], in: world.folder)
        // Longer than a dry run of what is there takes.
        for _ in 0..<3 { _ = try run(world) }
        try world.publish(3)
        for _ in 0..<3 { _ = try run(world) }
        #expect(bridge.isRunning)
        #expect(bridge.terminate() == 0)
        #expect(try totals(bridge.logged)["records"] as? Int == 6)
    }

    @Test func `says which right is missing, and how to do without it`() throws {
        let cluster = try EmbeddedCluster()
        let world = try BridgeWorld(.embedded(cluster), partitions: 2)
        try world.publish(2)
        // Each request for committed offsets gets GROUP_AUTHORIZATION_FAILED.
        cluster.failRequests(api: 9, codes: Array(repeating: 30, count: 8))
        let bridge = try BridgeProcess(["run", "--dry-run", world.file], in: world.folder)
        #expect(bridge.wait() == 78, "\(bridge.logged)")
        #expect(
            bridge.logged.hasSuffix(
                "(GROUP_AUTHORIZATION_FAILED)\n  grant this user DESCRIBE on the group, or add"
                    + " --from-beginning\n"), "\(bridge.logged)")
        let text = try run(world, "--from-beginning")
        #expect(text.contains("2 records read"))
    }

    @Test func `says what is missing`() throws {
        let cluster = try EmbeddedCluster()
        let world = try BridgeWorld(.embedded(cluster), partitions: 2)
        // Result topics need not exist.
        for topic in [world.source, world.outcomes] { cluster.failTopic(topic, code: 3) }
        let bridge = try BridgeProcess(["run", "--dry-run", world.file], in: world.folder)
        #expect(bridge.wait() == 78)
        #expect(bridge.logged.contains("error: Kafka has no topic '\(world.source)'"))
        #expect(!bridge.logged.contains(world.outcomes))
        #expect(bridge.logged.hasSuffix("Nothing was read.\n"))
    }
}
