import APNsSimulator
import Delivery
import Foundation
import Kafka
import Testing

/// A process whose guard is about to see half of all device tokens unregistered.
private final class GuardStage {
    private static let responses = """
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
            try Scenario.parse([UInt8](Self.responses.utf8), file: "scenario.yaml"))
        program = try RunningProgram(["run", "orders.yaml"], in: world.folder)
    }

    /// Publishes events to devices whose tokens have a prefix.
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

    /// Polls until a condition holds; fails after a minute.
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
        // All of them are in flight before the first response: no more than young connections take.
        try stage.publish((0..<12).flatMap { _ in ["dead", "beef"] })
        #expect(stage.program.listen(until: "sending suspended"))
        try stage.wait { try stage.count(".outcomes") == 13 }
        #expect(try stage.count(".gone") == 0)
        #expect(try stage.committed == 1)

        stage.program.send(SIGUSR1)
        #expect(stage.program.listen(until: "sending resumed"))
        try stage.wait { try stage.committed == 25 }
        stage.program.send(SIGUSR1)
        #expect(stage.program.listen(until: "SIGUSR1 changed nothing: no guard was engaged"))
        #expect(stage.program.terminate() == 0)
        #expect(try stage.count(".gone") == 12)
        #expect(try stage.count(".outcomes") == 25)
        #expect(try stage.count(".dead") == 0)
        #expect(
            stage.program.lines("error") == [
                "error sending suspended: too many device tokens are unregistered or suspect"
                    + #" action="check bundle_id, environment and the source of the tokens;"#
                    + " meanwhile no token is reported as unregistered; send SIGUSR1 if the"
                    + " responses are right, or wait: 20 tokens are probed at growing"
                    + " intervals; while the share of bad ones stays as high, no probe releases"
                    + #" the guard" apps=com.example.shop bundle_id=com.example.shop"#
                    + " connector=orders limit=0.2 responses=2 unregistered_or_suspect=1"
                    + " window_seconds=60"
            ])
        // The group has committed nothing, and its topic has an event.
        let warnings = stage.program.lines("warning")
        #expect(warnings.first?.hasPrefix("warning the group is new: everything in") == true)
        #expect(
            stage.program.lines("info").contains(
                "info guard released by the operator; sending resumed"
                    + " apps=com.example.shop connector=orders withheld=12"))
        #expect(stage.program.lines("info").contains("info guard released by SIGUSR1 guards=1"))
    }
}
