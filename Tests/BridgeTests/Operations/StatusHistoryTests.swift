import Delivery
import Engine
import Foundation
import Testing

@testable import Bridge

@Suite struct `The history of the status` {
    private let board = FigureBoard()

    private func publish(
        accepted: Int = 0, rejected: [String] = [], delays: [Int64] = [], lag: Int64? = nil,
        on other: FigureBoard? = nil
    ) {
        var figures = WorkerFigures(time: .distantPast, pushes: PushFigures(apps: 1))
        for _ in 0..<accepted { figures.pushes.countAccepted(AppID(0), .alert) }
        for reason in rejected {
            figures.pushes.count(AppID(0), .alert, .rejected, reason: reason)
        }
        for delay in delays {
            figures.pushes.measure(
                event: 0, sent: 0, responded: delay, stored: delay, isAccepted: true)
        }
        figures.lag = lag
        (other ?? board).publish(figures)
    }

    private func reading(
        _ connectors: String..., by other: FigureBoard? = nil
    ) -> BridgeStatus.Reading {
        let board = other ?? board
        let rows = connectors.map { name in
            BridgeStatus.Reading.Worker(
                worker: .init(connector: name, number: 0, apps: ["shop"], board: board),
                figures: board.latest, age: .zero, run: board.endedRuns)
        }
        return BridgeStatus.Reading(hasStarted: true, isStopping: false, workers: rows)
    }

    @Test func `counts what happened in each step of ten seconds`() {
        var history = StatusHistory()
        publish(accepted: 5, rejected: ["BadDeviceToken"], lag: 7)
        history.look(reading("orders"), at: .seconds(9))
        #expect(history.steps.isEmpty)
        history.look(reading("orders"), at: .seconds(10))
        publish(accepted: 6, rejected: ["BadDeviceToken", "BadTopic", "BadTopic"])
        history.look(reading("orders"), at: .seconds(19))
        history.look(reading("orders"), at: .seconds(20))
        #expect(history.steps.map { $0?.count(.accepted) } == [5, 1])
        #expect(history.steps.map { $0?.count(.rejected) } == [1, 2])
        #expect(history.steps.map { $0?.lag } == [7, nil])
    }

    @Test func `has the latencies of each step alone, also after a worker was restarted`() {
        var history = StatusHistory()
        publish(delays: [20, 20])
        history.look(reading("orders"), at: .seconds(10))
        publish(delays: [20, 20, 30])
        history.look(reading("orders"), at: .seconds(20))
        board.clear()
        publish(delays: [25, 25, 25])
        history.look(reading("orders"), at: .seconds(30))
        history.look(reading("orders"), at: .seconds(40))
        #expect(history.steps.map { $0?.roundTrip?.p99 } == [20, 30, 25, nil])
        #expect(history.steps.map { $0?.eventToAccepted?.median } == [20, 30, 25, nil])
    }

    @Test func `remembers 30 minutes`() {
        var history = StatusHistory()
        for step in 1...400 { history.look(reading("orders"), at: .seconds(10 * step)) }
        #expect(history.steps.count == 180)
    }

    @Test func `leaves out the time in which the process did not run`() {
        var history = StatusHistory()
        publish(accepted: 1)
        history.look(reading("orders"), at: .seconds(10))
        publish(accepted: 61)
        history.look(reading("orders"), at: .seconds(70))
        #expect(history.steps.map { $0?.count(.accepted) } == [1, nil, nil, nil, nil, nil, 60])
        #expect(history.steps.last??.seconds == 60)
        history.look(reading("orders"), at: .seconds(100_000_000))
        #expect(history.steps.count == 180)
    }

    @Test func `takes nothing for negative when a connector was removed and added again`() {
        var history = StatusHistory()
        publish(accepted: 5, rejected: ["BadTopic"])
        history.look(reading("orders"), at: .seconds(10))
        history.look(reading(), at: .seconds(20))
        publish(accepted: 2)
        history.look(reading("orders"), at: .seconds(30))
        #expect(history.steps.map { $0?.count(.accepted) } == [5, 0, 2])
    }

