import Foundation
import Kafka
import Testing

/// The program itself with a wall clock that is wrong, and events that expire by it.
@Suite(ShiftedClock.available, .serialized) struct `A bridge whose clock is wrong` {
    private func ask(_ order: String, in world: BridgeWorld) throws -> String {
        try AdminSocket.ask(world.folder.appending(path: "admin.sock").path, order)
    }

    private func start(_ world: BridgeWorld, _ clock: ShiftedClock) throws -> BridgeProcess {
        let file = world.folder.appending(path: "process-settings")
        try "admin: {listen: 'unix:admin.sock'}"
            .write(to: file, atomically: true, encoding: .utf8)
        return try BridgeProcess(
            ["run", "--settings", file.path, world.file], in: world.folder,
            environment: clock.environment)
    }

    /// Publishes an event that expires ten minutes after its record's time.
    private func publish(_ number: Int, to world: BridgeWorld) throws {
        let event = String(decoding: BridgeWorld.event(number), as: UTF8.self)
        try world.publish(value: Array((#"{"ttl":"10m","# + event.dropFirst()).utf8))
    }

    private func reasons(_ world: BridgeWorld) throws -> [String] {
        try world.readOutcomes().sorted { $0.position.offset < $1.position.offset }
            .map { [$0.verdict, $0.reason].compactMap { $0 }.joined(separator: " ") }
    }

    /// Waits until `/status` has the problem: the worker publishes its figures a moment later.
    private func waitForProblem(in world: BridgeWorld) throws {
        let end = Date(timeIntervalSinceNow: 60)
        while try !ask("GET /status", in: world).contains(#""kind":"clock""#) {
            try #require(Date() < end, "no problem of the kind clock")
            waitBeforeNextLook()
        }
    }

    private static let jumped = "the clock jumped; nothing expires and no record is taken meanwhile"

    @Test func `takes nothing until it is set right, or until an operator confirms it`() throws {
        let world = try BridgeWorld(.embedded(try EmbeddedCluster()), partitions: 1)
        let clock = try ShiftedClock(in: world.folder)
        let bridge = try start(world, clock)
        try publish(0, to: world)
        try world.waitUntilCommitted(1, while: bridge)
        let release = "POST /connectors/events/clock/release"
        let early = try ask(release, in: world)
        #expect(early.hasPrefix("409 ") && early.contains("does not doubt the clock"), "\(early)")
        let unknown = try ask("POST /connectors/event/clock/release", in: world)
        #expect(unknown.hasPrefix("404 ") && unknown.contains("did you mean 'events'?"))
        #expect(try ask("GET /connectors/events/clock/release", in: world).hasPrefix("405 "))

        try clock.set(ahead: 7200)
        try bridge.waitUntilLogged(Self.jumped)
        try publish(1, to: world)
        try waitForProblem(in: world)
        #expect(try world.committed() == 1)
        try clock.set(ahead: 0)
        try world.waitUntilCommitted(2, while: bridge)
        #expect(try reasons(world) == ["accepted", "accepted"])

        try clock.set(ahead: 7200)
        var response = ""
        let end = Date(timeIntervalSinceNow: 60)
        while !response.hasPrefix("200 ") {
            try #require(Date() < end, "\(response)")
            waitBeforeNextLook()
            response = try ask(release, in: world)
        }
        #expect(response.contains(#"{"connector":"events","clock":"release requested"}"#))
        try bridge.waitUntilLogged("the clock was confirmed by the operator")
        try publish(2, to: world)
        try world.waitUntilCommitted(3, while: bridge)
        #expect(try reasons(world).last == "dropped expired")
        #expect(bridge.terminate() == 0)
    }

    @Test(RealKafka.available)
    func `from its start expires nothing once a record contradicts it`() throws {
        let world = try BridgeWorld(
            .real(try .shared()), partitions: 1,
            sourceConfiguration: ["message.timestamp.type=LogAppendTime"])
        let clock = try ShiftedClock(in: world.folder, ahead: 7200)
        let bridge = try start(world, clock)
        try bridge.waitUntilLogged("assigned")
        // The end of the log is announced once it is read, within half a second.
        let moment = Date(timeIntervalSinceNow: 3)
        while Date() < moment { _ = try ask("GET /health", in: world) }
        try publish(0, to: world)
        try bridge.waitUntilLogged(
            "a broker contradicts the clock; nothing expires and no record is taken meanwhile")
        try waitForProblem(in: world)
        #expect(try world.readOutcomes().isEmpty)
        try clock.set(ahead: 0)
        try world.waitUntilCommitted(1, while: bridge)
        #expect(try reasons(world) == ["accepted"])
        #expect(bridge.terminate() == 0)
    }
}
