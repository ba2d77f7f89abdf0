import APNs
import APNsSimulator
import BridgeSamples
import BridgeTesting
import Configuration
import Delivery
import Engine
import Testing

@testable import Bridge

/// A response that APNs, or what stands before it, gives to one event alone.
struct LoneResponse: Sendable, CustomStringConvertible {
    let status: Int
    let reason: String

    var description: String { "\(status) \(reason)" }

    /// One for each row of the table of reasons, except acceptance.
    static var all: [LoneResponse] {
        ReasonTable.rows.filter { $0.reaction != .accepted }.compactMap { row in
            let status = row.statuses == 0...999 ? 302 : row.statuses.lowerBound
            return switch row.match {
            case .reason(let reason): LoneResponse(status: status, reason: reason)
            case .absent: LoneResponse(status: status, reason: "")
            case .other: LoneResponse(status: status == 200 ? 201 : status, reason: "Tomorrow")
            case .unidentified: nil
            }
        }
    }
}

@Suite struct `A world with one event that is always refused` {
    /// The most often that one event may suspend sending.
    private static let maxSuspensions = 2

    private func world(
        _ response: LoneResponse, _ ordering: DeliverySettings.Ordering
    ) throws -> World {
        let world = try World(
            seed: Seed(7),
            behaviour: Scenario(responses: [
                ScriptedResponse(
                    tokenPrefix: "ba0d", status: response.status, reason: response.reason)
            ])
        ) {
            $0.ordering = ordering
            $0.retry.maxAttempts = 4
            $0.retry.giveUpAfter = .seconds(60)
        }
        for number in 0..<120 {
            world.clock.schedule(at: .after(.milliseconds(number * 500))) {
                let token = Samples.token(number == 5 ? "ba0d" : "ab\(1000 + number)")
                world.topic.append(
                    partition: Int32(number % 4), key: Array("k\(number % 10)".utf8),
                    value: Array(Samples.event(token).utf8))
            }
        }
        return world
    }

    @Test(arguments: DeliverySettings.Ordering.allCases, LoneResponse.all)
    func `delivers all others, and is not stopped by it again and again`(
        ordering: DeliverySettings.Ordering, response: LoneResponse
    ) throws {
        let world = try world(response, ordering)
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        world.run(seconds: 62)
        #expect(world.runUntilDone(seconds: 120), "\(response) \(ordering)")
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(response) \(ordering)")
        #expect(world.counters.accepted == 119, "\(response) \(ordering)")
        let alarms = world.log.all.filter { $0.contains("sending suspended") }.count
        #expect(alarms <= Self.maxSuspensions, "\(response) \(ordering)")
    }
}

@Suite struct `A world with an event for a foreign app` {
    @Test(arguments: Seed.several(6))
    func `suspends sending once at most, and rejects that event alone`(seed: Seed) throws {
        let text = """
            answers:
              - {topic: com.example.foreign, status: 400, reason: TopicDisallowed}
            """
        let scenario = try Scenario.parse(Array(text.utf8), file: "foreign.yaml")
        let world = try World(seed: seed, behaviour: scenario)
        var chance = seed.generator(5)
        let poisoned = Int(chance.number(in: 0...60))
        for number in 0..<120 {
            world.clock.schedule(at: .after(.milliseconds(number * 250))) {
                let more = number == poisoned ? #","bundle_id":"com.example.foreign""# : ""
                let event = Samples.event(Samples.token("ab\(1000 + number)"), more: more)
                world.topic.append(partition: Int32(number % 4), value: Array(event.utf8))
            }
        }
        try world.start()
        world.member?.assign([0, 1, 2, 3])
        world.run(seconds: 32)
        #expect(world.runUntilDone(seconds: 60), "\(seed)")
        world.oracle.checkEnd()
        #expect(world.oracle.mistakes == [], "\(seed)")
        #expect(world.counters.accepted == 119 && world.counters.rejected == 1, "\(seed)")
        let alarms = world.log.all.filter { $0.contains("sending suspended") }.count
        #expect(alarms <= 1, "\(seed)")
        #expect(world.results.records(of: "apns.dead-letter").count == 1, "\(seed)")
    }
}
