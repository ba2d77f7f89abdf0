import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Encoding
import Engine
import Testing

@testable import Bridge

/// Worlds of so many records that the metadata of a commit reaches what Kafka stores by default.
@Suite struct `A worker whose commits are full in bad weather` {
    /// Three of four records wait for a retry until the weather is good. The gaps between the
    /// offsets are so wide that a commit has no room for all of them.
    private static let records = 1200

    private static func live(_ seed: Seed) throws -> World {
        var chance = seed.generator(61)
        var refusal = ScriptedResponse(
            tokenPrefix: "5990", status: 500, reason: "InternalServerError")
        refusal.schedule = Schedule(from: 0, until: 45_000)
        let world = try World(
            seed: seed, partitions: 1, workers: chance.happens(50) ? 2 : 1,
            retryPartitions: chance.happens(30) ? 2 : 0,
            behaviour: Scenario(responses: [refusal] + Scenario.builtIn.responses)
        ) {
            $0.maxInFlight = 300
            $0.maxWaiting = 5000
            $0.retry = RetryPolicy(first: .seconds(60), maximum: .seconds(60))
            $0.revokeDeadline = .milliseconds(3000)
        }
        let weather = Weather(world)
        let gap = UInt64(1) << 51
        for number in 0..<records {
            let token = Samples.token((number % 4 > 0 ? "5990" : "ab") + String(10_000 + number))
            let offset = world.topic.append(
                value: Array(Samples.event(token).utf8),
                skipping: chance.happens(90) ? Int64(chance.number(in: gap / 2...gap)) : 0)
            world.oracle.expect(1, partition: 0, offset: offset)
        }
        weather.begin()
        // After the clock was set back, pushes in the retry topic may wait one after the other.
        try weather.run(seconds: 40_000)
        return world
    }

    /// They take as long as ten others.
    private static let seeds = Seed.several(1000, and: 7481, 33_361).filter { $0.number % 40 == 1 }

    @Test(arguments: seeds)
    func `keeps every promise although it may take no more records`(seed: Seed) throws {
        let world = try Self.live(seed)
        world.expectAllPromises()
        // The metadata grows beyond 1,500 characters, unless the broker refuses it or the
        // records are deleted before.
        let lengths = world.topic.commits.map { $0.position.metadata.unicodeScalars.count }
        let isShort = world.oracle.refusesMetadata || world.oracle.replaced.contains(0)
        #expect(isShort || lengths.max() ?? 0 > 1500, "\(world)")
    }
}
