import BridgeSamples
import BridgeTesting
import Delivery
import Encoding
import Engine
import Testing

@testable import Bridge

@Suite struct `A world with a record of which every worker dies` {
    /// A world with 60 events in three partitions, of which the middle one is deadly.
    private func world(
        _ seed: Seed, workers: Int = 1, diesWhenSent: Bool?
    ) throws -> (World, Weather) {
        let world = try World(seed: seed, partitions: 3, workers: workers)
        let weather = Weather(world)
        for number in 0..<60 {
            if number == 30, let diesWhenSent { weather.writeDeadlyRecord(0, diesWhenSent) }
            let event = Samples.event(Samples.token("ab\(1000 + number)"))
            world.topic.append(partition: Int32(number % 3), value: Array(event.utf8))
        }
        return (world, weather)
    }

    @Test(arguments: Seed.several(5), [false, true])
    func `ends that record, and sends all others`(seed: Seed, diesWhenSent: Bool) throws {
        let (world, weather) = try world(seed, workers: 2, diesWhenSent: diesWhenSent)
        try weather.run()
        #expect(world.topic.isDone, "\(seed)")
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        // A start in which one of the twenty records before the deadly one was finished does not
        // count.
        #expect((5...15).contains(weather.deadly?.deaths ?? 0), "\(seed)")
        let crashed = Set(world.oracle.crashes.outcomes)
        #expect(crashed.count == 1, "\(seed)")
        let verdict = diesWhenSent ? "unknown" : "dropped"
        #expect(crashed.first?.contains(#""verdict":"\#(verdict)""#) == true, "\(seed)")
        let accepted = (0..<3).flatMap { partition in
            (0..<21).filter { offset in
                world.oracle.outcomes(partition: Int32(partition), offset: Int64(offset))
                    .contains { $0.contains(#""verdict":"accepted""#) }
            }
        }
        #expect(accepted.count == 60, "\(seed)")
    }

    @Test(arguments: Seed.several(20), [false, true])
    func `ends only that record in a process with two workers`(
        seed: Seed, diesWhenSent: Bool
    ) throws {
        let (world, weather) = try world(seed, workers: 2, diesWhenSent: diesWhenSent)
        world.process = SoleRecordLock()
        try weather.run()
        #expect(world.topic.isDone, "\(seed)")
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect((5...15).contains(weather.deadly?.deaths ?? 0), "\(seed)")
        #expect(Set(world.oracle.crashes.outcomes).count == 1, "\(seed)")
    }

    @Test(arguments: Seed.several(5))
    func `takes all records normally after ten kills of a bridge without events`(
        seed: Seed
    ) throws {
        let world = try World(seed: seed, partitions: 3)
        for number in 0..<3 {
            let event = Samples.event(Samples.token("ab\(1000 + number)"))
            world.topic.append(partition: Int32(number), value: Array(event.utf8))
        }
        for _ in 0..<10 {
            try world.start()
            world.member?.assign([0, 1, 2])
            world.run(seconds: 4)
        }
        #expect(world.topic.isDone && world.counters.crashedStarts == 0, "\(seed)")
        #expect(world.topic.committed.values.allSatisfy {
            StartMark(metadata: $0.metadata) == StartMark()
        })
    }

    /// True once the first partition is committed up to an offset.
    private static func isCommitted(_ topic: SeededTopic, to offset: Int64) -> Bool {
        topic.committed[0].map { $0.next >= offset } ?? false
    }

    @Test(arguments: Seed.several(20))
    func `continues when the broker refuses metadata while few records may be open`(
        seed: Seed
    ) throws {
        let (world, weather) = try world(seed, diesWhenSent: seed.number % 2 == 0)
        var chance = seed.generator(71)
        let (clock, limit) = (world.clock, Int(chance.number(in: 0...15)))
        let pause = Duration.milliseconds(chance.number(in: 0...3000))
        let deadly = try #require(weather.deadly?.offset)
        func refuse() {
            guard Self.isCommitted(world.topic, to: deadly + 1) else {
                return clock.schedule(after: .milliseconds(1)) { refuse() }
            }
            world.oracle.refusesMetadata = true
            world.topic.metadataLimit = limit
        }
        func continueAfterTheEnd() {
            guard !world.oracle.crashes.outcomes.isEmpty else {
                return clock.schedule(after: .milliseconds(10)) { continueAfterTheEnd() }
            }
            let event = Samples.event(Samples.token("ab2000"))
            // One at a time, so that none is held while another is tried.
            for number in 0..<30 {
                clock.schedule(after: .seconds(number)) {
                    world.topic.append(partition: 0, value: Array(event.utf8))
                }
            }
            clock.schedule(after: pause) { refuse() }
        }
        continueAfterTheEnd()
        try weather.run()
        // The weather may have ended between two of these events.
        world.run(seconds: 60) { world.oracle.refusesMetadata }
        #expect(world.runUntilDone(), "\(seed)")
        #expect(world.oracle.refusesMetadata, "\(seed)")
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
    }

    @Test(arguments: Seed.several(20))
    func `ends only that record while partitions move from worker to worker`(seed: Seed) throws {
        let (world, weather) = try world(seed, workers: 2, diesWhenSent: seed.number % 2 == 0)
        var chance = seed.generator(41)
        for _ in 0..<60 {
            let number = chance.happens(50) ? 1 : 0
            let some = (0..<3 as Range<Int32>).filter { _ in chance.happens(50) }
            world.clock.schedule(at: chance.moment(until: Weather.end)) {
                world.seats[number].member?.revoke(some)
            }
        }
        try weather.run()
        #expect(world.topic.isDone, "\(seed)")
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        let deadly = try #require(weather.deadly)
        for crashed in world.oracle.crashes.outcomes {
            let position = try #require(Oracle.position(in: crashed))
            #expect(position.partition == deadly.partition, "\(seed)")
            #expect(position.offset == deadly.offset, "\(seed)")
        }
    }

    /// True while a record is alone that was alone when the worker was killed before. From outside,
    /// another kill could not be distinguished from a crash by that record.
    private static func isAloneAgain(_ topic: SeededTopic) -> Bool {
        topic.committed.values.contains { StartMark(metadata: $0.metadata).starts >= 5 }
    }

    @Test(arguments: Seed.several(5))
    func `ends no record for ten kills at any time`(seed: Seed) throws {
        let (world, weather) = try world(seed, diesWhenSent: nil)
        var chance = seed.generator(31)
        for _ in 0..<10 {
            world.clock.schedule(at: chance.moment(until: Weather.end)) {
                guard !Self.isAloneAgain(world.topic) else { return }
                weather.endings[0] = .killed
                world.clock.wake()
            }
        }
        try weather.run()
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.oracle.crashes.outcomes == [], "\(seed)")
        #expect(world.oracle.totals.outcomes >= 60)
    }
}
