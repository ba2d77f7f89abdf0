import Foundation
import Kafka
import Testing

/// Kafka's rights are checked with each request, so that each of them may end while a bridge runs.
@Suite(RealKafka.startable, .serialized) struct `A bridge that logs in to Kafka` {
    private func world(
        _ kafka: SecuredKafka, login: [String]? = nil, extra: String = ""
    ) throws -> BridgeWorld {
        let world = try BridgeWorld(
            .real(kafka.kafka), partitions: 2, extra: extra, login: login ?? kafka.login())
        try kafka.change("--add", ["Read", "Describe"], on: "--topic", [world.source])
        try kafka.change(
            "--add", ["Write", "Describe"], on: "--topic",
            [world.outcomes, world.unregistered, world.deadLetter])
        return world
    }

    private func expectEachOnce(_ world: BridgeWorld) throws {
        let positions = try world.readOutcomes().map(\.position)
        #expect(positions.count == world.published)
        #expect(Set(positions).count == world.published)
    }

    @Test func `says which right is missing, and delivers everything once it is granted`() throws {
        let kafka = try SecuredKafka.shared()
        let world = try world(kafka)
        try world.publish(40)
        let bridge = try world.start()
        let doctor = try world.start("doctor")
        #expect(doctor.wait() == 1)
        #expect(doctor.logged.contains("grant READ on the group"), "\(doctor.logged)")
        let message = "grant this user READ on the group '\(world.group)'"
        try bridge.waitUntilLogged(message)
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
        let denied = bridge.logged.split(separator: "\n").filter { $0.contains("Kafka denied") }
        #expect(denied.count == 1, "\(denied)")
    }

    /// The right is asked for before anything is read.
    @Test(.enabled(if: NewestLibrary.path != nil, "make python-clients has no package registry"))
    func `waits at start for the right to read with its group, if Kafka shows rights`() throws {
        let kafka = try SecuredKafka.shared()
        let world = try world(kafka)
        try world.publish(40)
        let bridge = try world.start(environment: NewestLibrary.environment(in: world.folder))
        try bridge.waitUntilLogged(
            "connector=events"
                + " detail=\"Kafka does not allow this user READ on the group '\(world.group)'\"")
        #expect(!bridge.logged.contains("worker"), "\(bridge.logged)")
        try kafka.change("--add", ["Read"], on: "--group", [world.group])
        try world.waitUntilCommitted(40, while: bridge)
        #expect(bridge.terminate() == 0)
        try expectEachOnce(world)
    }

    @Test(.enabled(if: NewestLibrary.path != nil, "make python-clients has no package registry"))
    func `ends at start with advice if it may describe its group, but not read`() throws {
        let kafka = try SecuredKafka.shared()
        let world = try world(kafka, extra: "startup_deadline: 1s")
        try kafka.change("--add", ["Describe"], on: "--group", [world.group])
        let bridge = try world.start(environment: NewestLibrary.environment(in: world.folder))
        #expect(bridge.wait() == 69)
        let message = "Kafka does not allow this user READ on the group '\(world.group)'"
        let lines = bridge.logged.split(separator: "\n")
        #expect(lines.contains { $0.hasSuffix("error: \(message)") }, "\(bridge.logged)")
        #expect(bridge.logged.contains("grant it READ on the group: kafka-acls.sh --add"))
    }

    @Test func `ends at start with advice if its password is wrong`() throws {
        let kafka = try SecuredKafka.shared()
        let world = try world(kafka, login: kafka.login(password: "wrong"))
        let bridge = try world.start()
        #expect(bridge.wait() != 0)
        #expect(bridge.logged.contains("Authentication failed"))
    }

    @Test(.enabled(if: NewestLibrary.path != nil, "make python-clients has no package registry"))
    func `lets doctor say which topics it may write to`() throws {
        let kafka = try SecuredKafka.shared()
        let world = try world(kafka)
        try kafka.change("--add", ["Read"], on: "--group", [world.group])
        try kafka.change("--remove", ["Write"], on: "--topic", [world.deadLetter])
        let doctor = try world.start(
            "doctor", environment: NewestLibrary.environment(in: world.folder))
        #expect(doctor.wait() == 1)
        let lines = doctor.logged.split(separator: "\n")
        for topic in [world.outcomes, world.unregistered] {
            let line = "ok           events: write access \(topic): Kafka allows WRITE"
            #expect(lines.contains(Substring(line)), "\(doctor.logged)")
        }
        let refused = "FAILED       events: write access \(world.deadLetter): "
        let index = try #require(lines.firstIndex { $0.hasPrefix(refused) }, "\(doctor.logged)")
        #expect(lines[index].hasSuffix("Kafka does not allow WRITE"))
        #expect(lines[index + 1].contains("grant WRITE and DESCRIBE on the topics"))
        #expect(try world.readOutcomes().isEmpty, "nothing may be written to find out")
    }

    @Test(.enabled(if: NewestLibrary.path != nil, "make python-clients has no package registry"))
    func `lets doctor say that the right to read is missing on a group that it may describe`()
        throws
    {
        let kafka = try SecuredKafka.shared()
        let world = try world(kafka)
        try kafka.change("--add", ["Describe"], on: "--group", [world.group])
        let newest = try NewestLibrary.environment(in: world.folder)
        func lines() throws -> (code: Int32, lines: [Substring]) {
            let doctor = try world.start("doctor", environment: newest)
            return (doctor.wait(), doctor.logged.split(separator: "\n"))
        }
        let refused = try lines()
        #expect(refused.code == 1)
        let line = "FAILED       events: group access \(world.group): Kafka does not allow READ"
        let index = try #require(refused.lines.firstIndex(of: Substring(line)), "\(refused)")
        #expect(refused.lines[index + 1].contains("grant READ on the group"))
        try kafka.change("--add", ["Read"], on: "--group", [world.group])
        let granted = try lines()
        #expect(granted.code == 0, "\(granted)")
        let allowed = "ok           events: group access \(world.group): Kafka allows READ"
        #expect(granted.lines.contains(Substring(allowed)), "\(granted)")
    }

    @Test(.enabled(if: NewestLibrary.path != nil, "make python-clients has no package registry"))
    func `delivers over SCRAM`() throws {
        let kafka = try SecuredKafka.shared()
        try kafka.addSCRAM()
        let world = try world(kafka, login: kafka.login(mechanism: "SCRAM-SHA-512"))
        try kafka.change("--add", ["Read"], on: "--group", [world.group])
        try world.publish(40)
        // Kafka 4 refuses SCRAM of librdkafka before 2.6.1.
        let bridge = try world.start(environment: NewestLibrary.environment(in: world.folder))
        try world.waitUntilCommitted(40, while: bridge)
        #expect(bridge.terminate() == 0)
        try expectEachOnce(world)
    }
}
