import Delivery
import Telemetry
import Testing

@testable import Engine

@Suite struct `The push metrics` {
    private func desk() throws -> EngineDesk {
        let desk = try EngineDesk()
        desk.assign()
        return desk
    }

    @Test func `count an accepted push once Kafka has its outcome`() throws {
        let desk = try desk()
        desk.push(offset: 0)
        try desk.sendAndAnswer(200)
        #expect(desk.engine.figures.accepted(app: 0, .alert) == 0)
        let published = desk.publish()
        desk.pass(milliseconds: 250)
        desk.store(published)
        #expect(desk.engine.figures.accepted(app: 0, .alert) == 1)
        #expect(desk.engine.figures.eventToOutcome.count == 1)
        #expect(desk.engine.figures.eventToOutcome.maximum >= 250)
        #expect(desk.engine.figures.roundTrip.count == 1)
        #expect(desk.engine.figures.others.isEmpty)
    }

    @Test func `count rejected pushes by reason`() throws {
        let desk = try desk()
        desk.push(offset: 0)
        try desk.sendAndAnswer(410, "Unregistered", timestamp: 1)
        _ = desk.settle()
        let kind = PushFigures.Kind(
            app: 0, pushType: .alert, verdict: .rejected, reason: "Unregistered")
        #expect(desk.engine.figures.others == [kind: 1])
    }

    @Test func `have a place for each push type of each app`() {
        #expect(PushType.allCases.allSatisfy { $0.number < PushFigures.placesOfEach })
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
        let desk = try desk()
        for offset in Int64(0)..<3 {
            desk.push(offset: offset)
            try desk.sendAndAnswer(400, "Brand\(offset)New")
        }
        _ = desk.settle()
        let kinds = desk.engine.figures.others.keys
        #expect(kinds.allSatisfy { $0.reason == PushFigures.otherReason || $0.reason.isEmpty })
        #expect(kinds.count <= 2)
    }

    @Test func `include open pushes and suspended apps`() throws {
        let desk = try desk()
        desk.push(offset: 0)
        #expect(desk.engine.state.pushes == 1)
        #expect(desk.engine.state.suspendedApps == [])
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        #expect(desk.engine.state.suspendedApps.count == 1)
    }
}
