import APNs
import Delivery
import Engine
import Telemetry
import Testing

@testable import Bridge

@Suite struct `The log of a running process` {
    private let board = FigureBoard()
    private let other = FigureBoard()

    private func figures(
        _ change: (inout WorkerFigures) -> Void = { _ in }
    ) -> WorkerFigures {
        var figures = WorkerFigures(time: .distantPast, pushes: PushFigures(apps: 1))
        figures.hasJoined = true
        change(&figures)
        return figures
    }

    private func reading(_ boards: (String, FigureBoard)...) -> BridgeStatus.Reading {
        let rows = boards.enumerated().map { number, row in
            BridgeStatus.Reading.Worker(
                worker: .init(
                    connector: row.0, number: number, apps: ["shop"], board: row.1,
                    kafka: "kafka:9092"),
                figures: row.1.latest, age: .zero)
        }
        return BridgeStatus.Reading(hasStarted: true, isStopping: false, workers: rows)
    }

    /// The lines at a time, each as a logger writes it.
    private func lines(
        _ log: inout RunningLog, _ seconds: Int, _ reading: BridgeStatus.Reading
    ) -> [String] {
        log.look(reading, at: .seconds(seconds)).map(Self.text)
    }

    private static func text(_ line: RunningLog.Line) -> String {
        let lines = Lines()
        Logger(label: "x", level: .trace, sink: lines).log(line)
        return String(lines.all[0].dropFirst(25).dropLast())
    }

    // MARK: Summaries

    @Test func `says at each summary that a connector is paused, even if nothing happens`() {
        var log = RunningLog(summaryInterval: .seconds(30))
        board.publish(figures { $0.isPaused = true })
        for seconds in [30, 60] {
            let said = lines(&log, seconds, reading(("orders", board)))
            #expect(said.count == 1 && said[0].contains(" paused=true "), "\(said)")
        }
        board.publish(figures())
        #expect(lines(&log, 90, reading(("orders", board))) == [])
    }

    @Test func `counts a connector anew that was removed and added again`() {
        var log = RunningLog(summaryInterval: .seconds(30))
        board.publish(figures { $0.counters.records = 10 })
        #expect(lines(&log, 30, reading(("orders", board))).count == 1)
        #expect(lines(&log, 60, reading()) == [])
        other.publish(figures { $0.counters.records = 3 })
        let said = lines(&log, 90, reading(("orders", other)))
        #expect(said.count == 1 && said[0].contains(" taken=3 "), "\(said)")
    }

