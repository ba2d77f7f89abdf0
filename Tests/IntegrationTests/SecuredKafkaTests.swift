import Foundation
import Kafka
import Testing

/// Kafka's rights are checked with each request, so that each of them may end while a bridge runs.
@Suite(RealKafka.startable, .serialized) struct `A bridge that logs in to Kafka` {
    private func world(_ kafka: SecuredKafka, login: [String]? = nil) throws -> BridgeWorld {
        let world = try BridgeWorld(
            .real(kafka.kafka), partitions: 2, login: login ?? kafka.login())
        try kafka.change("--add", ["Read", "Describe"], on: "--topic", [world.source])
        try kafka.change(
            "--add", ["Write", "Describe"], on: "--topic",
            [world.outcomes, world.unregistered, world.deadLetter])
        return world
    }

    private func expectEachOnce(_ world: BridgeWorld) throws {
        let places = try world.readOutcomes().map(\.place)
        #expect(places.count == world.published)
        #expect(Set(places).count == world.published)
    }

    @Test func `says which right is missing, and delivers everything once it is granted`() throws {
        let kafka = try SecuredKafka.shared()
        let world = try world(kafka)
        try world.publish(40)
        let bridge = try world.start()
        let doctor = try world.start("doctor")
        #expect(doctor.wait() == 1)
        #expect(doctor.logged.contains("grant READ on the group"), "\(doctor.logged)")
        let words = "grant this user READ on the group '\(world.group)'"
        try bridge.waitUntilLogged(words)
        try kafka.change("--add", ["Read"], on: "--group", [world.group])
        try world.waitUntilCommitted(40, while: bridge)
        // What was granted is taken away while it runs.
        try kafka.change("--remove", ["Write"], on: "--topic", [world.outcomes])
        try world.publish(40)
        try bridge.waitUntilLogged("Kafka refused a result record")
        #expect(try world.committed() == 40)
        try kafka.change("--add", ["Write"], on: "--topic", [world.outcomes])
        try world.waitUntilCommitted(80, while: bridge)
        #expect(bridge.terminate() == 0)
        try expectEachOnce(world)
    }

    /// The newest librdkafka that Python's confluent-kafka brings; nil without it.
    private static let newest: String? = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let library = root.appending(path: ".build/python-clients/lib")
        let files = FileManager.default.subpaths(atPath: library.path) ?? []
        return files.first {
            $0.contains("confluent_kafka.libs/librdkafka-") && $0.hasSuffix(".so.1")
        }.map { library.appending(path: $0).path }
    }()

    @Test(.enabled(if: newest != nil, "needs confluent-kafka: make python-clients installs it"))
    func `is told by the doctor which topic it may not write to`() throws {
        let kafka = try SecuredKafka.shared()
        let world = try world(kafka)
        try kafka.change("--add", ["Read"], on: "--group", [world.group])
        try kafka.change("--remove", ["Write"], on: "--topic", [world.deadLetter])
        let libraries = world.folder.appending(path: "libraries")
        try FileManager.default.createDirectory(at: libraries, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: libraries.appending(path: "librdkafka.so.1").path,
            withDestinationPath: #require(Self.newest))
        let doctor = try world.start(
            "doctor", environment: ["LD_LIBRARY_PATH": libraries.path])
        #expect(doctor.wait() == 1)
        let lines = doctor.logged.split(separator: "\n")
        func result(_ topic: String) -> Substring? {
            lines.first { $0.contains("write access \(topic): ") }?.prefix { $0 != " " }
        }
        #expect(result(world.outcomes) == "ok", "\(doctor.logged)")
        #expect(result(world.deadLetter) == "FAILED", "\(doctor.logged)")
    }

    @Test func `ends at start with advice if its password is wrong`() throws {
        let kafka = try SecuredKafka.shared()
        let world = try world(kafka, login: kafka.login(password: "wrong"))
        let bridge = try world.start()
        #expect(bridge.wait() != 0)
        #expect(bridge.logged.contains("Authentication failed"))
    }

    @Test(.enabled(if: KafkaLibrary.hasStrictSCRAM, "Kafka 4 refuses SCRAM of this librdkafka"))
    func `delivers over SCRAM`() throws {
        let kafka = try SecuredKafka.shared()
        try kafka.addSCRAM()
        let world = try world(kafka, login: kafka.login(mechanism: "SCRAM-SHA-512"))
        try kafka.change("--add", ["Read"], on: "--group", [world.group])
        try world.publish(40)
        let bridge = try world.start()
        try world.waitUntilCommitted(40, while: bridge)
        #expect(bridge.terminate() == 0)
        try expectEachOnce(world)
    }
}
