import APNs
import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Engine
import Testing

@testable import Bridge

@Suite struct `A world with pushes that wait for a retry` {
    private func world(
        _ seed: Seed, _ scenario: String, tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> World {
        let behaviour = try Scenario.parse(Array(scenario.utf8), file: "retries.yaml")
        return try World(seed: seed, behaviour: behaviour) {
            $0.retry.first = .seconds(8)
            tweak(&$0)
        }
    }

    private func write(
        _ world: World, _ token: String, at time: Instant, more: String, until end: Int64? = nil
    ) {
        let event = Samples.event(Samples.token(token), more: more)
        world.clock.schedule(at: time) { [unowned world] in
            let offset = world.topic.append(partition: 0, value: Array(event.utf8))
            world.oracle.expect(1, partition: 0, offset: offset, until: end)
        }
    }

    private func check(_ world: World, _ seed: Seed) throws {
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        world.run(seconds: 10)
        #expect(world.runUntilDone(seconds: 300), "\(seed)")
        world.oracle.check(world.requests)
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
    }

    @Test(arguments: Seed.several(6))
    func `sends none of them over a newer one that arrived`(seed: Seed) throws {
        let world = try world(
            seed,
            "answers: [{device_token: 5b, until: 2s, status: 503, reason: ServiceUnavailable}]")
        for number in 0..<20 {
            for time in [Instant.after(.seconds(1)), .after(.seconds(3))] {
                write(world, "5b\(100 + number)", at: time, more: #","collapse_id":"order""#)
            }
        }
        try check(world, seed)
        #expect(world.counters.accepted >= 20, "\(seed)")
        let superseded = world.results.records(of: "apns.outcomes").count {
            String(decoding: $0.value ?? [], as: UTF8.self).contains(#""reason":"superseded""#)
        }
        #expect(superseded > 5, "\(seed)")
    }

    @Test(arguments: Seed.several(6))
    func `lets none of them expire by a clock that jumped`(seed: Seed) throws {
        let world = try world(
            seed, "answers: [{until: 3s, status: 503, reason: ServiceUnavailable}]")
        let end = world.clock.wallClock / 1000 + 600
        for number in 0..<20 {
            write(
                world, "ab\(100 + number)", at: .after(.seconds(2)),
                more: #","expiration":\#(end)"#, until: end)
        }
        let lead: Int64 = 7_200_000
        world.clock.schedule(at: .after(.seconds(3))) { [unowned world] in
            world.clock.isSynchronized = false
            world.clock.wallClockStart += lead
            (world.oracle.hasClockJumped, world.oracle.doubtfulLead) = (true, lead)
        }
        world.clock.schedule(at: .after(.seconds(30))) { [unowned world] in
            world.clock.wallClockStart -= lead
            world.clock.isSynchronized = true
            world.oracle.doubtfulLead = nil
        }
        try check(world, seed)
        #expect(world.counters.accepted == 20, "\(seed)")
    }

    @Test(arguments: Seed.several(6))
    func `delays none of them until no new push waits`(seed: Seed) throws {
        let scenario =
            "answers: [{device_token: 5b, first: 1, status: 503, reason: ServiceUnavailable}]"
        let world = try world(seed, scenario) {
            $0.retry.first = .seconds(1)
            $0.maxQueued = 8
            $0.rate.perApp = PushRate(20, per: .seconds(1))
        }
        let written = Written()
        for number in 0..<10 {
            world.write(
                to: "shop", "5b\(100 + number)", Int32(number % 4), at: .after(.seconds(1)),
                noting: written)
        }
        for number in 0..<800 {
            world.write(
                to: "shop", "ab\(1000 + number)", Int32(number % 4),
                at: .after(.milliseconds(1000 + number * 25)))
        }
        try check(world, seed)
        #expect(world.maxWait(of: written) < .seconds(10), "\(seed)")
    }
}