    @Test func `sums up what happened since the last summary, and says nothing otherwise`() {
        var log = RunningLog(summaryInterval: .seconds(30))
        board.publish(
            figures {
                $0.counters.records = 10
                $0.counters.pushes = 9
                $0.counters.filtered = 1
                for _ in 0..<5 { $0.pushes.countAccepted(AppID(0), .alert) }
                for reason in ["Unregistered", "BadDeviceToken", "Unregistered"] {
                    $0.pushes.count(AppID(0), .alert, .rejected, reason: reason)
                }
                $0.openRequests = 1
                $0.state.pushes = 1
                $0.lag = 7
                $0.state.oldestEventAge = 2500
            })
        #expect(lines(&log, 29, reading(("orders", board))) == [])
        #expect(
            lines(&log, 30, reading(("orders", board))) == [
                "info summary accepted=5 connector=orders dropped=0 filtered=1 in_flight=1 lag=7 "
                    + "oldest_event_age_seconds=2 pushes=9 rejected=3 "
                    + "rejected_reasons=\"BadDeviceToken=1 Unregistered=2\" seconds=30 "
                    + "suspended_apps=\"\" taken=10 unknown=0 waiting=0"
            ])
        #expect(lines(&log, 60, reading(("orders", board))) == [])
        var more = figures()
        more.counters.records = 12
        board.publish(more)
        let next = log.look(reading(("orders", board)), at: .seconds(90))
        #expect(next.first?.metadata["taken"] == 2)
        #expect(next.first?.metadata["seconds"] == 30)
    }

    @Test func `has one line for each connector, whose workers count together`() {
        var log = RunningLog(summaryInterval: .seconds(1))
        for board in [board, other] { board.publish(figures { $0.counters.records = 2 }) }
        let both = log.look(
            reading(("orders", board), ("orders", other)), at: .seconds(1))
        #expect(both.map { $0.metadata["taken"] } == [4])
        var second = RunningLog(summaryInterval: .seconds(1))
        let each = second.look(reading(("orders", board), ("chat", other)), at: .seconds(1))
        #expect(each.map { $0.metadata["connector"] } == ["orders", "chat"])
    }

    @Test func `names the three commonest reasons, and counts the others together`() {
        var totals = RunTotals()
        totals.others[.dropped] = ["a": 1, "b": 5, "c": 3, "d": 2, "e": 1]
        #expect(
            totals.metadata["dropped_reasons"]
                == .dictionary(["b": 5, "c": 3, "d": 2, "other": 2]))
    }

    @Test func `has no summaries where they are turned off`() {
        var log = RunningLog(summaryInterval: nil)
        board.publish(figures { $0.counters.records = 10 })
        #expect(lines(&log, 3600, reading(("orders", board))) == [])
    }

    @Test func `adds up at the end, over all runs of a worker that failed`() {
        let run = figures {
            $0.counters.records = 10
            $0.counters.pushes = 10
            for _ in 0..<6 { $0.pushes.countAccepted(AppID(0), .alert) }
            $0.counters.storedInRetryTopic = 1
        }
        board.publish(run)
        board.clear()
        board.publish(run)
        let total = RunningLog(summaryInterval: nil).totals(reading(("orders", board)))
        #expect(
            total.map(Self.text) == [
                "info total since the start accepted=12 connector=orders dropped=0 "
                    + "left_uncommitted=6 pushes=20 rejected=0 taken=20 to_retry_topic=2 unknown=0"
            ])
    }

    // MARK: Kafka

    private func down(_ time: inout RunningLog, _ seconds: Int) -> [String] {
        for board in [board, other] {
            board.publish(
                figures { $0.outage = KafkaOutage(brokers: 3, detail: "connection refused") })
        }
        return lines(&time, seconds, reading(("orders", board), ("chat", other)))
    }

    @Test func `has one line when Kafka goes away, one a minute, and one when it is back`() {
        var log = RunningLog(summaryInterval: nil)
        #expect(
            down(&log, 10) == [
                "error Kafka unreachable; 0 of 3 brokers action=\"check that Kafka is running and "
                    + "reachable; nothing is lost, and reading resumes\" brokers=3 "
                    + "detail=\"connection refused\" kafka=kafka:9092"
            ])
        #expect((11..<70).flatMap { down(&log, $0) } == [])
        #expect(
            down(&log, 70) == [
                "error Kafka still unreachable brokers=3 detail=\"connection refused\" "
                    + "kafka=kafka:9092 seconds=60"
            ])
        board.publish(figures())
        // The other worker has not noticed yet.
        #expect(lines(&log, 71, reading(("orders", board), ("chat", other))) == [])
        other.publish(figures())
        #expect(
            lines(&log, 75, reading(("orders", board), ("chat", other)))
                == ["info Kafka reachable again kafka=kafka:9092 seconds=65"])
        #expect(lines(&log, 76, reading(("orders", board), ("chat", other))) == [])
    }

    // MARK: APNs

    private func apart(
        _ failures: Int, _ cause: ConnectionFailure.Cause = .lookup
    ) -> WorkerFigures {
        figures {
            $0.apps = [
                AppConnections(
                    ready: 0,
                    outage: ConnectionOutage(
                        since: .distantPast, failures: failures, cause: cause,
                        detail: "apns.test: resolve: no such name"))
            ]
        }
    }

    @Test func `says after ten seconds that APNs is gone, and why, then each minute`() {
        var log = RunningLog(summaryInterval: nil)
        board.publish(apart(1))
        let rows = reading(("orders", board))
        #expect((1..<11).flatMap { lines(&log, $0, rows) } == [])
        board.publish(apart(5))
        let action =
            "action=\"check the step that fails with 'apns-bridge doctor'; nothing is lost, and"
            + " sending resumes\" apps=shop cause=\"the DNS lookup failed\""
            + " connector=orders detail=\"apns.test: resolve: no such name\""
        #expect(
            lines(&log, 11, reading(("orders", board)))
                == ["error APNs unreachable \(action) failures=5 seconds=10 workers=1"])
        #expect((12..<71).flatMap { lines(&log, $0, reading(("orders", board))) } == [])
        board.publish(apart(9))
        #expect(
            lines(&log, 71, reading(("orders", board)))
                == ["error APNs still unreachable \(action) failures=9 seconds=70 workers=1"])
        board.publish(figures { $0.apps = [AppConnections(ready: 2)] })
        #expect(
            lines(&log, 75, reading(("orders", board)))
                == ["info APNs reachable again connector=orders seconds=74"])
    }

    @Test func `counts the workers that have no connection together`() {
        var log = RunningLog(summaryInterval: nil)
        board.publish(apart(3))
        other.publish(apart(4, .refused))
        let rows = reading(("orders", board), ("orders", other))
        _ = lines(&log, 0, rows)
        let said = lines(&log, 10, rows)
        #expect(said.count == 1)
        #expect(said.first?.contains("failures=7 seconds=10 workers=2") == true, "\(said)")
        #expect(said.first?.contains("cause=\"the connection was refused\"") == true, "\(said)")
    }

    @Test func `says nothing of a connection that is replaced within seconds`() {
        var log = RunningLog(summaryInterval: nil)
        board.publish(apart(1))
        #expect(lines(&log, 1, reading(("orders", board))) == [])
        board.publish(figures { $0.apps = [AppConnections(ready: 1)] })
        #expect((2..<30).flatMap { lines(&log, $0, reading(("orders", board))) } == [])
    }

    @Test func `does not take a worker that restarts for a Kafka that is back`() {
        var log = RunningLog(summaryInterval: nil)
        #expect(down(&log, 1).count == 1)
        board.clear()
        other.clear()
        #expect(lines(&log, 5, reading(("orders", board), ("chat", other))) == [])
        #expect(down(&log, 9) == [])
    }

    @Test func `says after five seconds that the group assigns nothing, and then each minute`() {
        var log = RunningLog(summaryInterval: nil)
        board.publish(figures { $0.awaitsAssignmentSince = .distantPast })
        let rows = reading(("orders", board))
        #expect((0..<5).flatMap { lines(&log, $0, rows) } == [])
        #expect(
            lines(&log, 5, rows) == [
                "info waiting for the group to assign partitions connector=orders seconds=5 "
                    + "worker=0"
            ])
        #expect((6..<65).flatMap { lines(&log, $0, rows) } == [])
        #expect(
            lines(&log, 65, rows) == [
                "error the group has assigned no partitions "
                    + "action=\"\(BridgeStatus.Reading.Worker.unassignedAction)\" "
                    + "connector=orders seconds=65 worker=0"
            ])
        board.publish(figures())
        #expect(lines(&log, 500, reading(("orders", board))) == [])
    }

    @Test func `says nothing about the group during an outage, and counts from its end`() {
        var log = RunningLog(summaryInterval: nil)
        let outage = KafkaOutage(brokers: 3, detail: "connection refused")
        board.publish(
            figures {
                $0.awaitsAssignmentSince = .distantPast
                $0.outage = outage
            })
        #expect((1..<30).flatMap { lines(&log, $0, reading(("orders", board))) }.count == 1)
        board.publish(figures { $0.awaitsAssignmentSince = .distantPast })
        #expect((30..<35).flatMap { lines(&log, $0, reading(("orders", board))) }.count == 1)
        #expect(
            lines(&log, 35, reading(("orders", board))) == [
                "info waiting for the group to assign partitions connector=orders seconds=5 "
                    + "worker=0"
            ])
    }

    // MARK: Apps

    @Test func `repeats every five minutes that sending is suspended, with what waits`() {
        var log = RunningLog(summaryInterval: nil)
        for board in [board, other] {
            board.publish(figures { $0.state.suspendedApps = [.init("shop", pushes: 20)] })
        }
        let rows = reading(("orders", board), ("orders", other))
        #expect((0..<300).flatMap { lines(&log, $0, rows) } == [])
        let line =
            "error sending is still suspended action=\"the line that reported it says what to "
            + "fix\" app=shop connector=orders"
        #expect(lines(&log, 300, rows) == [line + " seconds=300 waiting=40"])
        #expect((301..<600).flatMap { lines(&log, $0, rows) } == [])
        #expect(lines(&log, 600, rows) == [line + " seconds=600 waiting=40"])
        for board in [board, other] { board.publish(figures()) }
        #expect(lines(&log, 601, reading(("orders", board))) == [])
        board.publish(figures { $0.state.suspendedApps = [.init("shop")] })
        // Suspended again, it is a new suspension.
        #expect((602..<902).flatMap { lines(&log, $0, reading(("orders", board))) } == [])
    }
}
