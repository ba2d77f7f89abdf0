import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Encoding
import Engine
import Testing

@testable import Bridge

@Suite struct `A worker whose peer sends GOAWAY after some requests` {
    /// A world in which every connection ends that way, and nothing else fails.
    private func world(_ seed: Seed, count: Int) throws -> World {
        var chance = seed.generator(3)
        var scenario = Scenario(responses: [ScriptedResponse(tokenPrefix: "ab", latency: 100)])
        scenario.faults = [Weather.goAway(&chance)]
        let world = try World(seed: seed, behaviour: scenario) { $0.inDoubt = .report }
        world.network.latency = .milliseconds(chance.number(in: 1...50))
        for number in 0..<count {
            let event = Samples.event(Samples.token("ab\(1000 + number)"))
            world.clock.schedule(at: chance.moment(until: .after(.seconds(20)))) {
                [unowned world] in
                world.topic.append(partition: Int32(number % 4), value: Array(event.utf8))
            }
        }
        return world
    }

    @Test(arguments: Seed.several(20))
    func `sends every push once: none in doubt, and what was not processed again`(
        seed: Seed
    ) throws {
        let world = try world(seed, count: 200)
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        let isOver = { world.clock.now > .after(.seconds(20)) && world.topic.isDone }
        #expect(world.run(seconds: 600, until: isOver), "\(seed)")
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.counters.accepted == 200, "\(seed)")
        #expect(world.counters.unknown == 0, "\(seed)")
        #expect(world.requests.count == 200, "\(seed)")
        #expect(world.network.connectionCount > 2, "\(seed)")
    }
}
