import APNs
import APNsSimulator
import BridgeSamples
import BridgeTesting
import Delivery
import Engine
import Testing

@testable import Bridge

@Suite struct `A worker in a simulated world` {
    private func passed(since begin: Instant, _ world: World) -> Duration {
        world.clock.now - begin
    }

    /// A world with a worker that has partition 0.
    private func world(
        _ behaviour: Scenario = .builtIn,
        requestTimeout: Duration = .seconds(5), board: FigureBoard? = nil,
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> World {
        let world = try World(partitions: 1, behaviour: behaviour, tweak: tweak)
        world.poolSettings.requestTimeout = requestTimeout
        world.seats[0].board = board
        try world.start()
        world.member?.assign([0])
        return world
    }

    private func append(_ world: World, _ token: String, more: String = "") {
        world.topic.append(value: Array(Samples.event(Samples.token(token), more: more).utf8))
    }

    /// Sends a first push, and then lets nothing arrive on the next connection that responds.
    private func loseNextResponse(_ world: World) {
        append(world, "ab00")
        #expect(world.runUntilDone())
        var isDeaf = false
        world.network.rules = [
            FaultRule { event, _ in
                guard case .toClient = event, !isDeaf else { return nil }
                isDeaf = true
                return .stall
            }
        ]
    }

    private func verdicts(_ world: World) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for record in world.results.records(of: "apns.outcomes") {
            let value = String(decoding: record.value ?? [], as: UTF8.self)
            let verdict = try Samples.member("verdict", of: value) ?? "none"
            counts[verdict, default: 0] += 1
        }
        return counts
    }

    @Test func `takes only a few records at a time if each takes long`() throws {
        for (time, maximum) in [(Duration.milliseconds(40), 2), (.milliseconds(60), 1)] {
            let world = try World(partitions: 1)
            world.habits.recordTime = time
            try world.start()
            world.member?.assign([0])
            for number in 0..<64 { append(world, "ab\(10 + number)") }
            #expect(world.runUntilDone())
            #expect(world.member?.maxTaken == maximum)
            #expect(try verdicts(world) == ["accepted": 64])
        }
        let world = try self.world()
        for number in 0..<64 { append(world, "ab\(10 + number)") }
        #expect(world.runUntilDone())
        #expect(world.member?.maxTaken ?? 0 > 8)
    }

    @Test func `sends outcomes to the partitions of their records once it knows their numbers`()
        throws
    {
        let world = try world()
        world.clock.schedule(after: .milliseconds(100)) { [unowned world] in
            world.results.partitionCounts = [World.topicName: 1, "apns.outcomes": 1]
            let event = Samples.event(Samples.token("ab01"))
            world.topic.append(value: Array(event.utf8))
        }
        world.run(seconds: 1)
        #expect(world.runUntilDone())
        #expect(world.results.records(of: "apns.outcomes").map(\.partition) == [0])
    }

    @Test func `waits while APNs cannot be reached, and then sends`() throws {
        let world = try world()
        let rule = FaultRule { event, clock in
            guard case .connect = event, clock.now < .after(.seconds(30)) else { return nil }
            return .refuse
        }
        world.network.rules = [rule]
        append(world, "ab01")
        #expect(world.runUntilDone())
        #expect(world.oracle.mistakes.isEmpty)
        #expect(try verdicts(world) == ["accepted": 1])
        #expect(world.log.all.contains { $0.contains("connection refused") })
    }

    @Test func `turns and publishes its figures once a second while nothing happens`() throws {
        let board = FigureBoard()
        let world = try world(board: board)
        append(world, "ab01")
        #expect(world.runUntilDone())
        world.run(seconds: 10)
        let begin = world.clock.now
        var turns = 0
        while world.clock.now < begin + .seconds(60) {
            world.turn()
            turns += 1
            let latest = try #require(board.latest)
            #expect(world.clock.now - latest.time < .milliseconds(1100))
        }
        #expect((60...75).contains(turns), "\(turns)")
    }

    @Test func `publishes the figures of what has just happened, and then sleeps`() throws {
        let board = FigureBoard()
        let world = try world(board: board)
        world.run(seconds: 10)
        append(world, "ab01")
        let begin = world.clock.now
        #expect(world.runUntilDone())
        world.run(seconds: 1) { board.latest?.counters.accepted == 1 }
        #expect(board.latest?.counters.accepted == 1)
        #expect(world.clock.now - begin < .milliseconds(700), "\(world.clock.now - begin)")
    }

