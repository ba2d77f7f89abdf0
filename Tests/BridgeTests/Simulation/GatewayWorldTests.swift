import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Engine
import Testing

@testable import Bridge

@Suite struct `A gateway that responds in place of APNs` {
    /// A world in which a gateway responds to everything for 20 seconds.
    private func world(_ seed: Seed, status: Int) throws -> World {
        let schedule = Schedule(from: 5000, until: 25_000)
        let behaviour = Scenario(responses: [Weather.gateway(status, schedule)])
        let world = try World(seed: seed, behaviour: behaviour) { $0.inDoubt = .resend }
        for number in 0..<100 {
            world.clock.schedule(at: .after(.milliseconds(number * 300))) {
                let event = Samples.event(Samples.token("ab\(1000 + number)"))
                world.topic.append(partition: Int32(number % 4), value: Array(event.utf8))
            }
        }
        return world
    }

    @Test(arguments: [400, 413, 431, 204], Seed.several(4))
    func `loses no push: all are accepted once it is gone`(status: Int, seed: Seed) throws {
        let world = try world(seed, status: status)
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        world.run(seconds: 40)
        #expect(world.runUntilDone())
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.counters.accepted == 100)
        #expect(world.counters.rejected == 0 && world.counters.unknown == 0)
    }

    @Test(arguments: Seed.several(4))
    func `does not affect a credential that is renewed meanwhile`(seed: Seed) throws {
        let world = try world(seed, status: 413)
        var chance = seed.generator(3)
        for isKnown in [true, false, true] {
            world.clock.schedule(at: .after(.seconds(chance.number(in: 1...30)))) {
                try? world.renew(isKnown: isKnown)
            }
        }
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        world.run(seconds: 40)
        #expect(world.runUntilDone())
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.counters.accepted == 100)
        #expect(world.counters.rejected == 0)
    }
}
