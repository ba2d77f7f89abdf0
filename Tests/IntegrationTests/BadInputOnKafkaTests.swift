import APNsSimulator
import Foundation
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
        let lines = bridge.logged.split(separator: "\n").filter { !$0.contains(" info ") }
        #expect(
            lines == [
                "\(world.file):\(line + 1):13: error: Kafka has no topic 'nothing.outcomes'",
                "  \(tool) --topic nothing.outcomes --partitions 8, or start with"
                    + " --create-topics",
                "\(world.file):\(line + 2):17: error: Kafka has no topic 'nothing.gone'",
                "  \(tool) --topic nothing.gone --partitions 8 --config cleanup.policy=compact, or"
                    + " start with --create-topics",
                "Nothing was started.",
            ])
        #expect(try world.committed() == 0)
        #expect(world.simulator.snapshot.answers == 0)
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
        #expect(world.simulator.snapshot.answers == 0)
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
