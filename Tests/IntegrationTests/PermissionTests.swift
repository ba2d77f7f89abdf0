import Foundation
import Kafka
import Testing

/// The permissions that the article *Running* lists for each command, and no others.
@Suite(RealKafka.startable, .serialized) struct `With only the documented permissions` {
    private let kafka: SecuredKafka

    init() throws { kafka = try SecuredKafka.shared() }

    private func world() throws -> BridgeWorld {
        try BridgeWorld(.real(kafka.kafka), partitions: 1, login: kafka.login())
    }

    private func run(_ arguments: String..., in world: BridgeWorld) throws -> BridgeProcess {
        try BridgeProcess(
            arguments + [world.file], in: world.folder, name: UUID().uuidString)
    }

    /// Runs a command again until it succeeds: a broker learns of a change of rights a moment
    /// later.
    private func runUntilDone(_ arguments: String..., in world: BridgeWorld) throws -> String {
        let end = Date(timeIntervalSinceNow: 60)
        while true {
            let process = try BridgeProcess(
                arguments + [world.file], in: world.folder, name: UUID().uuidString)
            if process.wait() == 0 { return process.logged }
            try #require(Date() < end, "\(process.logged)")
            waitBeforeNextLook()
        }
    }

    @Test func `replay writes dead letters to the replay topic`() throws {
        let world = try world()
        let topic = "\(world.source).again"
        try kafka.kafka.createTopic(topic, partitions: 1)
        let text = try String(contentsOfFile: world.file, encoding: .utf8)
        try text.replacing("start: earliest}", with: "start: earliest, replay: \(topic)}")
            .write(toFile: world.file, atomically: true, encoding: .utf8)
        try writeDeadLetter(world)
        try kafka.change("--add", ["Read", "Describe"], on: "--topic", [world.deadLetter])
        try kafka.change("--add", ["Write", "Describe"], on: "--topic", [topic])
        let refused = try run("replay", in: world)
        #expect(refused.wait() == 69)
        #expect(refused.logged.contains("GROUP_AUTHORIZATION_FAILED"), "\(refused.logged)")
        try kafka.change("--add", ["Read"], on: "--group", ["\(world.group)-replay-events"])
        let logged = try runUntilDone("replay", in: world)
        #expect(logged.contains("1 replayed to \(topic)"), "\(logged)")
    }

    private func writeDeadLetter(_ world: BridgeWorld) throws {
        var writer = try RecordWriter(properties: kafka.kafka.properties)
        let headers = [
            "connector": "events", "reason": "BadDeviceToken", "index": "0", "partition": "0",
            "apns-id": UUID().uuidString.lowercased(), "topic": world.source, "offset": "0",
        ]
        try writer.write(
            world.deadLetter, value: Array("{}".utf8),
            headers: headers.map { ("apns-bridge-\($0)", [UInt8]($1.utf8)) })
        try writer.flush()
    }

    @Test func `a dry run and render read the topic`() throws {
        let world = try world()
        try world.publish(3)
        try kafka.change("--add", ["Read"], on: "--topic", [world.source])
        _ = try runUntilDone("run", "--dry-run", "--from-beginning", in: world)
        let refused = try run("run", "--dry-run", in: world)
        #expect(refused.wait() == 78)
        #expect(
            refused.logged.contains("grant this user DESCRIBE on the group"), "\(refused.logged)")
        try kafka.change("--add", ["Describe"], on: "--group", [world.group])
        let logged = try runUntilDone("run", "--dry-run", in: world)
        #expect(logged.contains("3 records read"), "\(logged)")
        let render = try run(
            "render", "--topic", world.source, "--partition", "0", "--offset", "1", in: world)
        #expect(render.wait() == 0)
        #expect(render.logged.contains("number 1"), "\(render.logged)")
    }

    @Test func `the legacy gateway writes pushes`() throws {
        let legacy = try LegacyWorld(.real(kafka.kafka), login: kafka.login())
        try kafka.change(
            "--add", ["Write", "Describe"], on: "--topic", [legacy.world.source])
        let gateway = try legacy.startGateway()
        let provider = try legacy.provider(
            LegacyScripts.resending, legacy.path("port"), legacy.path("client.pem"), "100", "1")
        #expect(provider.finish() == "half\ndone\n")
        try legacy.waitForAll(100)
        #expect(gateway.terminate() == 0)
    }

    @Test func `the feedback service reports the unregistered tokens`() throws {
        let legacy = try LegacyWorld(.real(kafka.kafka), login: kafka.login())
        let token = String(repeating: "ab", count: 32)
        let value =
            #"{"device_token":"\#(token)","bundle_id":"com.example.shop","#
            + #""environment":"production","reason":"Unregistered","timestamp":null}"#
        var writer = try RecordWriter(properties: kafka.kafka.properties)
        try writer.write(
            legacy.world.unregistered, key: Array(token.utf8), value: Array(value.utf8))
        try writer.flush()
        try kafka.change("--add", ["Read"], on: "--topic", [legacy.world.unregistered])
        try kafka.change("--add", ["Read"], on: "--group", ["feedback.shop"])
        let service = try legacy.startFeedback()
        let provider = try legacy.provider(
            LegacyScripts.fetching, "\(service.port)", legacy.path("client.pem"))
        #expect(provider.finish() == "\(token)\nend\n", "\(service.said)")
        #expect(service.terminate() == 0)
    }
}
