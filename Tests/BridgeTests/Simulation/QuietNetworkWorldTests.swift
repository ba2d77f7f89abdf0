import APNs
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Encoding
import Engine
import EventLoop
import Testing

@testable import Bridge

/// Firewalls forget connections on which nothing passes for a while, and notify neither side.
@Suite struct `A world whose firewall forgets quiet connections` {
    private func world(
        _ seed: Seed, forgetsAfter: Duration, pingInterval: Duration?
    ) throws -> World {
        let world = try World(seed: seed)
        world.network.forgetsAfter = forgetsAfter
        world.poolSettings.pingInterval = pingInterval
        return world
    }

    /// Bursts of pushes with minutes of quiet between them, until everything is committed.
    private func playBursts(_ world: World) throws {
        var chance = world.seed.generator(3)
        var moment = Instant.after(.seconds(2))
        for burst in 0..<6 {
            for number in 0..<8 {
                let token = "ab" + String(1000 + burst * 8 + number)
                let partition = Int32(number % 4)
                world.clock.schedule(at: moment) {
                    let event = Samples.event(Samples.token(token))
                    let offset = world.topic.append(
                        partition: partition, value: Array(event.utf8))
                    world.oracle.expect(1, partition: partition, offset: offset)
                }
            }
            moment += .seconds(chance.number(in: 30...400))
        }
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        let end = moment
        world.run(seconds: 3600) { world.clock.now > end && world.topic.isDone }
        world.oracle.checkEnd()
    }

    @Test(arguments: Seed.several(4), [nil, Duration.seconds(60), .seconds(600)])
    func `delivers the first pushes after the quiet, with nothing in doubt`(
        seed: Seed, pingInterval: Duration?
    ) throws {
        let world = try world(seed, forgetsAfter: .seconds(60), pingInterval: pingInterval)
        try playBursts(world)
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.topic.isDone, "\(seed)")
        #expect(world.counters.accepted == 48, "\(seed)")
        #expect(world.counters.doubts == 0, "\(seed)")
    }

    @Test(arguments: Seed.several(4))
    func `keeps its connections if PINGs pass more often than it forgets`(seed: Seed) throws {
        let world = try world(seed, forgetsAfter: .seconds(90), pingInterval: .seconds(60))
        try playBursts(world)
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.network.connectionCount == 2, "\(seed)")
    }

    @Test func `sends within three seconds over a fresh connection`() throws {
        let world = try world(Seed(1), forgetsAfter: .seconds(60), pingInterval: nil)
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        world.topic.append(partition: 0, value: Array(Samples.event(Samples.token("ab01")).utf8))
        world.run(seconds: 10)
        world.run(seconds: 300)
        world.topic.append(partition: 0, value: Array(Samples.event(Samples.token("ab02")).utf8))
        let start = world.clock.now
        world.run(seconds: 30) { world.counters.accepted == 2 }
        #expect(world.counters.accepted == 2)
        #expect(world.clock.now - start < .seconds(3))
        #expect(world.counters.doubts == 0)
    }
}
