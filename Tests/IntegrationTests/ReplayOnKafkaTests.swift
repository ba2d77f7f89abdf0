import APNsSimulator
import Foundation
import Kafka
import Testing

/// Dead letters that an operator sends again, with the program as it runs.
@Suite(.serialized) struct `A replay of dead letters` {
    /// A world whose device tokens with b0 APNs rejects, and whose connector reads a replay topic.
    private func world() throws -> BridgeWorld {
        let cluster = try EmbeddedCluster()
        let refusal = ScriptedResponse(tokenPrefix: "b0", status: 400, reason: "BadDeviceToken")
        let world = try BridgeWorld(
            .embedded(cluster), partitions: 2, behaviour: Scenario(responses: [refusal]))
        let text = try String(contentsOfFile: world.file, encoding: .utf8)
        let setting = "start: earliest, replay: \(world.source).again}"
        try text.replacing("start: earliest}", with: setting)
            .write(toFile: world.file, atomically: true, encoding: .utf8)
        try cluster.createTopic("\(world.source).again", partitions: 2)
        return world
    }

    private func replay(_ world: BridgeWorld, _ options: String...) throws -> (Int32, String) {
        let run = try BridgeProcess(
            ["replay"] + options + [world.file], in: world.folder, name: UUID().uuidString)
        let code = run.wait()
        return (code, run.logged)
    }

    /// Waits until there are so many outcomes.
    private func outcomes(
        _ count: Int, in world: BridgeWorld, while bridge: BridgeProcess
    ) throws -> [BridgeOutcome] {
        let end = Date(timeIntervalSinceNow: 120)
        var found: [BridgeOutcome] = []
        while found.count < count {
            try #require(bridge.isRunning && Date() < end, "\(bridge.logged)")
            waitBeforeNextLook()
            found = try world.readOutcomes()
        }
        return found
    }

    @Test func `sends each once more, with its apns-id, and continues where it stopped`() throws {
        let world = try world()
        let bridge = try world.start()
        let token = "b0" + String(repeating: "0", count: 62)
        try world.publish(
            value: Array(#"{"device_token":"\#(token)","payload":{"aps":{"badge":1}}}"#.utf8))
        try world.publish(4)
        let first = try outcomes(5, in: world, while: bridge)
        let (code, text) = try replay(world, "--dry-run")
        #expect(code == 0 && text.contains("1 would be replayed to \(world.source).again"))
        #expect(try replay(world, "--reason", "Unregistered").0 == 0)
        #expect(try world.readOutcomes().count == 5, "nothing was selected")

        #expect(try replay(world).1.contains("1 replayed to \(world.source).again"))
        let all = try outcomes(6, in: world, while: bridge)
        let rejected = all.filter { $0.verdict == "rejected" }
        #expect(rejected.count == 2 && Set(rejected.map(\.position)).count == 1)
        #expect(Set(rejected.map(\.id)).count == 1)
        #expect(rejected.first?.id == first.first { $0.verdict == "rejected" }?.id)
        // It was rejected again: only that dead letter is new.
        let end = Date(timeIntervalSinceNow: 120)
        var again = ""
        while !again.contains("dead letters read: 1\n") {
            try #require(Date() < end, "\(again)")
            waitBeforeNextLook()
            again = try replay(world, "--dry-run").1
        }
        #expect(again.contains("1 would be replayed"))
        #expect(bridge.terminate() == 0)
    }
}

@Suite(RealKafka.available) struct `A replay on a real Kafka` {
    @Test func `to a topic that is not there says what to do`() throws {
        let world = try BridgeWorld(.real(RealKafka.shared()), partitions: 1)
        let text = try String(contentsOfFile: world.file, encoding: .utf8)
        try text.replacing("start: earliest}", with: "start: earliest, replay: nowhere}")
            .write(toFile: world.file, atomically: true, encoding: .utf8)
        let replay = try world.start("replay")
        #expect(replay.wait() == 78)
        #expect(replay.logged.contains("Kafka has no topic 'nowhere'"), "\(replay.logged)")
        #expect(replay.logged.contains("create it: kafka-topics.sh"), "\(replay.logged)")
        #expect(replay.logged.contains("Nothing was replayed."), "\(replay.logged)")
    }
}

@Suite(RealKafka.startable) struct `A Kafka that forgets what was replayed` {
    @Test func `makes the next replay ask before it sends old dead letters again`() throws {
        let kafka = try RealKafka.start(properties: ["offsets.retention.minutes=1440"])
        defer { kafka.remove() }
        let world = try BridgeWorld(.real(kafka), partitions: 1)
        try kafka.createTopic("\(world.source).again", partitions: 1)
        let setting = "start: earliest, replay: \(world.source).again}"
        try String(contentsOfFile: world.file, encoding: .utf8)
            .replacing("start: earliest}", with: setting)
            .write(toFile: world.file, atomically: true, encoding: .utf8)
        try write(world, daysAgo: 2)
        func replay(_ options: String...) throws -> (code: Int32, text: String) {
            let run = try BridgeProcess(
                ["replay"] + options + [world.file], in: world.folder, name: UUID().uuidString)
            let code = run.wait()
            return (code, run.logged)
        }
        let first = try replay()
        #expect(first.code == 64 && first.text.contains("keeps for 24 hours"), "\(first.text)")
        #expect(try replay("--from-beginning").text.contains("1 replayed to"))
        #expect(try replay().text.contains("dead letters read: 0"))

        _ = try kafka.tool(
            "kafka-consumer-groups.sh",
            [
                "--bootstrap-server", kafka.bootstrapServers, "--delete", "--group",
                "\(world.group)-replay-events",
            ])
        try write(world, daysAgo: 0)
        #expect(try replay().code == 64)
        let since = Int64(Date(timeIntervalSinceNow: -43_200).timeIntervalSince1970)
        #expect(try replay("--since", "\(since)").text.contains("1 replayed to"))
        #expect(try replay().text.contains("dead letters read: 0"))
        let again = try TopicReader(properties: world.properties).readAll("\(world.source).again")
        #expect(again.map(\.value) == [Array("2".utf8), Array("0".utf8)])
    }

    /// Writes a dead letter whose value is its age in days.
    private func write(_ world: BridgeWorld, daysAgo: Int) throws {
        var writer = try RecordWriter(properties: world.properties)
        let headers = [
            "connector": "events", "reason": "BadDeviceToken", "index": "0", "partition": "0",
            "apns-id": UUID().uuidString.lowercased(), "topic": world.source, "offset": "0",
        ]
        let written = Date(timeIntervalSinceNow: Double(-daysAgo) * 86_400)
        try writer.write(
            world.deadLetter, value: Array("\(daysAgo)".utf8),
            headers: headers.map { ("apns-bridge-\($0)", [UInt8]($1.utf8)) },
            timestamp: Int64(written.timeIntervalSince1970 * 1000))
        try writer.flush()
    }
}
