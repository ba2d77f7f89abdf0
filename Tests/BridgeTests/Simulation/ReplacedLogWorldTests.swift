import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Engine
import Testing

@testable import Bridge

@Suite struct `A worker whose topic is changed while it runs` {
    private func world() throws -> World {
        let world = try World(partitions: 1)
        try world.start()
        world.member?.assign([0])
        return world
    }

    private func append(_ world: World, _ count: Int, _ digits: String = "ab") {
        for number in 0..<count {
            let token = Samples.token("\(digits)\(100 + number)")
            world.topic.append(value: Array(Samples.event(token).utf8))
        }
    }

    private func offsets(_ world: World) throws -> [Int64] {
        try world.results.records(of: "apns.outcomes").map { record in
            let value = String(decoding: record.value ?? [], as: UTF8.self)
            let digits = value.split(separator: #""offset":"#).last?.prefix { $0.isNumber }
            return try #require(digits.flatMap { Int64($0) })
        }
    }

    @Test func `finishes its records when others expire, logs what is gone, and continues`()
        throws
    {
        let world = try world()
        world.habits.largestFetch = 8
        let rule = FaultRule { event, clock in
            guard case .connect = event, clock.now < .after(.seconds(30)) else { return nil }
            return .refuse
        }
        world.network.rules = [rule]
        append(world, 1000)
        world.run(seconds: 10)
        #expect(world.counters.records == 50)
        world.topic.removeRecords(partition: 0, below: 1000)
        append(world, 10)
        #expect(world.runUntilDone())
        let taken = world.counters.records - 10
        #expect(taken >= 50)
        #expect(world.counters.recordsGone == 1000 - taken)
        #expect(world.counters.positionResets == 1)
        let expected = Array(0..<Int64(taken)) + Array(1000..<1010)
        #expect(try offsets(world).sorted() == expected)
        #expect(world.oracle.mistakes == [])
        let lines = world.log.all.filter { $0.contains("removed records before they were read") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("shop.orders") == true)
    }

    @Test func `commits a rejected record when its own dead letter is stored, not an older one`()
        throws
    {
        let world = try world()
        append(world, 10, "bad0")
        #expect(world.runUntilDone())
        let deadLetter = world.settings.results.deadLetter
        let rule = ResultRule { record, _ in
            record.topic == deadLetter ? .stored(after: .seconds(5)) : nil
        }
        world.results.rules = [rule]
        world.replaceLog(of: 0)
        append(world, 1, "bad0")
        append(world, 1)
        #expect(world.runUntilDone())
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [])
        #expect(world.results.records(of: deadLetter).count == 11)
    }

    @Test func `sends all of a topic that was recreated, though it had committed more`() throws {
        let world = try world()
        append(world, 20)
        #expect(world.runUntilDone())
        world.replaceLog(of: 0)
        append(world, 5, "cd")
        #expect(world.runUntilDone())
        #expect(try offsets(world).prefix(20).sorted() == Array(0..<20))
        #expect(try offsets(world).dropFirst(20).sorted() == Array(0..<5))
        #expect(world.topic.committed[0]?.next == 5)
        #expect(world.counters.positionResets == 1)
        #expect(world.oracle.mistakes == [])
    }

    /// A worker that is idle since its topic was deleted.
    private func worldWithoutTopic() throws -> World {
        let world = try world()
        append(world, 20)
        #expect(world.runUntilDone())
        world.delete(0)
        // By now it has tried to commit that this start made progress.
        world.run(seconds: 30)
        return world
    }

    @Test func `stops at once though its topic was deleted, with nothing in flight`() throws {
        let world = try worldWithoutTopic()
        let start = world.clock.now
        world.drain()
        world.run(seconds: 60) { world.hasEnded }
        #expect(world.hasEnded && world.clock.now - start < .seconds(2))
        #expect(world.oracle.mistakes == [])
    }

    @Test func `returns a revoked partition within seconds though its topic was deleted`() throws {
        let world = try worldWithoutTopic()
        let start = world.clock.now
        world.member?.revoke([0])
        let isReturned = world.run(seconds: 60) { world.member?.partitions == [] }
        #expect(isReturned && world.clock.now - start < .seconds(3))
        #expect(world.oracle.mistakes == [])
    }

    @Test func `starts over after a restart if the group had committed more`() throws {
        let world = try world()
        append(world, 20)
        #expect(world.runUntilDone())
        world.replaceLog(of: 0)
        try world.start()
        append(world, 5, "cd")
        world.member?.assign([0])
        #expect(world.runUntilDone())
        #expect(try offsets(world).suffix(5).sorted() == [0, 1, 2, 3, 4])
        #expect(world.oracle.mistakes == [])
    }

    @Test func `sends what a recreated retry topic holds, though it had read more of the old one`()
        throws
    {
        let response = ScriptedResponse(
            tokenPrefix: "5032", status: 503, reason: "ServiceUnavailable", attempts: 1)
        let world = try World(
            partitions: 1, retryPartitions: 1, behaviour: Scenario(responses: [response])
        ) {
            $0.maxWaiting = 1
        }
        try world.start()
        world.member?.assign([0, 1])
        append(world, 20, "5032a")
        #expect(world.runUntilDone())
        let read = try #require(world.topic.committed[1]?.next)
        world.replaceLog(of: 1)
        append(world, 10, "5032b")
        #expect(world.runUntilDone())
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [])
        #expect(world.counters.positionResets == 1)
        #expect(world.counters.accepted == 30)
        #expect(world.oracle.totals.duplicates == 0)
        let next = try #require(world.topic.committed[1]?.next)
        #expect(next > 0 && next < read)
    }

    @Test(arguments: Seed.several(20))
    func `finishes what it had read and not taken, though its window is full`(seed: Seed) throws {
        var chance = seed.generator(43)
        let world = try World(seed: seed, partitions: 3) {
            $0.maxInFlight = Int(chance.number(in: 1...3))
        }
        world.network.rules = [
            FaultRule { event, clock in
                guard case .connect = event, clock.now < .after(.seconds(30)) else { return nil }
                return .refuse
            }
        ]
        for number in 0..<60 {
            let token = Samples.token("ab\(100 + number)")
            world.topic.append(
                partition: Int32(number % 3), value: Array(Samples.event(token).utf8))
        }
        // Each start ends without progress: records are taken one at a time in the end.
        for _ in 0..<4 {
            try world.start()
            world.member?.assign([0, 1, 2])
            world.run(seconds: 2)
        }
        world.run(seconds: Int(chance.number(in: 0...40)))
        world.replaceLog(of: 0)
        let isReplaced = world.run(seconds: 300) { world.counters.positionResets > 0 }
        #expect(isReplaced, "\(seed)")
        append(world, 5, "cd")
        #expect(world.runUntilDone(), "\(seed)")
        let outcomes = world.results.records(of: "apns.outcomes").filter { record in
            Oracle.position(in: String(decoding: record.value ?? [], as: UTF8.self))?.partition == 0
        }
        // All that it had read has been handed over.
        let line = try #require(world.log.all.last { $0.contains("old_offset=") })
        let read = line.split(separator: "old_offset=").last?.prefix { $0.isNumber }
        #expect(outcomes.count == read.flatMap { Int($0) }.map { $0 + 5 }, "\(seed)")
        #expect(world.oracle.mistakes == [], "\(seed)")
    }
}
