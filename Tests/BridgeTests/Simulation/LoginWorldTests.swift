import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Encoding
import Engine
import Testing

@testable import Bridge

/// Worlds whose members log in to Kafka with tokens.
@Suite struct `A worker whose login to Kafka comes and goes` {
    /// What an endpoint may do for a while; its tokens are valid for seconds.
    private static func endpoint(_ chance: inout SeededGenerator) -> SimulatedLogin.Endpoint {
        let life = Int64(chance.number(in: 2...20))
        return switch chance.next() % 9 {
        case 0: .away
        case 1: .responds(503, "")
        case 2: .responds(200, #"{"token_type":"bearer"}"#)
        case 3: .responds(200, "<html>sign in</html>")
        // The secret was rotated.
        case 4: .responds(401, #"{"error":"invalid_client"}"#)
        case 5: .issues(0)
        case 6: .issues(life, after: .milliseconds(chance.number(in: 1...12_000)))
        default: .issues(life)
        }
    }

    /// A world in which all that, and everything else, may go wrong, after it has.
    private static func live(_ seed: Seed) throws -> World {
        var chance = seed.generator(167)
        let world = try World(
            seed: seed, workers: chance.happens(50) ? 2 : 1,
            retryPartitions: chance.happens(30) ? 2 : 0
        ) {
            $0.inDoubt = [.collapse, .resend, .report][Int(chance.next() % 3)]
            $0.maxWaiting = Int(chance.number(in: 1...25))
            $0.revokeDeadline = .milliseconds(3000)
        }
        let weather = Weather(world)
        weather.write(100)
        let login = SimulatedLogin(
            world, endpoint(&chance), maxSession: .milliseconds(chance.number(in: 2000...15_000)),
            groupSession: .milliseconds(chance.number(in: 3000...12_000)))
        login.onExpelled = { [unowned weather] in weather.bringBack($0) }
        for _ in 0..<chance.number(in: 2...10) {
            let next = endpoint(&chance)
            world.clock.schedule(at: chance.moment(until: Weather.end)) { [unowned login] in
                login.endpoint = next
            }
        }
        if chance.happens(30) {
            world.clock.schedule(at: chance.moment(until: Weather.end)) { [unowned login] in
                login.replaceKeys()
            }
        }
        world.clock.schedule(at: Weather.end) { [unowned login] in login.endpoint = .issues(3600) }
        weather.begin()
        login.begin()
        try weather.run()
        return world
    }

    @Test(arguments: Seed.several(60))
    func `keeps every promise in bad weather, and delivers everything in the end`(
        seed: Seed
    ) throws {
        let world = try Self.live(seed)
        world.expectAllPromises()
    }

    /// A world in which nothing but the login is at fault.
    private func fairWorld(_ seed: Seed, seconds: Int64) throws -> World {
        let world = try World(seed: seed)
        world.oracle.isFairWeather = true
        for number in 0..<200 as Range<Int64> {
            world.clock.schedule(at: .after(.milliseconds(number * seconds * 5))) {
                [unowned world] in
                let event = Samples.event(Samples.token("ab\(1000 + number)"))
                let partition = Int32(number % 4)
                let offset = world.topic.append(partition: partition, value: Array(event.utf8))
                world.oracle.expect(1, partition: partition, offset: offset)
            }
        }
        return world
    }

    private func expectEachSentOnce(_ world: World) {
        world.oracle.checkEnd()
        #expect(world.topic.isDone, "\(world.seed)")
        #expect(world.oracle.mistakes == [], "\(world.seed)")
        #expect(world.oracle.totals.duplicates == 0, "\(world.seed)")
        #expect(world.counters.accepted == 200, "\(world.seed)")
        #expect(world.counters.attempts == 200, "\(world.seed)")
    }

    @Test(arguments: Seed.several(6))
    func `sends each push once while brokers end each session and responses are late or missing`(
        seed: Seed
    ) throws {
        let world = try fairWorld(seed, seconds: 900)
        // A token is renewed 12 to 15 seconds before it expires.
        let login = SimulatedLogin(world, .issues(60), maxSession: .seconds(10))
        var chance = seed.generator(5)
        let isLate = seed.number % 2 == 0
        for number in 1..<60 as Range<Int64> {
            let start = Instant.after(.seconds(number * 15))
            let late = Duration.milliseconds(chance.number(in: 6000...9000))
            world.clock.schedule(at: start) { [unowned login] in
                login.endpoint = isLate ? .issues(60, after: late) : .away
            }
            guard !isLate else { continue }
            world.clock.schedule(at: start + .seconds(5)) { [unowned login] in
                login.endpoint = .issues(60)
            }
        }
        login.begin()
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        world.run(seconds: 1000)
        expectEachSentOnce(world)
        #expect(login.sessionsEnded > 60, "\(seed)")
        #expect(login.maxOutage < .seconds(1), "\(seed)")
    }

    @Test(arguments: Seed.several(6))
    func `sends each push once after an outage of its login, within half a minute of its end`(
        seed: Seed
    ) throws {
        let world = try fairWorld(seed, seconds: 600)
        let login = SimulatedLogin(world, .issues(60), groupSession: .seconds(7200))
        var chance = seed.generator(5)
        let start = Instant.after(.seconds(chance.number(in: 60...120)))
        let end = start + .seconds(chance.number(in: 100...400))
        world.clock.schedule(at: start) { [unowned login] in login.endpoint = .away }
        world.clock.schedule(at: end) { [unowned login] in login.endpoint = .issues(60) }
        login.begin()
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        world.run(seconds: 500) { world.clock.now >= end }
        #expect(world.member?.outage != nil && world.topic.reach.isLost, "\(seed)")
        // Every 15 to 30 seconds in the end.
        let requests = login.requests.count { $0 >= start }
        #expect((3...35).contains(requests), "\(seed): \(requests)")
        world.run(seconds: 32) { !world.topic.reach.isLost }
        #expect(!world.topic.reach.isLost && world.member?.outage == nil, "\(seed)")
        world.run(seconds: 600)
        expectEachSentOnce(world)
    }
}