    @Test func `counts from zero when a reload has put another worker in the place of one`() {
        var history = StatusHistory()
        publish(accepted: 50, rejected: ["BadTopic"], delays: [20, 20, 20])
        history.look(reading("orders"), at: .seconds(10))
        let next = FigureBoard()
        publish(accepted: 2, rejected: ["BadTopic", "BadTopic"], delays: [500], on: next)
        history.look(reading("orders", by: next), at: .seconds(20))
        publish(accepted: 5, rejected: ["BadTopic", "BadTopic"], delays: [500, 700], on: next)
        history.look(reading("orders", by: next), at: .seconds(30))
        #expect(history.steps.map { $0?.count(.accepted) } == [50, 2, 3])
        #expect(history.steps.map { $0?.count(.rejected) } == [1, 2, 0])
        #expect(history.steps.map { $0?.roundTrip?.p99 ?? 0 > 600 } == [false, false, true])
        #expect(history.steps.map { $0?.roundTrip?.median ?? 0 > 400 } == [false, true, true])
    }

    @Test func `counts nothing twice while a reload starts a connector again`() {
        var history = StatusHistory()
        publish(accepted: 50, rejected: ["BadTopic"], delays: [20])
        history.look(reading("orders"), at: .seconds(10))
        board.clear(hasFailed: false)
        let starting = BridgeStatus.Connector(name: "orders", state: .starting)
        history.look(
            BridgeStatus.Reading(
                hasStarted: true, isStopping: false, workers: [], connectors: [starting]),
            at: .seconds(20))
        publish(accepted: 2, delays: [30])
        history.look(reading("orders"), at: .seconds(30))
        #expect(history.steps.map { $0?.count(.accepted) } == [50, 0, 2])
        #expect(history.steps.map { $0?.count(.rejected) } == [1, 0, 0])
        #expect(history.steps.map { $0?.roundTrip?.median } == [20, nil, 30])
    }

    @Test func `lists reasons with the latest first, and forgets them after 30 minutes`() {
        var history = StatusHistory()
        publish(rejected: ["BadTopic", "BadTopic"])
        history.look(reading("orders"), at: .seconds(10))
        publish(rejected: ["BadTopic", "BadTopic", "BadDeviceToken"])
        history.look(reading("orders"), at: .seconds(20))
        #expect(history.reasons.map(\.reason.reason) == ["BadDeviceToken", "BadTopic"])
        #expect(history.reasons.map(\.count) == [1, 2])
        #expect(history.reasons.map(\.age) == [.zero, .seconds(10)])
        for step in 3...182 { history.look(reading("orders"), at: .seconds(10 * step)) }
        #expect(history.reasons == [])
    }

    /// The problems of a connector of which so many pushes were accepted, and as many others had
    /// another end.
    private func problems(
        accepted: Int, _ verdict: Verdict = .unknown, _ reason: String? = nil, _ count: Int = 0,
        delays: [Int64] = [], seconds: Int = 300
    ) -> [StatusProblem] {
        var history = StatusHistory()
        var figures = WorkerFigures(time: .distantPast, pushes: PushFigures(apps: 1))
        for _ in 0..<accepted { figures.pushes.countAccepted(AppID(0), .alert) }
        for _ in 0..<count { figures.pushes.count(AppID(0), .alert, verdict, reason: reason) }
        for delay in delays {
            figures.pushes.measure(
                event: 0, sent: 0, responded: delay, stored: delay, isAccepted: true)
        }
        board.publish(figures)
        for second in stride(from: 10, through: seconds, by: 10) {
            history.look(reading("orders"), at: .seconds(Int64(second)))
        }
        return history.recentDeliveries.flatMap(\.problems)
    }

