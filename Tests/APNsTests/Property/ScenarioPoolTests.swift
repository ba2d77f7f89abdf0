import APNsSimulator
import Testing

@Suite struct `A pool in a scenario of the simulator` {
    @Test(arguments: [
        "goaway", "goaway-idle", "goaway-two-step", "goaway-unprocessed", "refused-streams",
        "small-windows", "closed-windows", "no-streams", "stream-limit-swings",
        "stream-limit-after-errors", "small-table", "slow", "far-away",
    ])
    func `has every push accepted if nothing is in doubt`(_ name: String) throws {
        let world = try ScenarioWorld(name)
        world.run()
        #expect(world.mistakes.isEmpty)
        #expect(world.inDoubt.isEmpty)
        #expect(world.accepted.count == world.pushes)
        #expect(world.refusals.isEmpty)
    }

    @Test(arguments: [
        "silence", "goaway-zombie", "half-answers", "missing-answers", "connection-cuts",
        "lost-answers", "reset-streams", "garbage", "slow-reading",
    ])
    func `continues, and reports what is in doubt`(_ name: String) throws {
        let world = try ScenarioWorld(name)
        world.run()
        #expect(world.mistakes.isEmpty)
        #expect(world.accepted.count + world.inDoubt.count == world.pushes)
        #expect(Set(world.inDoubt).isDisjoint(with: world.accepted))
        #expect(world.accepted.count > world.pushes * 6 / 10)
    }

    /// Scenarios, and after how many requests each ends a connection.
    private static let shortLives = [
        ("connection-cuts", 200), ("goaway-unprocessed", 100), ("goaway-zombie", 50),
        ("garbage", 100), ("expired-connections", 500),
    ]

    @Test(arguments: shortLives)
    func `drains a backlog over short-lived connections, with few repeats`(
        _ name: String, _ interval: Int
    ) throws {
        let pushes = ScenarioWorld.backlog
        let world = try ScenarioWorld(name)
        let time = try #require(world.drain(pushes))
        #expect(world.mistakes.isEmpty)
        // Each connection was cut but the two that are open in the end.
        #expect(world.inDoubt.count <= 2 * pushes + 8 * (world.connections - 2))
        // A client that knows the interval sends so many at once over each of its two connections,
        // and opens the next ones after the same pause of at most a second and a half.
        let informed = try ScenarioWorld(nil, firstRequests: interval)
        let life = try #require(informed.drain(2 * interval)) + .milliseconds(1500)
        #expect(time <= life * 3 * (pushes / (2 * interval)))
    }

    @Test func `reports a rejected credential without a storm of connections`() throws {
        let world = try ScenarioWorld("wrong-environment")
        world.run()
        #expect(world.refusals == ["BadCertificateEnvironment"])
        #expect(world.accepted.isEmpty)
        #expect(world.inDoubt.isEmpty)
        #expect(world.connections < 20)
    }
}
