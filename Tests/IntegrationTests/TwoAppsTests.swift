import APNsSimulator
import Foundation
import Testing

/// A day on which com.example.app gets nothing but 403, and more goes wrong.
private let rejectingDay = """
    built_in: false
    latency: 20ms
    answers:
      - {topic: com.example.app, status: 403, reason: Forbidden}
    faults:
      - {every: 2500, goaway: {}}
      - {at: 500ms, settings: {stream_limit: 1}}
      - {at: 1s, settings: {stream_limit: 1000}}
      - {at: 2s, cut: reset}
    """

/// The day after, on which APNs falls silent for a while.
private let forgivingDay = """
    built_in: false
    latency: 20ms
    faults:
      - {from: 2s, until: 5s, silence: true}
    """

/// The log of a bridge whose app pay was suspended once.
private struct HeldLog {
    let lines: [Substring]
    let began: String
    let ended: String

    init(_ log: String) throws {
        lines = log.split(separator: "\n")
        began = try Self.time(of: "sending suspended", in: lines)
        ended = try Self.time(of: "sending resumed", in: lines)
    }

    private static func time(of message: String, in lines: [Substring]) throws -> String {
        let line = lines.first { $0.contains(message) }
        return String(try #require(line, "\(lines.suffix(20))").prefix(24))
    }

    func lines(with message: String) -> [Substring] { lines.filter { $0.contains(message) } }
}

@Suite(RealKafka.available, .serialized)
struct `Two apps on a real Kafka, one of which APNs rejects for a while` {
    /// Sends everything; sending to pay is suspended from some time on until `isEnough`.
    private func run(
        _ world: TwoAppsWorld, count: Int, until isEnough: (BridgeProcess) throws -> Void
    ) throws -> (HeldLog, [AppOutcome]) {
        try world.publish(count)
        let bridge = try world.start()
        try world.waitUntilCommitted(100, while: bridge)
        try world.simulator.begin(try TwoAppsWorld.scenario(rejectingDay))
        try bridge.waitUntilLogged("sending suspended")
        try isEnough(bridge)
        try world.simulator.begin(try TwoAppsWorld.scenario(forgivingDay))
        try world.waitUntilCommitted(world.total, while: bridge)
        #expect(bridge.terminate() == 0)
        return (try HeldLog(bridge.logged), try world.readOutcomes())
    }

    private func expectEverythingAccepted(
        _ world: TwoAppsWorld, _ outcomes: [AppOutcome]
    ) throws {
        #expect(Set(outcomes.map(\.position)).count == world.total)
        #expect(outcomes.count == world.total)
        let failed = outcomes.filter { $0.verdict != "accepted" }
        #expect(failed.isEmpty, "\(failed.count), such as \(failed.prefix(3))")
        #expect(try world.count(of: world.unregistered) == 0)
        #expect(try world.count(of: world.deadLetter) == 0)
    }

    @Test func `lose and repeat nothing while sending to the other app continues`() throws {
        let world = try TwoAppsWorld(
            sharingTopic: false, delivery: "max_in_flight: 20, request_timeout: 2s")
        let (log, outcomes) = try run(world, count: 1_500) { bridge in
            // At least three seconds of work: 20 in flight, each for 20 ms.
            try world.publish(3_000)
            try world.waitUntilCommitted(4_500, of: ["shop"], while: bridge)
        }
        try expectEverythingAccepted(world, outcomes)
        #expect(log.lines(with: "sending suspended").count == 1)
        #expect(log.lines(with: "sending suspended").allSatisfy { $0.contains(" apps=pay ") })
        #expect(log.lines(with: "partition paused").allSatisfy { $0.contains(".pay ") })
        let meanwhile = outcomes.filter {
            $0.app == "com.example.shop" && log.began < $0.respondedAt && $0.respondedAt < log.ended
        }
        // What was in flight when sending to the other app was suspended may not count.
        #expect(meanwhile.count >= 3_000 - 20, "\(meanwhile.count)")
    }

    @Test func `share max_waiting if they share a topic, and lose nothing`() throws {
        let world = try TwoAppsWorld(
            sharingTopic: true,
            delivery: "max_in_flight: 20, max_waiting: 200, request_timeout: 2s")
        let (log, outcomes) = try run(world, count: 2_000) {
            try $0.waitUntilLogged("partition paused")
        }
        try expectEverythingAccepted(world, outcomes)
        let paused = try #require(log.lines(with: "partition paused").first)
        #expect(paused.contains(" app=pay "))
        #expect(paused.contains(" waiting=150 "))
        #expect(log.lines(with: "sending suspended").count == 1)
    }
}
