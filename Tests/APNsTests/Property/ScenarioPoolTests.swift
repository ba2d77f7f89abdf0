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

    @Test func `reports a rejected credential without a storm of connections`() throws {
        let world = try ScenarioWorld("wrong-environment")
        world.run()
        #expect(world.refusals == ["BadCertificateEnvironment"])
        #expect(world.accepted.isEmpty)
        #expect(world.inDoubt.isEmpty)
        #expect(world.connections < 20)
    }
}
