import Foundation
import Kafka
import Testing

@Suite(RealKafka.available) struct `The option --create-topics on a real Kafka` {
    private struct Missing {
        let world: BridgeWorld
        let name = RealKafka.uniqueName("made")
        var outcomes: String { "\(name).outcomes" }
        var unregistered: String { "\(name).gone" }
        var deadLetter: String { "\(name).dead" }
        var replay: String { "\(name).replay" }

        /// A connector whose result topics do not exist.
        init(partitions: Int = 3) throws {
            world = try BridgeWorld(.real(RealKafka.shared()), partitions: partitions)
            let text = try String(contentsOfFile: world.file, encoding: .utf8)
                .replacing(world.outcomes, with: "\(name).outcomes")
                .replacing(world.unregistered, with: "\(name).gone")
                .replacing(world.deadLetter, with: "\(name).dead")
                .replacing("source: {", with: "source: {replay: \(name).replay, ")
            try text.write(toFile: world.file, atomically: true, encoding: .utf8)
        }

        func run(_ options: String..., name: String = "bridge") throws -> BridgeProcess {
            try BridgeProcess(["run"] + options + [world.file], in: world.folder, name: name)
        }

        func found() throws -> ClusterDescription {
            try ClusterInspection.describe(
                properties: world.properties, topics: [outcomes, unregistered, deadLetter, replay],
                timeoutMilliseconds: 10_000)
        }
    }

    @Test func `makes what is missing, and the bridge then runs with it`() throws {
        let missing = try Missing()
        try missing.world.publish(6)
        let bridge = try missing.run("--create-topics", "--replication-factor", "1")
        try missing.world.waitUntilCommitted(6, while: bridge)
        #expect(bridge.terminate() == 0)
        let found = try missing.found()
        #expect(
            found.topics == [
                missing.outcomes: .partitions(3), missing.unregistered: .partitions(3),
                missing.deadLetter: .partitions(3), missing.replay: .partitions(3),
            ])
        #expect(found.settings[missing.unregistered]?.isCompacted == true)
        #expect(found.settings[missing.deadLetter] == TopicSettings(retention: 2_592_000_000))
        #expect(found.settings[missing.replay] == TopicSettings(retention: 604_800_000))
        #expect(bridge.logged.components(separatedBy: "info topic created ").count == 5)
    }

    @Test func `makes what is missing with a command that ends, and none the second time`() throws {
        let missing = try Missing()
        for count in [4, 0] {
            let command = try BridgeProcess(
                ["create-topics", "--replication-factor", "1", missing.world.file],
                in: missing.world.folder, name: "creation-\(count)")
            #expect(command.wait() == 0, "\(command.logged)")
            let lines = command.logged.components(separatedBy: "info topic created ").count - 1
            #expect(lines == count)
        }
        let found = try missing.found()
        #expect(found.topics.values.allSatisfy { $0.partitionCount == 3 })
        #expect(found.settings[missing.unregistered]?.isCompacted == true)
    }

    @Test func `leaves what exists as it is`() throws {
        let missing = try Missing()
        try RealKafka.shared().createTopic(
            missing.unregistered, partitions: 2, configuration: ["retention.ms=60000"])
        let bridge = try missing.run("--create-topics")
        try missing.world.publish(3)
        try missing.world.waitUntilCommitted(3, while: bridge)
        #expect(bridge.terminate() == 0)
        let found = try missing.found()
        #expect(found.topics[missing.unregistered] == .partitions(2))
        #expect(found.settings[missing.unregistered] == TopicSettings(retention: 60_000))
    }

    @Test func `creates nothing if the replication factor exceeds the brokers`() throws {
        let missing = try Missing()
        let bridge = try missing.run("--create-topics", "--replication-factor", "7")
        #expect(bridge.wait() == 69)
        let message = bridge.logged
        #expect(message.contains("error: Kafka cannot create the topic '\(missing.outcomes)': "))
        #expect(message.contains("  write --replication-factor with at most the number of brokers"))
        #expect(message.hasSuffix("Nothing was started.\n"))
        let found = try missing.found()
        #expect(found.topics.values.allSatisfy { $0.partitionCount == 0 })
    }

    @Test func `is fine with another member that creates the same topics meanwhile`() throws {
        let missing = try Missing(partitions: 2)
        let first = try missing.run("--create-topics", name: "first")
        let second = try missing.run("--create-topics", name: "second")
        try missing.world.publish(4)
        try missing.world.waitUntilCommitted(4, while: first)
        #expect(first.terminate() == 0, "\(first.logged)")
        #expect(second.terminate() == 0, "\(second.logged)")
        #expect(try missing.found().topics[missing.outcomes] == .partitions(2))
    }

    @Test func `creates nothing while a source topic is missing`() throws {
        let missing = try Missing()
        let text = try String(contentsOfFile: missing.world.file, encoding: .utf8)
            .replacing("topics: [\(missing.world.source)]", with: "topics: [no.such.source]")
        try text.write(toFile: missing.world.file, atomically: true, encoding: .utf8)
        let bridge = try missing.run("--create-topics")
        #expect(bridge.wait() == 69)
        let command = try BridgeProcess(
            ["create-topics", missing.world.file], in: missing.world.folder, name: "creation")
        #expect(command.wait() == 78)
        for one in [bridge, command] {
            #expect(one.logged.contains("error: Kafka has no topic 'no.such.source'"))
            #expect(!one.logged.contains(missing.outcomes))
        }
        #expect(try missing.found().topics.values.allSatisfy { $0.partitionCount == 0 })
    }
}
