import APNs
import BridgeSamples
import BridgeTesting
import Delivery
import Engine
import Testing
import Tracing

@testable import Bridge

/// What a worker does while there is nothing to do.
@Suite struct `An idle worker` {
    /// How many turns it takes in an hour after everything is done.
    private func turns(
        _ seed: Seed, tweak: (World) -> Void = { _ in }
    ) throws -> Int {
        let world = try World(seed: seed)
        tweak(world)
        for number in 0..<20 {
            let event = Samples.event(Samples.token("ab\(1000 + number)"))
            world.topic.append(partition: Int32(number % 4), value: Array(event.utf8))
        }
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        #expect(world.runUntilDone())
        world.run(seconds: 120)
        var turns = 0
        let end = world.clock.now + .seconds(3600)
        while world.clock.now < end, turns < 100_000 {
            world.turn()
            turns += 1
        }
        #expect(world.oracle.mistakes == [])
        return turns
    }

    /// It polls Kafka once a second; everything else may not add as much again.
    private static let limit = 2 * 3600 + 600

    @Test func `takes few turns`() throws {
        #expect(try turns(Seed(1)) < Self.limit)
    }

    @Test func `takes few turns with tracing on`() throws {
        let found = try turns(Seed(2)) {
            $0.spans = SpanQueue(sampler: TraceSampler(share: 1))
        }
        #expect(found < Self.limit)
    }

    @Test func `takes few turns with figures that are published, and PINGs that are off`() throws {
        let found = try turns(Seed(3)) {
            $0.seats[0].board = FigureBoard()
            $0.poolSettings.pingInterval = nil
        }
        #expect(found < Self.limit)
    }

    @Test func `takes few turns behind a firewall that forgets its connections`() throws {
        let found = try turns(Seed(4)) { $0.network.forgetsAfter = .seconds(30) }
        // Each connection is replaced once a minute.
        #expect(found < Self.limit + 60 * 2 * 40)
    }
}
