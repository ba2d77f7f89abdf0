import APNsSimulator
import BridgeSamples
import BridgeTesting
import Delivery
import Encoding
import Testing

@testable import Bridge

@Suite struct `A group whose topic grows` {
    /// The offsets of a partition that have an outcome.
    private func reported(_ world: World, _ partition: Int32) -> Set<Int64> {
        var found: Set<Int64> = []
        for record in world.results.records(of: "apns.outcomes") {
            let value = String(decoding: record.value ?? [], as: UTF8.self)
            guard let position = Oracle.position(in: value), position.partition == partition else {
                continue
            }
            found.insert(position.offset)
        }
        return found
    }

    private func append(_ world: World, _ partition: Int32, _ count: Int = 1) {
        for _ in 0..<count {
            world.topic.append(
                partition: partition, value: Array(Samples.event(Samples.token("ab01")).utf8))
        }
    }

    /// Runs until all that is expected has an outcome.
    private func run(_ world: World, until isOver: @escaping () -> Bool) -> Bool {
        world.run(seconds: 120, until: isOver)
    }

    @Test(arguments: [true, false])
    func `reads what is added from its beginning, running or stopped`(isRunning: Bool) throws {
        let world = try World(partitions: 1)
        world.topic.startsAtEnd = true
        append(world, 0, 5)
        try world.start()
        world.member?.assign([0])
        append(world, 0, 5)
        #expect(run(world) { reported(world, 0).count == 5 })
        if !isRunning {
            world.drain()
            world.run(seconds: 60) { world.hasEnded }
        }
        let added = [world.topic.addPartition(), world.topic.addPartition()]
        for partition in added { append(world, partition, 5) }
        if !isRunning { try world.start() }
        world.member?.assign([0] + added)
        #expect(run(world) { added.allSatisfy { reported(world, $0).count == 5 } })
        #expect(reported(world, 0) == Set(5..<10))
        #expect(world.oracle.mistakes == [])
        let lines = world.log.all.filter { $0.contains("a partition was added to a topic") }
        #expect(lines.count == 2)
    }

    @Test func `leaves the rest at its end, though a member died between its first commits`() throws
    {
        let world = try World(partitions: 3)
        world.topic.startsAtEnd = true
        for partition in 0..<3 as Range<Int32> { append(world, partition, 5) }
        try world.start()
        world.member?.assign([1])
        try world.start()
        world.member?.assign([0, 1, 2])
        for partition in 0..<3 as Range<Int32> { append(world, partition, 2) }
        #expect(run(world) { (0..<3).allSatisfy { reported(world, $0) == [5, 6] } })
        #expect(world.oracle.mistakes == [])
    }

    /// Members begin together, die and return, while the topic grows.
    @Test(arguments: Seed.several(30))
    func `loses nothing and sends nothing from before it began`(seed: Seed) throws {
        var chance = seed.generator(97)
        let first = Int32(chance.number(in: 1...3))
        let world = try World(seed: seed, partitions: Int(first), workers: 2)
        world.topic.startsAtEnd = true
        world.habits.failingCommits = chance.number(in: 0...30)
        for partition in 0..<first { append(world, partition, Int(chance.number(in: 0...5))) }
        var begun: [Int32: Int64] = [:]
        for number in 0..<2 { try world.start(number) }
        for round in 0..<12 {
            let count = Int32(world.topic.partitions.count)
            switch chance.next() % 4 {
            case 0 where count < 8:
                let added = world.topic.addPartition()
                if !world.topic.committed.isEmpty { begun[added] = 0 }
                append(world, added, Int(chance.number(in: 0...4)))
            case 1:
                let number = Int(chance.next() % 2)
                try world.start(number)
            default: break
            }
            let members = world.seats.compactMap(\.member)
            for partition in 0..<Int32(world.topic.partitions.count)
            where round == 11 || chance.happens(60) {
                for member in members { member.lose([partition]) }
                members[Int(chance.next() % 2)].assign([partition])
                if begun[partition] == nil {
                    begun[partition] = world.topic.committed[partition]?.next
                }
                append(world, partition, Int(chance.number(in: 0...3)))
            }
            world.run(seconds: Int(chance.number(in: 0...3)))
        }
        let isDone = run(world) {
            begun.allSatisfy { partition, start in
                let wanted = Set(start..<world.topic.range(of: partition).high)
                return wanted.isSubset(of: reported(world, partition))
            }
        }
        let missing = begun.map { partition, start in
            Set(start..<world.topic.range(of: partition).high)
                .subtracting(reported(world, partition)).sorted().map { "\(partition)/\($0)" }
        }
        #expect(isDone, "\(seed) \(missing) \(world.topic.committed)")
        for (partition, start) in begun {
            let early = reported(world, partition).filter { $0 < start }
            #expect(early.isEmpty, "\(seed)")
        }
        #expect(world.oracle.mistakes == [], "\(seed)")
    }
}

