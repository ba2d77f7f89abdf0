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
    /// Where tokens come from.
    enum Kind: CaseIterable, Sendable {
        case server, file, webIdentity, role, container, instance

        fileprivate func source(in world: World) -> any SimulatedTokenSource {
            switch self {
            case .server: SimulatedTokenServer(world)
            case .file: SimulatedTokenFile(world)
            case .webIdentity: SimulatedAWS(world, .webIdentity)
            case .role: SimulatedAWS(world, .role)
            case .container: SimulatedAWS(world, .container)
            case .instance: SimulatedAWS(world, .instance)
            }
        }
    }

    /// A world in which all that, and everything else, may go wrong, after it has.
    private static func live(_ kind: Kind, _ seed: Seed) throws -> World {
        var chance = seed.generator(191)
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
            world, kind.source(in: world),
            maxSession: .milliseconds(chance.number(in: 2000...15_000)),
            groupSession: .milliseconds(chance.number(in: 3000...12_000)))
        login.onExpelled = { [unowned weather] in weather.bringBack($0) }
        for _ in 0..<chance.number(in: 2...10) {
            world.clock.schedule(at: chance.moment(until: Weather.end)) { [unowned login] in
                login.source.change()
            }
        }
        if chance.happens(30) {
            world.clock.schedule(at: chance.moment(until: Weather.end)) { [unowned login] in
                login.replaceKeys()
            }
        }
        world.clock.schedule(at: Weather.end) { [unowned login] in login.source.heal() }
        weather.begin()
        login.begin()
        try weather.run()
        return world
    }

    @Test(arguments: Kind.allCases, Seed.several(20))
    func `keeps every promise in bad weather, and delivers everything in the end`(
        kind: Kind, seed: Seed
    ) throws {
        let world = try Self.live(kind, seed)
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

    /// Plays a world whose brokers end each session, and expects each push once and no outage.
    private func run(_ world: World, throughShortSessionsOf login: SimulatedLogin) throws {
        login.begin()
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        world.run(seconds: 1000)
        expectEachSentOnce(world)
        #expect(login.sessionsEnded > 60, "\(world.seed)")
        #expect(login.maxOutage < .seconds(1), "\(world.seed)")
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
        let server = SimulatedTokenServer(world, .issues(60))
        let login = SimulatedLogin(world, server, maxSession: .seconds(10))
        var chance = seed.generator(5)
        let isLate = seed.number % 2 == 0
        for number in 1..<60 as Range<Int64> {
            let start = Instant.after(.seconds(number * 15))
            let late = Duration.milliseconds(chance.number(in: 6000...9000))
            world.clock.schedule(at: start) {
                server.endpoint = isLate ? .issues(60, after: late) : .away
            }
            guard !isLate else { continue }
            world.clock.schedule(at: start + .seconds(5)) { server.endpoint = .issues(60) }
        }
        try run(world, throughShortSessionsOf: login)
    }

    @Test(arguments: Seed.several(6))
    func `sends each push once after an outage of its login, within half a minute of its end`(
        seed: Seed
    ) throws {
        let world = try fairWorld(seed, seconds: 600)
        let server = SimulatedTokenServer(world, .issues(60))
        let login = SimulatedLogin(world, server, groupSession: .seconds(7200))
        var chance = seed.generator(5)
        let start = Instant.after(.seconds(chance.number(in: 60...120)))
        let end = start + .seconds(chance.number(in: 100...400))
        world.clock.schedule(at: start) { server.endpoint = .away }
        world.clock.schedule(at: end) { server.endpoint = .issues(60) }
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

    /// The signed tokens of credentials that expire within a minute are renewed before that.
    @Test(arguments: SimulatedAWS.Kind.allCases, Seed.several(2))
    func `sends each push once while AWS is away or forgets sessions, and credentials expire`(
        kind: SimulatedAWS.Kind, seed: Seed
    ) throws {
        let world = try fairWorld(seed, seconds: 900)
        let aws = SimulatedAWS(world, kind)
        aws.services = .issue(60)
        aws.identity.write(.token(3600))
        let login = SimulatedLogin(world, aws, maxSession: .seconds(10))
        for number in 1..<60 as Range<Int64> {
            let start = Instant.after(.seconds(number * 15))
            world.clock.schedule(at: start) {
                aws.services = number % 2 == 0 ? .away : .issue(60)
                aws.services.forgetSessions = true
                aws.identity.write(.half)
            }
            world.clock.schedule(at: start + .seconds(5)) {
                aws.services = .issue(60)
                aws.identity.write(.token(3600))
            }
        }
        try run(world, throughShortSessionsOf: login)
    }

    @Test(arguments: Seed.several(6))
    func `sends each push once while a file is replaced in place, and soon after it is whole`(
        seed: Seed
    ) throws {
        let world = try fairWorld(seed, seconds: 900)
        let file = SimulatedTokenFile(world)
        file.write(.token(60))
        let login = SimulatedLogin(world, file, maxSession: .seconds(10))
        var chance = seed.generator(5)
        let contents: [SimulatedTokenFile.Content] = [.half, .empty, .missing, .folder, .stale]
        for number in 1..<60 as Range<Int64> {
            let start = Instant.after(.seconds(number * 15))
            let content = contents[Int(chance.next() % UInt64(contents.count))]
            world.clock.schedule(at: start) { file.write(content) }
            let end = start + .milliseconds(chance.number(in: 1...3000))
            world.clock.schedule(at: end) { file.write(.token(60)) }
        }
        login.begin()
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        world.run(seconds: 1000)
        expectEachSentOnce(world)
        #expect(login.sessionsEnded > 60, "\(seed)")
        #expect(login.maxOutage < .seconds(8), "\(seed)")
    }
}
