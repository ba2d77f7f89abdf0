import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Encoding
import Engine
import Testing

@testable import Bridge

/// Two members share the rate of their group, while partitions move between them, members end in
/// every way and start again, and the network and Kafka fail.
@Suite struct `A world whose members share a rate` {
    /// Pushes a second, all of which may also be sent at once.
    private static let rate = 40
    private static let partitions = 4

    private func live(_ seed: Seed) throws -> World {
        let world = try World(seed: seed, partitions: Self.partitions, workers: 2) {
            $0.rate.perApp = PushRate(Self.rate, per: .seconds(1))
            $0.rate.owner = .group
            $0.maxInFlight = 400
            $0.maxQueued = 400
            $0.revokeDeadline = .milliseconds(3000)
            // Rightly, the guard would withhold the last of so many bad tokens for good.
            $0.invalidation.minimum = 100_000
        }
        world.results.partitionCounts[World.topicName] = Self.partitions
        let weather = Weather(world)
        weather.write(1600)
        weather.beginToMovePartitions()
        try weather.run()
        return world
    }

    /// The most requests within a window, less what the rate allows in it: the buckets that were
    /// full at its start, and those of the partitions that were assigned meanwhile.
    private func excess(_ world: World, _ window: Int64) -> (most: Int, excess: Int) {
        // What was sent may be on its way for some time.
        let delay: Int64 = 2000
        let assigned = (world.weather?.assignmentTimes ?? []).map {
            world.clock.wallClock - Int64((world.clock.now - $0) / .milliseconds(1))
        }
        let times = world.requests.map(\.arrivedAt)
        var (most, excess) = (0, Int.min)
        var first = 0
        for last in times.indices {
            while times[last] - times[first] > window { first += 1 }
            let count = last - first + 1
            let moved = assigned.count {
                (times[first] - delay...times[last]).contains($0)
            }
            let allowed =
                Self.rate * Int(times[last] - times[first] + delay) / 1000 + Self.rate
                + moved * Self.rate / Self.partitions
            most = max(most, count)
            excess = max(excess, count - allowed)
        }
        return (most, excess)
    }

    @Test(arguments: Seed.several(6))
    func `never sends faster than the rate of the group, and loses nothing`(seed: Seed) throws {
        let world = try live(seed)
        world.expectAllPromises()
        for seconds: Int64 in [1, 5, 15] {
            let (most, excess) = excess(world, seconds * 1000)
            #expect(excess <= 0, "\(seed): \(most) requests in \(seconds) s, \(excess) too many")
        }
        // It would prove nothing if the members were never busy.
        #expect(excess(world, 15_000).most > 15 * Self.rate / 2, "\(seed)")
    }
}

extension Weather {
    /// Lets the network and Kafka fail, and the group move partitions, always so that nobody else
    /// still acts for them.
    fileprivate func beginToMovePartitions() {
        beginFaultyRequests()
        for _ in 0..<chance.number(in: 2...6) {
            let some = (0..<Int32(world.topic.partitions.count)).filter { _ in chance.happens(50) }
            let number = Int(chance.next() % UInt64(world.seats.count))
            let isLost = chance.happens(30)
            world.clock.schedule(at: chance.moment(until: Self.end)) { [unowned self] in
                guard let member = world.seats[number].member else { return }
                guard isLost else { return member.revoke(some) }
                takeAway(some, from: member, isAnnounced: true)
            }
        }
        scheduleEnds()
        scheduleFairWeather()
    }
}
