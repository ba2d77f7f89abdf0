import APNs
import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Engine
import Testing

@testable import Bridge

@Suite struct `A world with two apps, of which one has more to send than it may` {
    private static let end = Instant.after(.seconds(30))

    private func world(
        _ seed: Seed, _ scenario: String, tweak: (inout EngineSettings) -> Void
    ) throws -> World {
        let behaviour = try Scenario.parse(Array(scenario.utf8), file: "busy.yaml")
        return try World(seed: seed, behaviour: behaviour, plan: Samples.twoAppsPlan()) {
            $0.apps = Samples.twoApps
            $0.maxInFlight = 60
            $0.maxWaiting = 4000
            $0.maxQueued = 8
            tweak(&$0)
        }
    }

    /// Writes many records of shop within a second, and some of pay for 30 seconds, into partitions
    /// of their own; returns what was written of pay.
    private func write(shop: Int, pay: Int, to world: World) -> Written {
        let written = Written()
        var chance = world.seed.generator(9)
        for number in 0..<(shop + pay) {
            let isShop = number < shop
            let partition = (isShop ? 0 : 2) + Int32(chance.number(in: 0...1))
            let latest = isShop ? Instant.after(.seconds(1)) : Self.end
            world.write(
                to: isShop ? "shop" : "pay", "ab" + String(1000 + number), partition,
                at: chance.moment(until: latest), noting: isShop ? nil : written)
        }
        return written
    }

    private func check(_ world: World, _ written: Written, _ seed: Seed) throws {
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        world.run(seconds: 300) { world.clock.now > Self.end && world.topic.isDone }
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.topic.isDone, "\(seed)")
        #expect(world.maxWait(of: written) < .seconds(3), "\(seed)")
    }

    @Test(arguments: Seed.several(6))
    func `never delays the other one if its rate is limited`(seed: Seed) throws {
        let world = try world(seed, "latency: 20ms") {
            $0.rate.perApp = PushRate(20, per: .seconds(1))
        }
        try check(world, write(shop: 500, pay: 60, to: world), seed)
    }

    @Test(arguments: Seed.several(6))
    func `never delays the other one if it was suspended before`(seed: Seed) throws {
        let world = try world(
            seed,
            """
            latency: 500ms
            answers:
              - {topic: com.example.shop, until: 8s, status: 403, reason: InvalidProviderToken}
            """
        ) { _ in }
        world.poolSettings.maxStreams = 4
        try check(world, write(shop: 400, pay: 40, to: world), seed)
        #expect(world.log.all.contains { $0.contains("sending suspended") }, "\(seed)")
    }
}