    @Test func `finds a connector with almost no pushes accepted for five minutes`() throws {
        let found = try #require(problems(accepted: 9, .dropped, "unparsable", 91).first)
        #expect(found.kind == .nothingAccepted && found.isError && found.connector == "orders")
        #expect(found.message == "almost no pushes accepted; most are dropped: unparsable")
        #expect(!found.remedy.contains("apns-bridge replay"), "they stay unreadable")
        let incomplete = try #require(problems(accepted: 9, .dropped, "missing_field", 91).first)
        #expect(incomplete.remedy.contains("apns-bridge replay"))
        #expect(problems(accepted: 9, .dropped, "unparsable", 91, seconds: 310) == [])
        #expect(problems(accepted: 10, .dropped, "expired", 90) == [])
        #expect(problems(accepted: 0, .dropped, "unparsable", 19) == [])
        #expect(problems(accepted: 0, .dropped, "expired", 20).count == 1)
        #expect(problems(accepted: 0, .dropped, "duplicate", 1000) == [])
    }

    @Test func `warns of more than a twentieth of the pushes dropped for a fault`() throws {
        let found = try #require(problems(accepted: 94, .dropped, "missing_field", 6).first)
        #expect(found.kind == .pushesDropped && !found.isError && found.connector == "orders")
        #expect(
            found.message
                == "pushes are dropped that should be sent; most are missing_field")
        #expect(found.remedy.contains("apns-bridge replay"))
        #expect(problems(accepted: 95, .dropped, "missing_field", 5) == [])
        #expect(problems(accepted: 17, .dropped, "missing_field", 2) == [], "too few to judge")
        #expect(problems(accepted: 60, .dropped, "expired", 40) == [], "an alert of its own")
        #expect(problems(accepted: 60, .dropped, "filtered", 40) == [])
    }

    @Test func `says of pushes in doubt that they are, and nothing of dead letters`() throws {
        let found = try #require(problems(accepted: 0, .unknown, nil, 20).first)
        #expect(found.message.hasPrefix("almost no pushes accepted; most are in doubt"))
        #expect(!found.remedy.contains("replay"))
    }

    @Test func `warns of more than a twentieth of the pushes in doubt, for five minutes`() throws {
        let found = try #require(problems(accepted: 94, .unknown, nil, 6).first)
        #expect(found.kind == .inDoubt && !found.isError && found.connector == "orders")
        #expect(found.message == "many pushes are in doubt: they may or may not have arrived")
        #expect(problems(accepted: 95, .unknown, nil, 5) == [])
        #expect(problems(accepted: 17, .unknown, nil, 2) == [], "too few to judge")
        #expect(problems(accepted: 94, .unknown, nil, 6, seconds: 310) == [])
    }

    @Test func `warns of APNs when its median response takes longer than 2.5 s`() throws {
        let quick = [Int64](repeating: 2400, count: 10)
        let slow = [Int64](repeating: 2800, count: 11)
        let found = try #require(problems(accepted: 21, delays: quick + slow).first)
        #expect(found.kind == .responsesSlow && !found.isError && found.connector == "orders")
        #expect(found.message == "APNs is slow: most of its responses take longer than 2.5 s")
        #expect(problems(accepted: 20, delays: quick + slow.dropLast()) == [], "half of them")
        #expect(problems(accepted: 11, delays: slow) == [], "too few to judge")
        #expect(problems(accepted: 21, delays: quick + slow, seconds: 310) == [])
    }

    @Test func `is one JSON object whose rows are equally long`() throws {
        var history = StatusHistory()
        publish(accepted: 3, rejected: ["BadDeviceToken"], delays: [20])
        history.look(reading("orders"), at: .seconds(10))
        history.look(reading("orders"), at: .seconds(40))
        let object = try JSONSerialization.jsonObject(with: Data(history.json))
        let read = try #require(object as? [String: Any])
        for row in ["seconds", "accepted", "dropped", "round_trip_p99_ms", "lag"] {
            #expect((read[row] as? [Any])?.count == 4, "\(row)")
        }
        #expect((read["accepted"] as? [Any])?.first as? Int == 3)
        #expect((read["accepted"] as? [Any])?[1] is NSNull)
        let reasons = try #require(read["reasons"] as? [[String: Any]])
        #expect(reasons.first?["reason"] as? String == "BadDeviceToken")
        #expect((reasons.first?["meaning"] as? String)?.contains("apns.environment") == true)
    }
}
