import APNs
import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Encoding
import Engine
import Testing

@testable import Bridge

@Suite struct `A world with two apps, of which one is rejected for a while` {
    private static let end = Instant.after(.seconds(40))

    private static func scenario(
        _ status: Int = 403, _ reason: String = "InvalidProviderToken", from start: Int = 5
    ) throws -> Scenario {
        let text = """
            answers:
              - topic: com.example.pay
                from: \(start)s
                until: 25s
                status: \(status)
                reason: \(reason)
            """
        return try Scenario.parse(Array(text.utf8), file: "suspended.yaml")
    }

    private func world(
        _ seed: Seed, _ scenario: Scenario, maxWaiting: Int = 40
    ) throws -> World {
        try World(seed: seed, behaviour: scenario, plan: Samples.twoAppsPlan()) {
            $0.apps = Samples.twoApps
            $0.maxWaiting = maxWaiting
            $0.revokeDeadline = .milliseconds(3000)
        }
    }

    /// Writes records of both apps for 40 seconds; with `isMixed` into all partitions, else the
    /// first two are shop's and the last two pay's. Returns what was written of shop.
    private func write(_ count: Int, to world: World, isMixed: Bool) -> Written {
        let written = Written()
        var chance = world.seed.generator(9)
        for _ in 0..<count {
            let isShop = chance.happens(50)
            let half = Int32(chance.number(in: 0...1))
            let other = chance.happens(50)
            let partition = half + (isMixed ? (other ? 2 : 0) : isShop ? 0 : 2)
            let token = "ab" + String(1000 + chance.next() % 200)
            world.write(
                to: isShop ? "shop" : "pay", token, partition,
                at: chance.moment(until: Self.end), noting: isShop ? written : nil)
        }
        return written
    }

    /// Runs until everything is committed; returns the most records that waited at once.
    @discardableResult
    private func run(_ world: World) throws -> Int {
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        var maxWaiting = 0
        world.run(seconds: 300) {
            maxWaiting = max(maxWaiting, world.waiting)
            return world.clock.now > Self.end && world.topic.isDone
        }
        return maxWaiting
    }

    @Test(arguments: Seed.several(6))
    func `never delays the other one if each has its own partitions`(seed: Seed) throws {
        let world = try world(seed, Self.scenario())
        let written = write(1200, to: world, isMixed: false)
        let maxWaiting = try run(world)
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.topic.isDone, "\(seed)")
        #expect(world.maxWait(of: written) < .seconds(3), "\(seed)")
        #expect(maxWaiting <= 40 && maxWaiting >= 30, "\(seed)")
        #expect(world.log.all.contains { $0.contains("sending suspended") }, "\(seed)")
        #expect(world.log.all.contains { $0.contains("partition paused") }, "\(seed)")
    }

    @Test(arguments: Seed.several(6))
    func `bounds waiting pushes in mixed partitions, and loses nothing`(seed: Seed) throws {
        let world = try world(seed, Self.scenario())
        _ = write(1200, to: world, isMixed: true)
        let maxWaiting = try run(world)
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.topic.isDone, "\(seed)")
        #expect(maxWaiting <= 40, "\(seed)")
        #expect(world.clock.now < .after(.seconds(60)), "\(seed)")
    }

    @Test(arguments: Seed.several(6))
    func `lets the other one continue in mixed partitions while there is room`(seed: Seed) throws {
        let world = try world(seed, Self.scenario(400, "TopicDisallowed"), maxWaiting: 4000)
        let written = write(600, to: world, isMixed: true)
        try run(world)
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.maxWait(of: written) < .seconds(3), "\(seed)")
    }

    /// APNs ties what it knows about an app to a connection at its first accepted push, so that the
    /// old connections never learn that the app was set up.
    @Test(arguments: Seed.several(6))
    func `resumes over fresh connections within a minute once the app is set up`(
        seed: Seed
    ) throws {
        let scenario = try Self.scenario(400, "TopicDisallowed", from: 0)
        let world = try world(seed, scenario, maxWaiting: 4000)
        world.settings.apps[1].route = 0
        // Both apps send from the beginning, and the connections are tied while one is refused.
        world.poolSettings.maxAge = .seconds(14_400)
        let written = write(600, to: world, isMixed: true)
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        let isOver = world.run(seconds: 600) {
            world.clock.now > Self.end && world.topic.isDone
        }
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(isOver, "\(seed)")
        #expect(world.clock.now < .after(.seconds(25 + 75)), "\(seed)")
        #expect(world.maxWait(of: written) < .seconds(3), "\(seed)")
        #expect(world.network.connectionCount <= 8, "\(seed)")
    }

    @Test(arguments: Seed.several(6))
    func `reports no unregistered tokens while the guard is engaged, and all afterwards`(
        seed: Seed
    ) throws {
        let world = try world(seed, .builtIn, maxWaiting: 400)
        world.settings.invalidation = GuardSettings(share: 0.3, minimum: 10)
        var shops = 0
        var chance = seed.generator(5)
        for number in 0..<100 {
            let isShop = chance.happens(50)
            if isShop { shops += 1 }
            let token = Samples.token((isShop ? "dead" : "ab") + String(1000 + number))
            let event = Samples.event(
                token, more: #","bundle_id":"com.example.\#(isShop ? "shop" : "pay")""#)
            world.topic.append(partition: Int32(number % 4), value: Array(event.utf8))
        }
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        world.run(seconds: 20)
        func unregistered() -> Int {
            world.results.entries.filter { $0.record.topic == "apns.unregistered" }.count
        }
        #expect(unregistered() < 10, "\(seed)")
        #expect(world.counters.accepted == 100 - shops, "\(seed)")
        world.release()
        #expect(world.runUntilDone(), "\(seed)")
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(unregistered() == shops, "\(seed)")
    }
}
