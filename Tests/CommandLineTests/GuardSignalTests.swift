import APNsSimulator
import Delivery
import Foundation
import Kafka
import Testing

/// A process whose guard is about to see half of all device tokens called dead.
private final class GuardStage {
    private static let answers = """
        built_in: false
        answers:
          - {device_token: dead, status: 410, reason: Unregistered, timestamp: 1h ago, latency: 1s}
          - {device_token: beef, latency: 2s}
        """
    let program: RunningProgram
    private let world: BadInputWorld
    private var published: Int64 = 0

    init() throws {
        world = try BadInputWorld()
        try world.writeConnector(
            "  dead_letter:",
            "  dead_letter: \(world.topic).dead\nguard: {share: 0.2, minimum: 2}")
        try world.simulator.begin(
            try Scenario.parse([UInt8](Self.answers.utf8), file: "scenario.yaml"))
        program = try RunningProgram(["run", "orders.yaml"], in: world.folder)
    }

    /// Publishes events to devices whose tokens begin so.
    func publish(_ prefixes: [String]) throws {
        var writer = try RecordWriter(properties: world.properties)
        for prefix in prefixes {
            let digits = String(published)
            let token = prefix + String(repeating: "0", count: 60 - digits.count) + digits
            let event = #"{"device_token":"\#(token)","payload":{"aps":{"alert":"Hello"}}}"#
            try writer.write(world.topic, value: [UInt8](event.utf8), partition: 0)
            published += 1
        }
        try writer.flush()
    }

    /// The offset that the group has committed.
    var committed: Int64 {
        get throws {
            try CommittedOffsets.read(
                properties: world.properties, group: "\(world.topic)-group",
                partitions: [TopicPartition(topic: world.topic, partition: 0)]
            ).first?.next ?? 0
        }
    }

    func count(_ suffix: String) throws -> Int {
        try TopicReader(properties: world.properties).readAll(world.topic + suffix).count
    }

    /// Asks until it is so; fails when a minute is over.
    func wait(until isSo: () throws -> Bool) throws {
        let end = Date(timeIntervalSinceNow: 60)
        while try !isSo() {
            try #require(Date() < end, "not in time: \(program.said)")
        }
    }
}

@Suite struct `The guard of a running process` {
    @Test func `publishes withheld verdicts only after SIGUSR1`() throws {
        let stage = try GuardStage()
        try stage.publish(["a0a0"])
        try stage.wait { try stage.committed == 1 }
        try stage.publish((0..<50).flatMap { _ in ["dead", "beef"] })
        #expect(stage.program.listen(until: "the line is held"))
        try stage.wait { try stage.count(".outcomes") == 51 }
        #expect(try stage.count(".gone") == 0)
        #expect(try stage.committed == 1)

        stage.program.send(SIGUSR1)
        #expect(stage.program.listen(until: "the line goes on"))
        try stage.wait { try stage.committed == 101 }
        #expect(stage.program.terminate() == 0)
        #expect(try stage.count(".gone") == 50)
        #expect(try stage.count(".outcomes") == 101)
        #expect(try stage.count(".dead") == 0)
        #expect(
            stage.program.lines("error") == [
                "error the line is held: too many device tokens are called dead or suspect"
                    + " answers=2 apps=com.example.shop bundle_id=com.example.shop"
                    + " connector=orders dead_or_suspect=1 limit=0.2"
                    + #" what="check bundle_id, environment and where the tokens come from;"#
                    + " no token is called unregistered meanwhile; send SIGUSR1 if it is true,"
                    + #" or wait: 20 tokens are probed now and then" window_seconds=60"#
            ])
        #expect(
            stage.program.lines("warning") == [
                "warning the guard was told to let go; the line goes on answers_kept=50"
                    + " apps=com.example.shop connector=orders"
            ])
        #expect(stage.program.lines("info").contains("info guard released by SIGUSR1"))
    }
}
