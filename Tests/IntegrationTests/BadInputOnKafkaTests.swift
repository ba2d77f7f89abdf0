import APNsSimulator
import Delivery
import Foundation
import Kafka
import Testing

@Suite(RealKafka.available) struct `A connector with wrong topics on a real Kafka` {
    @Test func `does not start, and the error shows how to create each missing topic`() throws {
        let world = try BridgeWorld(.real(RealKafka.shared()), partitions: 1)
        try world.publish(1)
        let text = try String(contentsOfFile: world.file, encoding: .utf8)
            .replacing(world.outcomes, with: "nothing.outcomes")
            .replacing(world.unregistered, with: "nothing.gone")
        try text.write(toFile: world.file, atomically: true, encoding: .utf8)
        let bridge = try world.start()
        #expect(bridge.wait() == 69)
        let line =
            try #require(
                text.split(separator: "\n").firstIndex { $0.hasPrefix("results:") }) + 1
        let tool =
            "create it: kafka-topics.sh --bootstrap-server \(world.bootstrapServers) --create"
        let choice =
            ", or run 'apns-bridge create-topics' with this file, or start with --create-topics"
        let lines = bridge.logged.split(separator: "\n").map(String.init)
            .filter { !$0.contains(" info ") }
        #expect(
            lines == [
                "\(world.file):\(line + 1):13: error: Kafka has no topic 'nothing.outcomes'",
                "  \(tool) --topic nothing.outcomes --partitions 1"
                    + " --config cleanup.policy=delete\(choice)",
                "\(world.file):\(line + 2):17: error: Kafka has no topic 'nothing.gone'",
                "  \(tool) --topic nothing.gone --partitions 1 --config cleanup.policy=compact"
                    + choice,
                "Nothing was started.",
            ])
        #expect(try world.committed() == 0)
        #expect(world.simulator.snapshot.responses == 0)
    }
}

@Suite(RealKafka.available) struct `The verb doctor on a real Kafka` {
    @Test func `reads the topics, their settings and the group of a good connector`() throws {
        let world = try BridgeWorld(.real(RealKafka.shared()), partitions: 2)
        try world.publish(1)
        let doctor = try world.start("doctor")
        #expect(doctor.wait() == 0, "\(doctor.logged)")
        let lines = doctor.logged
        #expect(lines.contains(" checks: 0 failed, "), "\(lines)")
        let advice = ": topic settings: the topic '\(world.unregistered)' is not compacted: "
        #expect(lines.contains(advice), "\(lines)")
        #expect(lines.contains("committed offsets for 0 of 2 partitions"), "\(lines)")
        #expect(try world.committed() == 0)
        #expect(world.simulator.snapshot.responses == 0)
    }

    @Test func `warns of a high share of dead letters in the last hour`() throws {
        let kafka = try RealKafka.shared()
        let world = try BridgeWorld(.real(kafka), partitions: 2)
        try world.publish(40)
        let hour = Int64(Date().timeIntervalSince1970 * 1000) - 3_600_000
        var writer = try RecordWriter(properties: ["bootstrap.servers": kafka.bootstrapServers])
        func examine(
            writing count: Int, of connector: String = "events", age: Int64
        ) throws -> String {
            for offset in 0..<count {
                try writer.write(
                    world.deadLetter, value: [0x78],
                    headers: Self.headers(of: connector, offset: offset), timestamp: hour + age)
            }
            try writer.flush()
            let doctor = try world.start("doctor")
            #expect(doctor.wait() == 0, "\(doctor.logged)")
            return doctor.logged
        }
        let check = "dead letters \(world.deadLetter): "
        #expect(try !examine(writing: 3, age: -60_000).contains(check))
        let few = try examine(writing: 2, age: 60_000)
        #expect(few.contains("\(check)2 dead letters in the last hour, for 40 events"), "\(few)")
        let many = try examine(writing: 1, age: 120_000)
        #expect(many.contains("\(check)3 dead letters in the last hour, for 40 events"), "\(many)")
        #expect(many.contains("look at their header apns-bridge-reason"), "\(many)")
        #expect(!few.contains("look at their header apns-bridge-reason"), "\(few)")
    }

    @Test func `counts only its connector's dead letters in a topic that others share`() throws {
        let kafka = try RealKafka.shared()
        let world = try BridgeWorld(.real(kafka), partitions: 2)
        try world.publish(40)
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        var writer = try RecordWriter(properties: ["bootstrap.servers": kafka.bootstrapServers])
        for (connector, count) in [("chat", 9), ("events", 1)] {
            for offset in 0..<count {
                try writer.write(
                    world.deadLetter, value: [0x78],
                    headers: Self.headers(of: connector, offset: offset), timestamp: now)
            }
        }
        try writer.flush()
        let doctor = try world.start("doctor")
        #expect(doctor.wait() == 0, "\(doctor.logged)")
        let line =
            "dead letters \(world.deadLetter): 1 dead letter in the last hour, for 40 events; 9"
            + " more in the topic are not of this connector"
        #expect(doctor.logged.contains(line), "\(doctor.logged)")
        #expect(!doctor.logged.contains("look at their header apns-bridge-reason"))
    }

    private static func headers(of connector: String, offset: Int) -> [ResultRecord.Header] {
        let values = [
            "connector": connector, "reason": "unparsable", "index": "0", "topic": "shop.orders",
            "apns-id": "3f2504e0-4f89-41d3-9a0c-0305e82c3301", "partition": "0",
            "offset": "\(offset)",
        ]
        return values.map { ("apns-bridge-\($0.key)", Array($0.value.utf8)) }
    }

    @Test func `does not call the settings of a missing topic safe`() throws {
        let world = try BridgeWorld(.real(RealKafka.shared()), partitions: 1)
        let text = try String(contentsOfFile: world.file, encoding: .utf8)
            .replacing(world.unregistered, with: "nothing.gone")
        try text.write(toFile: world.file, atomically: true, encoding: .utf8)
        let doctor = try world.start("doctor")
        #expect(doctor.wait() == 1)
        let lines = doctor.logged
        #expect(lines.contains("Kafka has no topic 'nothing.gone'"), "\(lines)")
        #expect(lines.contains("retention of the topics that exist are safe"), "\(lines)")
    }
}
