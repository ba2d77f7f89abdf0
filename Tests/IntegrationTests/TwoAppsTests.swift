import APNsSimulator
import Foundation
import Testing

/// A day on which much goes wrong, and com.example.app gets 403 for some seconds of it.
private let hardDay = """
    built_in: false
    latency: 20ms
    answers:
      - {topic: com.example.app, from: 1s, until: 7s, status: 403, reason: Forbidden}
    faults:
      - {every: 2500, goaway: {}}
      - {at: 2s, settings: {stream_limit: 1}}
      - {at: 3s, settings: {stream_limit: 1000}}
      - {at: 4s, cut: reset}
      - {from: 10s, until: 13s, silence: true}
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

    private static func time(of words: String, in lines: [Substring]) throws -> String {
        let line = lines.first { $0.contains(words) }
        return String(try #require(line, "\(lines.suffix(20))").prefix(24))
    }

    func lines(with words: String) -> [Substring] { lines.filter { $0.contains(words) } }
}

@Suite(RealKafka.available, .serialized)
struct `Two apps on a real Kafka, one of which APNs rejects for a while` {
    /// Lets the bridge send everything while the day passes.
    private func run(_ world: TwoAppsWorld, count: Int) throws -> (HeldLog, [AppOutcome]) {
        try world.publish(count)
        let bridge = try world.start()
        try world.waitUntilCommitted(100, while: bridge)
        try world.simulator.begin(try TwoAppsWorld.scenario(hardDay))
        try world.waitUntilCommitted(world.total, while: bridge)
        #expect(bridge.terminate() == 0)
        return (try HeldLog(bridge.logged), try world.readOutcomes())
    }

    private func expectEverythingAccepted(
        _ world: TwoAppsWorld, _ outcomes: [AppOutcome]
    ) throws {
        #expect(Set(outcomes.map(\.place)).count == world.total)
        #expect(outcomes.count == world.total)
        let failed = outcomes.filter { $0.verdict != "accepted" }
        #expect(failed.isEmpty, "\(failed.count), such as \(failed.prefix(3))")
        #expect(try world.count(of: world.unregistered) == 0)
        #expect(try world.count(of: world.deadLetter) == 0)
    }

    @Test func `lose and repeat nothing while sending to the other app continues`() throws {
        let world = try TwoAppsWorld(
            sharingTopic: false, delivery: "max_in_flight: 20, request_timeout: 2s")
        let (log, outcomes) = try run(world, count: 3_000)
        try expectEverythingAccepted(world, outcomes)
        #expect(log.lines(with: "sending suspended").count == 1)
        #expect(log.lines(with: "sending suspended").allSatisfy { $0.contains(" apps=pay ") })
        #expect(log.lines(with: "partition paused").allSatisfy { $0.contains(".pay ") })
        let meanwhile = outcomes.filter {
            $0.app == "com.example.shop" && log.began < $0.answeredAt && $0.answeredAt < log.ended
        }
        // More than was in flight when sending to the other app was suspended.
        #expect(meanwhile.count > 20, "\(meanwhile.count)")
    }

    @Test func `share max_waiting if they share a topic, and lose nothing`() throws {
        let world = try TwoAppsWorld(
            sharingTopic: true,
            delivery: "max_in_flight: 20, max_waiting: 200, request_timeout: 2s")
        let (log, outcomes) = try run(world, count: 2_000)
        try expectEverythingAccepted(world, outcomes)
        let paused = try #require(log.lines(with: "partition paused").first)
        #expect(paused.contains(" app=pay "))
        #expect(paused.contains(" waiting=150 "))
        #expect(log.lines(with: "sending suspended").count == 1)
    }
}