    @Test func `resends pushes that never left, and is in doubt about those that did`() throws {
        let world = try world()
        append(world, "105000")
        append(world, "ab01")
        #expect(world.runUntilDone())
        #expect(try verdicts(world) == ["accepted": 1, "unknown": 1])
        #expect(world.oracle.mistakes.isEmpty)
    }

    @Test func `is in doubt about a push without a response in time`() throws {
        let world = try world()
        loseNextResponse(world)
        append(world, "ab01")
        #expect(world.runUntilDone(seconds: 30))
        let outcome = try #require(world.oracle.outcomes(offset: 1).first)
        #expect(outcome.contains(#""verdict":"unknown","reason":"no response "#), "\(outcome)")
    }

    @Test func `resends a push without a response in time if the device shows it once`() throws {
        let world = try world()
        loseNextResponse(world)
        append(world, "ab01", more: #","collapse_id":"x""#)
        #expect(world.runUntilDone(seconds: 60))
        let outcome = try #require(world.oracle.outcomes(offset: 1).first)
        #expect(outcome.contains(#""verdict":"accepted""#), "\(outcome)")
        #expect(outcome.contains(#""attempts":2"#))
        #expect(world.counters.attempts == 3)
    }

    @Test func `retries throttled and failing pushes until they are accepted`() throws {
        let world = try world()
        for token in ["429000", "500000", "503000"] { append(world, token) }
        #expect(world.runUntilDone())
        #expect(try verdicts(world) == ["accepted": 3])
        #expect(world.counters.retries == 6)
    }

    @Test func `suspends sending when the credential is rejected, and continues by itself`() throws
    {
        let world = try world(
            Scenario(responses: [
                ScriptedResponse(
                    tokenPrefix: "4030", status: 403, reason: "Forbidden", attempts: 3)
            ]))
        append(world, "403000")
        for _ in 0..<20 { append(world, "ab01") }
        #expect(world.runUntilDone())
        #expect(try verdicts(world) == ["accepted": 21])
        #expect(world.results.records(of: "apns.dead-letter").count == 0)
        #expect(world.log.all.contains { $0.contains("sending suspended") })
        #expect(world.log.all.contains { $0.contains("accepts pushes again") })
    }

    @Test func `never logs a device token`() throws {
        let world = try world()
        for token in ["dead01", "bad0001", "4290001", "105001"] { append(world, token) }
        world.run(seconds: 60)
        for word in ["dead01", "bad0001", "4290001", "105001"] {
            #expect(!world.log.all.contains { $0.contains(word) })
        }
    }

    @Test func `neither takes nor sends while it is paused, and ends what is in flight`() throws {
        let world = try world()
        append(world, "ab00")
        world.run(seconds: 60) { world.counters.attempts == 1 }
        world.pause(true)
        world.run(seconds: 1)
        append(world, "ab01")
        world.run(seconds: 120)
        #expect(world.counters.records == 1)
        #expect(try verdicts(world) == ["accepted": 1])
        #expect(world.log.all.contains { $0.contains("paused by an operator") })
        world.pause(false)
        #expect(world.runUntilDone())
        #expect(try verdicts(world) == ["accepted": 2])
        #expect(world.oracle.mistakes.isEmpty)
    }

    @Test func `stops on demand while it is paused`() throws {
        let world = try world()
        world.pause(true)
        append(world, "ab00")
        world.run(seconds: 10)
        world.drain()
        #expect(world.run(seconds: 60) { world.hasEnded })
        #expect(world.counters.records == 0)
    }

    @Test func `stops in time although the clock went two hours forward and back`() throws {
        let world = try world()
        for token in ["503000", "ab01"] { append(world, token) }
        world.run(seconds: 1)
        world.clock.wallClockStart += 7_200_000
        for token in ["503001", "ab02"] { append(world, token) }
        world.run(seconds: 1)
        world.clock.wallClockStart -= 7_200_000
        world.drain()
        let begin = world.clock.now
        #expect(world.run(seconds: 60) { world.hasEnded })
        #expect(passed(since: begin, world) <= world.settings.shutdownDeadline)
        #expect(world.oracle.mistakes.isEmpty)
    }

    @Test func `stops on demand, with everything reported and committed`() throws {
        let world = try world()
        for _ in 0..<200 { append(world, "ab01") }
        world.run(seconds: 60) { world.counters.records > 60 }
        world.drain()
        let begin = world.clock.now
        #expect(world.run(seconds: 60) { world.hasEnded })
        #expect(passed(since: begin, world) <= world.settings.shutdownDeadline)
        #expect(world.oracle.mistakes.isEmpty)
        #expect(world.member?.hasLeft == true)
        let committed = world.topic.committed[0]?.next ?? 0
        #expect(committed > 0)
        try world.start()
        world.member?.assign([0])
        #expect(world.runUntilDone())
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes.isEmpty)
        #expect(world.oracle.totals.duplicates == 0)
    }

