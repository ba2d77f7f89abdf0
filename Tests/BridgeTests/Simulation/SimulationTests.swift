import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Engine
import Testing

@testable import Bridge

@Suite struct `A worker in bad weather` {
    /// Runs one seed.
    private func live(
        _ seed: Seed, ordering: DeliverySettings.Ordering = .none, records: Int = 250,
        retryPartitions: Int = 0, inDoubt: DeliverySettings.InDoubt = .collapse,
        withLists: Bool = false
    ) throws -> World {
        let world = try World(
            seed: seed, retryPartitions: retryPartitions, behaviour: Weather.behaviour(seed),
            plan: withLists ? try Samples.elementsPlan() : nil
        ) {
            $0.inDoubt = inDoubt
            $0.ordering = ordering
            $0.maxWaiting = Int(seed.number % 7) * (retryPartitions > 0 ? 1 : 4) + 1
            $0.revokeDeadline = .milliseconds(3000)
            $0.results.reportsFiltered = seed.number.isMultiple(of: 2)
            // Some commits have room for fewer offsets than there are records.
            if seed.number % 3 == 1 { $0.commitMetadata = 11 + Int(seed.number % 8) }
            if seed.number % 5 == 2 { $0.maxUncommitted = 4 }
        }
        let weather = Weather(world)
        weather.makesLists = withLists
        weather.write(records)
        weather.begin()
        try weather.run()
        return world
    }

    @Test(arguments: [0, 3])
    func `leaves nothing behind when its world ends`(retryPartitions: Int) throws {
        weak var world: World?
        weak var clock: SimulatedClock?
        weak var topic: SeededTopic?
        weak var network: SimulatedNetwork?
        weak var member: SeededMember?
        do {
            let lived = try live(Seed(5), retryPartitions: retryPartitions)
            (world, clock, topic) = (lived, lived.clock, lived.topic)
            (network, member) = (lived.network, lived.member)
            #expect(member != nil)
        }
        #expect(world == nil)
        #expect(clock == nil && topic == nil && network == nil && member == nil)
    }

    @Test(arguments: Seed.several(30))
    func `loses nothing, and commits nothing too early`(seed: Seed) throws {
        let world = try live(seed)
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.topic.isDone, "\(seed)")
        #expect(world.clock.now < .after(.seconds(400)), "\(seed)")
        // What another owner has done meanwhile may still wait for its own response.
        world.run(seconds: 30)
        #expect(world.bytesInFlight == 0, "\(seed)")
    }

    @Test(
        arguments: [DeliverySettings.Ordering.device, .key, .collapse, .partition],
        // In the last one, keys of two partitions once had the same hash.
        Seed.several(8) + [Seed(87)])
    func `keeps its promises with every ordering`(
        ordering: DeliverySettings.Ordering, seed: Seed
    ) throws {
        let world = try live(seed, ordering: ordering)
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.topic.isDone, "\(seed)")
    }

    @Test(
        arguments: [DeliverySettings.InDoubt.collapse, .resend, .report], Seed.several(8))
    func `keeps its promises with a retry topic, too`(
        inDoubt: DeliverySettings.InDoubt, seed: Seed
    ) throws {
        let world = try live(seed, retryPartitions: 2, inDoubt: inDoubt)
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.topic.isDone, "\(seed)")
    }

    @Test(arguments: [0, 2], Seed.several(10))
    func `loses no element of a list, and keeps the identifier of each`(
        retryPartitions: Int, seed: Seed
    ) throws {
        let isOrdered = retryPartitions == 0 && seed.number.isMultiple(of: 2)
        let ordering: DeliverySettings.Ordering = isOrdered ? .device : .none
        let world = try live(
            seed, ordering: ordering, retryPartitions: retryPartitions, withLists: true)
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.topic.isDone, "\(seed)")
        let outcomes = world.results.records(of: world.settings.results.outcomes)
            .map { String(decoding: $0.value ?? [], as: UTF8.self) }
        #expect(outcomes.contains { $0.contains(#""reason":"no_devices""#) }, "\(seed)")
    }

    @Test(arguments: Seed.several(5))
    func `survives an hour of errors from APNs with a retry topic`(seed: Seed) throws {
        let world = try World(
            seed: seed, retryPartitions: 2,
            behaviour: Scenario(answers: [
                ScriptedAnswer(
                    tokenPrefix: "ab", status: 503, reason: "ServiceUnavailable", attempts: 3)
            ])
        ) {
            $0.maxInFlight = 10
            $0.maxWaiting = 5
        }
        try world.start()
        world.member?.assign((0..<Int32(world.topic.partitions.count)).map { $0 })
        for number in 0..<200 {
            let event = Samples.event(Samples.token("ab\(1000 + number)"))
            world.topic.append(partition: Int32(number % 4), value: Array(event.utf8))
        }
        #expect(world.runUntilDone(seconds: 7200))
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.oracle.totals.duplicates == 0)
        #expect(world.counters.accepted == 200)
        // Each is rejected three times and then accepted: nothing was sent twice.
        #expect(world.counters.attempts == 800)
        #expect(world.counters.movedToRetryTopic > 0)
        #expect(world.counters.movedToRetryTopic == world.counters.takenFromRetryTopic)
    }

    @Test(arguments: Seed.several(5))
    func `behaves identically with the same seed`(seed: Seed) throws {
        let first = try live(seed).history
        let second = try live(seed).history
        let index = zip(first, second).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        #expect(index == nil, "\(seed)")
        #expect(first.count == second.count, "\(seed)")
    }

    @Test(arguments: Seed.several(5))
    func `still delivers a fresh record when the weather is good again`(seed: Seed) throws {
        let world = try live(seed)
        let begin = world.clock.now
        world.topic.append(value: Array(Samples.event(Samples.token("ab")).utf8))
        #expect(world.runUntilDone(seconds: 120), "\(seed)")
        #expect(world.clock.now - begin < .seconds(70), "\(seed)")
    }
}
