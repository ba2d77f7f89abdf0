import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Foundation
import Testing

@testable import Engine

@Suite struct `A push` {
    @Test func `takes at most 128 bytes, strings aside`() {
        #expect(MemoryLayout<Push>.stride <= 128)
    }

    private static let report = Push.Report(verdict: .accepted, owed: .outcome)
    private static let flight = Push.InFlight(sentAt: 0, isGuardProbe: false)
    private static let events: [Push.Event] = [
        .blocked, .queued(.new), .sent(flight), .delayed(until: .distantPast), .reported(report),
        .withheld(report), .published(.outcome), .stored(.outcome), .refused(.outcome), .closed,
    ]

    private static func state(_ kind: Push.State.Kind) -> Push.State {
        switch kind {
        case .new: .new
        case .blocked: .blocked
        case .queued: .queued
        case .inFlight: .inFlight(flight)
        case .waiting: .waiting(until: .distantPast)
        case .withheld: .withheld(report)
        case .reporting: .reporting(report)
        case .done: .done
        }
    }

    /// The arrows of a diagram, by their start: Graphviz titles each `from->to`.
    private func arrows(of picture: String) throws -> [Push.State.Kind: Set<Push.State.Kind>] {
        let names: [Substring: Push.State.Kind] = [
            "start": .new, "blocked": .blocked, "queued": .queued, "flight": .inFlight,
            "waiting": .waiting, "withheld": .withheld, "reporting": .reporting, "done": .done,
        ]
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Bridge/Documentation.docc/Resources/\(picture).svg")
        let text = try String(contentsOf: file, encoding: .utf8)
        var arrows: [Push.State.Kind: Set<Push.State.Kind>] = [:]
        for match in text.matches(of: /<title>(\w+)&#45;&gt;(\w+)<\/title>/) {
            let from = try #require(names[match.1], "\(match.1)")
            arrows[from, default: []].insert(try #require(names[match.2], "\(match.2)"))
        }
        return arrows
    }

    @Test(arguments: ["push-states", "push-states~dark"])
    func `moves only along the arrows of the diagram, or is abandoned`(picture: String) throws {
        let arrows = try arrows(of: picture)
        for from in Push.State.Kind.allCases {
            var drawn = arrows[from] ?? []
            // Not drawn: every open push may be abandoned, and a report may change.
            if from != .new, from != .done { drawn.insert(.done) }
            if from == .reporting { drawn.insert(.reporting) }
            let allowed = Self.events.compactMap { Self.state(from).after($0)?.kind }
            #expect(Set(allowed) == drawn, "\(from)")
        }
    }

    @Test func `is not withheld once a record of its verdict is with the producer or Kafka`() {
        let unpublished = Push.Report(verdict: .rejected, owed: [.outcome, .unregistered])
        #expect(Push.State.reporting(unpublished).after(.withheld(unpublished))?.kind == .withheld)
        let published = unpublished.published(.outcome)
        for report in [published, published.stored(.outcome), published.refused(.outcome)] {
            #expect(Push.State.reporting(report).after(.withheld(report)) == nil)
        }
    }

    @Test func `needs no details if APNs accepts it at once`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0, more: #","collapse_id":"x","expiration":1767268800"#)
        let id = try #require(harness.send())
        harness.respond(id, 200)
        let hasDetails = harness.engine.pushesCell.value.hasDetails(id)
        #expect(!hasDetails)
        #expect(harness.settle().outcomes.count == 1)
    }

    @Test func `has an identifier that survives a round trip as a number`() {
        let id = PushID(slot: 4_000_000_000, generation: 268_435_455)
        let ticket = Ticket(id, .deadLetter)
        #expect(PushID(rawValue: id.rawValue) == id)
        #expect(id.slot == 4_000_000_000 && id.generation == 268_435_455)
        #expect(Ticket(rawValue: ticket.rawValue) == ticket)
        #expect(PushID.next(after: id.generation) == 0)
    }

    @Test func `shares one payload with the other pushes of its record`() throws {
        let harness = try EngineHarness()
        harness.assign()
        let tokens = (100..<600).map { "\"ab0\($0)\"" }.joined(separator: ",")
        let text = String(repeating: "x", count: 2000)
        harness.take(
            #"{"device_tokens":[\#(tokens)],"payload":{"aps":{"alert":"\#(text)"}}}"#, offset: 0)
        #expect(harness.engine.openPushes == 500)
        #expect(harness.engine.storedBytes < 100_000)
        let payloads = harness.sendAll().map { harness.prepared($0).payload.count }
        #expect(payloads.count == 500 && payloads.allSatisfy { $0 > 2000 })
    }
}

@Suite struct `A reference to a push that is done` {
    /// A harness whose first push is done, and whose second one has its slot.
    private func harness() throws -> (EngineHarness, old: PushID, new: PushID) {
        let harness = try EngineHarness()
        harness.assign()
        harness.push("aa", offset: 0)
        let old = try #require(harness.send())
        harness.respond(old, 200)
        harness.settle()
        harness.push("bb", offset: 1)
        let new = try #require(harness.send())
        #expect(old.slot == new.slot && old != new)
        return (harness, old, new)
    }

    @Test func `changes nothing if a response refers to it`() throws {
        let (harness, old, new) = try harness()
        harness.respond(old, 410, "Unregistered")
        harness.engine.inDoubt(old, reason: "no response")
        harness.engine.notSent(old)
        #expect(harness.engine.counters.lateReferences == 3)
        #expect(harness.publish().isEmpty)
        harness.respond(new, 200)
        #expect(harness.settle().outcomes.first?.value.contains(#""verdict":"accepted""#) == true)
    }

    @Test func `ends no other push if an acknowledgement refers to it`() throws {
        let (harness, old, new) = try harness()
        harness.respond(new, 200)
        let published = harness.publish()
        harness.engine.acknowledged(Ticket(old, .outcome), .stored)
        #expect(harness.openRecords == 1 && harness.next() == 1)
        #expect(harness.engine.counters.lateReferences == 1)
        harness.store(published)
        #expect(harness.openRecords == 0 && harness.next() == 2)
    }

    @Test func `publishes no verdict that the guard withholds`() throws {
        let harness = try EngineHarness {
            $0.results.retry = "apns.retry"
            $0.maxWaiting = 1
            $0.invalidation.minimum = 10
            $0.invalidation.share = 0.5
        }
        harness.assign(0)
        let other = harness.assign(1)
        // They are to be moved to the retry topic, but nothing is published meanwhile.
        for offset in 0..<2 {
            harness.push("aa\(offset)0", offset: Int64(offset))
            harness.respond(try #require(harness.send()), 503, "ServiceUnavailable", retryAfter: 60)
        }
        harness.engine.lost([AssignmentID(0)])
        for offset in 0..<20 { harness.push("bb\(10 + offset)", offset: Int64(offset), of: other) }
        for id in harness.sendAll() { harness.respond(id, 410, "Unregistered") }
        #expect(harness.isFirstAppSuspended)
        #expect(harness.publish().isEmpty)
        #expect(harness.next(other) == 0)
    }
}