    @Test func `stops in time even if APNs no longer responds`() throws {
        let world = try world(requestTimeout: .seconds(120))
        append(world, "ab00")
        #expect(world.runUntilDone())
        world.network.rules = [
            FaultRule { event, _ in
                if case .toClient = event { .stall } else { nil }
            }
        ]
        // As many as a young connection accepts: all of them leave.
        for _ in 0..<8 { append(world, "ab01") }
        world.run(seconds: 1)
        world.drain()
        let begin = world.clock.now
        #expect(world.run(seconds: 60) { world.hasEnded })
        #expect(world.oracle.mistakes.isEmpty)
        #expect(passed(since: begin, world) <= world.settings.shutdownDeadline + .seconds(1))
        #expect(world.topic.isDone)
    }

    @Test func `retries a rejected commit while it stops`() throws {
        let world = try world()
        append(world, "ab01")
        world.run(seconds: 10) { world.results.entries.contains { $0.isAcknowledged } }
        world.member?.failCommits(3)
        world.drain()
        #expect(world.run(seconds: 60) { world.hasEnded })
        #expect(world.topic.isDone)
    }

    @Test func `retries a rejected commit while a partition is revoked`() throws {
        let world = try world()
        append(world, "ab01")
        world.run(seconds: 10) { world.results.entries.contains { $0.isAcknowledged } }
        world.member?.failCommits(3)
        world.member?.revoke([0])
        #expect(world.run(seconds: 60) { world.member?.partitions.isEmpty == true })
        #expect(world.topic.isDone)
        #expect(world.oracle.mistakes.isEmpty)
    }

    @Test func `waits for no rebalance when it stops with everything finished committed`() throws {
        let world = try world()
        append(world, "ab01")
        #expect(world.runUntilDone())
        // Until it has run for ten seconds, the next commit would say that it ended in good order.
        try world.start()
        world.member?.assign([0])
        world.run(seconds: 1)
        world.member?.isJoining = true
        world.drain()
        #expect(world.run(seconds: 1) { world.hasEnded })
        #expect(world.topic.violations.isEmpty && world.oracle.mistakes.isEmpty)
    }

    @Test func `stops without leaving a group that rebalances for too long, and says so`() throws {
        let world = try world()
        append(world, "ab01")
        #expect(world.runUntilDone())
        world.member?.leavesInTime = false
        world.drain()
        #expect(world.run(seconds: 1) { world.hasEnded })
        #expect(world.log.all.contains { $0.contains("closed without leaving the group") })
        #expect(world.oracle.mistakes.isEmpty)
    }

    @Test func `ends when Kafka cannot continue`() throws {
        let world = try world()
        world.member?.fail(KafkaFailure(code: "_FATAL", detail: "fenced", isFatal: true))
        #expect(world.run(seconds: 5) { world.hasEnded })
        #expect(world.log.all.contains { $0.contains("fenced") })
    }

    @Test func `shuts down cleanly when Kafka cannot continue while pushes are in flight`() throws {
        let world = try world()
        for _ in 0..<20 { append(world, "510000") }
        world.run(seconds: 5) { world.counters.attempts > 0 }
        world.member?.fail(KafkaFailure(code: "_FATAL", detail: "fenced", isFatal: true))
        #expect(world.run(seconds: 5) { world.hasEnded })
        #expect(world.oracle.mistakes.isEmpty)
    }

    @Test func `reads no records while its window is full, and pauses only after a while`() throws {
        let world = try world { $0.maxInFlight = 10 }
        for _ in 0..<200 { append(world, "510000") }
        world.network.rules = []
        #expect(world.runUntilDone())
        #expect(world.oracle.mistakes.isEmpty)
        #expect((world.member?.pauses ?? 0) > 0)
    }

    @Test func `needs few turns`() throws {
        let world = try world()
        var turns = 0
        world.run(seconds: 600) {
            turns += 1
            return false
        }
        #expect(turns < 3000)
        for _ in 0..<100 { append(world, "ab01") }
        turns = 0
        world.run(seconds: 60) {
            turns += 1
            return world.topic.isDone
        }
        #expect(turns < 400)
    }
}
