import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Engine
import Testing

@testable import Bridge

@Suite struct `A worker in bad weather` {
    @Test(arguments: Seed.several(4))
    func `leaves nothing behind when its world ends`(seed: Seed) throws {
        weak var world: World?
        weak var clock: SimulatedClock?
        weak var topic: SeededTopic?
        weak var network: SimulatedNetwork?
        weak var member: SeededMember?
        do {
            let lived = try Weather.live(seed)
            (world, clock, topic) = (lived, lived.clock, lived.topic)
            (network, member) = (lived.network, lived.member)
            #expect(member != nil)
        }
        #expect(world == nil)
        #expect(clock == nil && topic == nil && network == nil && member == nil)
    }

    /// The last ones once found faults of the worker or of these checks.
    @Test(arguments: Seed.several(
        250, and: 1189, 1198, 1981, 2749, 3039, 3341, 4152, 4303, 5364, 6358, 12_624))
    func `keeps every promise, and delivers a fresh record once the weather is good again`(
        seed: Seed
    ) throws {
        let world = try Weather.live(seed)
        world.expectAllPromises()
        let begin = world.clock.now
        let token = Samples.token("ab9999")
        let event = Samples.event(token, more: #","bundle_id":"com.example.shop""#)
        let offset = world.topic.append(value: Array(event.utf8))
        world.oracle.expect(1, partition: 0, offset: offset)
        #expect(world.runUntilDone(seconds: 120), "\(world)")
        #expect(world.clock.now - begin < .seconds(70), "\(world)")
        #expect(world.oracle.mistakes == [], "\(world)")
        // What another owner has done meanwhile may still wait for its response, or its next
        // attempt, five minutes at most.
        world.run(seconds: 400) { world.seats.allSatisfy { $0.bytes == 0 } }
        #expect(world.seats.allSatisfy { $0.bytes == 0 }, "\(world)")
    }

    @Test(arguments: Seed.several(5))
    func `survives an hour of errors from APNs with a retry topic`(seed: Seed) throws {
        let world = try World(
            seed: seed, retryPartitions: 2,
            behaviour: Scenario(responses: [
                ScriptedResponse(
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
        let first = try Weather.live(seed)
        let second = try Weather.live(seed)
        let pairs = zip(first.history, second.history).enumerated()
        #expect(pairs.first { $0.element.0 != $0.element.1 }?.offset == nil, "\(seed)")
        #expect(first.trace == second.trace, "\(seed)")
    }
}
