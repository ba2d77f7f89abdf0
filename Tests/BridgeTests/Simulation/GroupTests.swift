import APNsSimulator
import BridgeSamples
import BridgeTesting
import Delivery
import Encoding
import Engine
import EventLoop
import Testing

@testable import Bridge

@Suite struct `Two workers that share a group` {
    private func all(_ world: World) -> [Int32] {
        Array(0..<Int32(world.topic.partitions.count))
    }

    /// Accepts a push to some devices only when it is sent again.
    private static var behaviour: Scenario {
        Scenario(
            responses: Scenario.builtIn.responses + [
                ScriptedResponse(
                    tokenPrefix: "5032", status: 503, reason: "ServiceUnavailable", attempts: 1)
            ])
    }

    /// Two workers; the first owns all partitions until half of them move to the second.
    private func world(
        _ seed: Seed, retryPartitions: Int, records: Int = 400
    ) throws -> World {
        let world = try World(
            seed: seed, partitions: 8, workers: 2, retryPartitions: retryPartitions,
            behaviour: Self.behaviour
        ) {
            if retryPartitions > 0 { $0.maxWaiting = 3 }
        }
        let weather = Weather(world)
        weather.write(records)
        // When partitions move, of some records one push has arrived and another one waits.
        for milliseconds in [7_500, 19_500] {
            weather.writePairs(16, at: .after(.milliseconds(milliseconds)))
        }
        for number in 0..<2 {
            try world.start(number)
            let other = 1 - number
            world.seats[number].member?.onGivenUp = { [unowned world] partitions in
                world.clock.schedule(after: .milliseconds(100)) { [unowned world] in
                    world.seats[other].member?.assign(partitions)
                }
            }
        }
        world.seats[0].member?.assign(all(world))
        world.clock.schedule(at: .after(.seconds(8))) { [unowned world] in
            world.seats[0].member?.revoke(all(world).filter { $0 % 2 == 1 })
        }
        return world
    }

    @Test(arguments: Seed.several(6), [0, 3])
    func `send every record once when half of the partitions move to the other`(
        seed: Seed, retryPartitions: Int
    ) throws {
        let world = try world(seed, retryPartitions: retryPartitions)
        world.oracle.isFairWeather = true
        let isOver = { world.clock.now > Weather.end && world.topic.isDone }
        #expect(world.run(seconds: 600, until: isOver), "\(seed)")
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.oracle.totals.duplicates == 0, "\(seed)")
        #expect(world.seats[0].member?.partitions == all(world).filter { $0 % 2 == 0 })
        #expect(world.seats[1].member?.partitions == all(world).filter { $0 % 2 == 1 })
    }

    @Test(arguments: Seed.several(6), [0, 3])
    func `lose nothing and repeat nothing when one of them stops`(
        seed: Seed, retryPartitions: Int
    ) throws {
        let world = try world(seed, retryPartitions: retryPartitions)
        world.oracle.isFairWeather = true
        world.clock.schedule(at: .after(.seconds(20))) { [unowned world] in world.drain(0) }
        let isOver = {
            world.clock.now > Weather.end && world.topic.isDone && world.seats[0].hasEnded
        }
        #expect(world.run(seconds: 600, until: isOver), "\(seed)")
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.oracle.totals.duplicates == 0, "\(seed)")
        #expect(world.seats[1].member?.partitions == all(world))
    }
}
