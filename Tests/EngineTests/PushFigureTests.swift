import Delivery
import Telemetry
import Testing

@testable import Engine

@Suite struct `The push metrics` {
    private func harness() throws -> EngineHarness {
        let harness = try EngineHarness()
        harness.assign()
        return harness
    }

    @Test func `count an accepted push once Kafka has its outcome`() throws {
        let harness = try harness()
        harness.push(offset: 0)
        try harness.sendAndRespond(200)
        #expect(harness.engine.figures.accepted(app: 0, .alert) == 0)
        let published = harness.publish()
        harness.pass(milliseconds: 250)
        harness.store(published)
        #expect(harness.engine.figures.accepted(app: 0, .alert) == 1)
        #expect(harness.engine.figures.eventToOutcome.count == 1)
        #expect(harness.engine.figures.eventToOutcome.maximum >= 250)
        #expect(harness.engine.figures.roundTrip.count == 1)
        #expect(harness.engine.figures.others.isEmpty)
    }

    @Test func `count rejected pushes by reason`() throws {
        let harness = try harness()
        harness.push(offset: 0)
        try harness.sendAndRespond(410, "Unregistered", timestamp: 1)
        _ = harness.settle()
        let kind = PushFigures.Kind(
            app: 0, pushType: .alert, verdict: .rejected, reason: "Unregistered")
        #expect(harness.engine.figures.others == [kind: 1])
    }

    @Test func `have a place for each push type of each app`() {
        #expect(PushType.allCases.allSatisfy { $0.number < PushFigures.slotsPerApp })
        var figures = PushFigures(apps: 2)
        for (number, type) in PushType.allCases.enumerated() {
            for app in 0..<2 {
                for _ in 0...number { figures.countAccepted(AppID(app), type) }
            }
        }
        for (number, type) in PushType.allCases.enumerated() {
            #expect(figures.accepted(app: 0, type) == UInt64(number + 1))
            #expect(figures.accepted(app: 1, type) == UInt64(number + 1))
        }
    }

    @Test func `count unrecognized reasons as one`() throws {
        let harness = try harness()
        for offset in Int64(0)..<3 {
            harness.push(offset: offset)
            try harness.sendAndRespond(400, "Brand\(offset)New")
        }
        _ = harness.settle()
        let kinds = harness.engine.figures.others.keys
        #expect(kinds.allSatisfy { $0.reason == PushFigures.otherReason || $0.reason.isEmpty })
        #expect(kinds.count <= 2)
    }

    @Test func `include open pushes and suspended apps`() throws {
        let harness = try harness()
        harness.push(offset: 0)
        #expect(harness.engine.state.pushes == 1)
        #expect(harness.engine.state.suspendedApps == [])
        try harness.sendAndRespond(403, "InvalidProviderToken")
        #expect(harness.engine.state.suspendedApps.count == 1)
    }
}