@Suite struct `A log that loses its last records` {
    private func append(_ world: World, _ count: Int, _ time: Int64? = nil, digits: String = "ab") {
        for number in 0..<count {
            let token = Samples.token("\(digits)\(100 + number)")
            world.topic.append(value: Array(Samples.event(token).utf8), timestamp: time)
        }
    }

    private func offsets(_ world: World) -> [Int64] {
        world.results.records(of: "apns.outcomes").compactMap { record in
            Oracle.position(in: String(decoding: record.value ?? [], as: UTF8.self))?.offset
        }
    }

    /// A topic of 200 records that ten minutes ago, and 20 now; all are done.
    private func world() throws -> World {
        let world = try World(partitions: 1)
        append(world, 200, world.clock.wallClock - 600_000)
        append(world, 20)
        try world.start()
        world.member?.assign([0])
        #expect(world.runUntilDone())
        #expect(offsets(world).count == 220)
        return world
    }

    @Test(arguments: [true, false])
    func `goes on where it was, with a minute of repetitions`(isRunning: Bool) throws {
        let world = try world()
        world.truncate(0, from: 219)
        if !isRunning { try world.start() }
        world.run(seconds: 5)
        if !isRunning { world.member?.assign([0]) }
        world.run(seconds: 5)
        append(world, 3, digits: "cd")
        #expect(world.runUntilDone())
        #expect(offsets(world).dropFirst(220).sorted() == Array(200..<222))
        let lines = world.log.all.filter { $0.contains("recreated or truncated") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("the first record since") == true)
        #expect(world.oracle.mistakes == [])
    }

    @Test func `does not pass over new records as done, where older ones were`() throws {
        let response = ScriptedResponse(
            tokenPrefix: "503", status: 503, reason: "ServiceUnavailable")
        let world = try World(partitions: 1, behaviour: Scenario(responses: [response]))
        append(world, 1, digits: "503")
        append(world, 20)
        try world.start()
        world.member?.assign([0])
        world.run(seconds: 20)
        #expect(world.topic.committed[0]?.next == 0)
        #expect(offsets(world).count == 20)
        // The commit says that the records up to 20 are done; 15 to 20 get lost.
        world.truncate(0, from: 15)
        try world.start()
        world.run(seconds: 1)
        world.member?.assign([0])
        append(world, 3, digits: "cd")
        world.run(seconds: 60)
        #expect(Set(offsets(world).dropFirst(20)).isSuperset(of: [15, 16, 17]))
    }

    @Test func `is sent again from its oldest record if times went backwards`() throws {
        let world = try World(partitions: 1)
        append(world, 20)
        append(world, 20, world.clock.wallClock - 600_000)
        try world.start()
        world.member?.assign([0])
        #expect(world.runUntilDone())
        world.truncate(0, from: 39)
        world.run(seconds: 5)
        append(world, 1, digits: "cd")
        #expect(world.runUntilDone())
        #expect(offsets(world).dropFirst(40).sorted() == Array(0..<40))
        let lines = world.log.all.filter { $0.contains("times go backwards") }
        #expect(lines.count == 1)
    }
}

@Suite struct `A worker that loses its partitions` {
    @Test(arguments: Seed.several(20))
    func `does not repeat what it has finished when they come back`(seed: Seed) throws {
        var chance = seed.generator(101)
        let world = try World(seed: seed, partitions: 3)
        try world.start()
        world.member?.assign([0, 1, 2])
        for round in 0..<5 {
            world.member?.failCommits(Int(chance.number(in: 0...200)))
            for number in 0..<Int(chance.number(in: 1...80)) {
                let token = Samples.token("ab\(100 + number)")
                world.topic.append(
                    partition: Int32(number % 3), value: Array(Samples.event(token).utf8))
            }
            // Nothing is in flight when they are lost: that could not be distinguished from what is
            // sent.
            let count = world.topic.partitions.reduce(0) { $0 + $1.count }
            let isReported = world.run(seconds: 60) {
                world.results.records(of: "apns.outcomes").count == count
            }
            #expect(isReported, "\(seed) \(round)")
            world.run(seconds: Int(chance.number(in: 1...2)))
            let lost = (0..<3).filter { _ in chance.happens(60) }.map { Int32($0) }
            world.member?.lose(lost)
            world.run(seconds: Int(chance.number(in: 0...2)))
            world.member?.assign(lost)
        }
        world.member?.failCommits(-10_000)
        #expect(world.runUntilDone(), "\(seed)")
        #expect(world.oracle.totals.duplicates == 0, "\(seed)")
        #expect(world.oracle.mistakes == [], "\(seed)")
    }
}
