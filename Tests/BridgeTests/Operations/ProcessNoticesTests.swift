import APNs
import Configuration
import Delivery
import Engine
import EventLoop
import Foundation
import Telemetry
import Testing

@testable import Bridge

@Suite struct `What a process says about its memory and certificates` {
    private static let end: Int64 = 1_798_797_600

    /// A reading so many seconds before a certificate expires, with so much of 100 MiB in use.
    private func reading(secondsLeft: Int64 = 1 << 30, mib: Int64 = 10) -> BridgeStatus.Reading {
        let board = FigureBoard()
        var figures = WorkerFigures(time: .distantPast, pushes: PushFigures(apps: 1))
        figures.connections = 1
        figures.credentials = [CredentialDates(certificateExpiresAt: Self.end)]
        board.publish(figures)
        let machine = BridgeStatus.Machine(
            wallClock: { (Self.end - secondsLeft) * 1000 },
            memory: { ProcessMemory(resident: mib << 20, limit: 100 << 20) })
        let status = BridgeStatus(machine: machine) { .distantPast }
        let worker = BridgeStatus.Worker(
            connector: "orders", number: 0, apps: ["shop"], board: board)
        status.started([BridgeStatus.Connector(name: "orders", workers: [worker, worker])])
        return status.read()
    }

    @Test func `is nothing while both suffice`() {
        var notices = ProcessNotices()
        let calm = reading(secondsLeft: 14 * 86_400, mib: 90)
        #expect(notices.look(calm, .zero) == [])
        #expect(calm.problems == [] && calm.degradations == [])
    }

    @Test func `is a line about a certificate once a day, for all workers`() {
        var notices = ProcessNotices()
        let soon = reading(secondsLeft: 3 * 86_400 + 5)
        let lines = notices.look(soon, .zero)
        #expect(lines.map(\.message) == ["certificate expires soon"])
        #expect(lines[0].metadata["days"] == 3 && lines[0].metadata["app"] == "shop")
        #expect(notices.look(soon, .seconds(86_399)) == [])
        #expect(notices.look(soon, .seconds(86_400)).count == 1)
        #expect(notices.look(reading(secondsLeft: -1), .seconds(86_401)).map(\.message) == [
            "certificate has expired"
        ])
    }

    @Test(arguments: [
        (14 * 86_400 - 1, "13 days", false), (86_400, "1 day", false),
        (86_399, "less than a day", false), (-1, "", true),
    ])
    func `is a problem with the days that are left`(
        seconds: Int64, message: String, isError: Bool
    ) throws {
        let found = reading(secondsLeft: seconds).problems
        #expect(found.count == 1 && found[0].workers == [0, 0] && found[0].app == "shop")
        let expected = isError ? "has expired" : "expires in \(message)"
        #expect(found[0].message == "the certificate of shop \(expected)")
        #expect(found[0].isError == isError)
    }

    @Test func `is a line about memory once an hour while more than 90 % are used`() throws {
        var notices = ProcessNotices()
        let scarce = reading(mib: 92)
        let lines = notices.look(scarce, .zero)
        #expect(lines.map(\.message) == ["memory close to its limit"])
        #expect(lines[0].metadata["used_mib"] == 92 && lines[0].metadata["limit_mib"] == 100)
        #expect(lines[0].level == .warning, "as in the status, and as the alert says")
        #expect(notices.look(reading(), .seconds(60)) == [])
        #expect(notices.look(scarce, .seconds(120)) == [], "not each time that it fluctuates")
        #expect(notices.look(scarce, .seconds(3600)).count == 1)
        let problem = try #require(scarce.problems.first)
        #expect(problem.kind == .memoryLimit && problem.connector == nil && !problem.isError)
        let json = String(decoding: scarce.json, as: UTF8.self)
        #expect(json.contains(#"{"kind":"memory_limit","severity":"warning","connector":null,"#))
        #expect(scarce.degradations == ["process: 92 of 100 MiB of memory in use"])
    }

    @Test func `is a line about deliveries every five minutes, for each thing that is wrong`() {
        var notices = ProcessNotices()
        var poor = reading()
        var deliveries = RecentDeliveries(connector: "orders", accepted: 90)
        deliveries.others[.init(connector: "orders", verdict: .unknown, reason: "")] = 10
        (deliveries.responses, deliveries.slowResponses) = (100, 60)
        poor.deliveries = [deliveries]
        let lines = notices.look(poor, .zero)
        #expect(lines.map(\.message) == ["many pushes are in doubt", "APNs is slow"])
        #expect(lines.map { $0.metadata["percent"] } == [10, 60])
        #expect(lines.allSatisfy { $0.level == .warning && $0.metadata["connector"] == "orders" })
        #expect(notices.look(poor, .seconds(299)) == [])
        #expect(notices.look(poor, .seconds(300)).count == 2)
        #expect(notices.look(reading(), .seconds(301)) == [], "they are as they should be")
        #expect(notices.look(poor, .seconds(302)) == [], "what comes and goes is one line")
        #expect(notices.look(poor, .seconds(600)).count == 2)
    }

    @Test func `has the same advice in the log and in the status`() throws {
        for scarce in [reading(mib: 92), reading(secondsLeft: 86_400), reading(secondsLeft: -1)] {
            var notices = ProcessNotices()
            let line = try #require(notices.look(scarce, .zero).first)
            let problem = try #require(scarce.problems.first)
            guard case .string(let action)? = line.metadata["action"] else {
                Issue.record("the line has no action")
                return
            }
            #expect(problem.remedy.hasPrefix(StatusProblem.sentence(action)))
            #expect((line.level == .error) == problem.isError)
        }
    }

    @Test func `has the same severity in the log and in the status if a reload was refused`()
        throws
    {
        let log = Lines()
        let wrong = Diagnostic(
            file: "orders.yaml", line: 1, column: 1, severity: .error, message: "unknown key")
        let reading = ReloadSource.Reading(connectors: [], diagnostics: [wrong])
        let status = BridgeStatus()
        let isRefused = reading.isRefused(Logger(label: "test", level: .info, sink: log))
        status.reloaded(isRefused: isRefused)
        let problem = try #require(status.read().problems.first)
        #expect(problem.kind == .reloadRefused)
        let level = problem.isError ? "error" : "warning"
        #expect(log.all.count == 1)
        #expect(log.all.first?.contains(" \(level) reload refused; continuing") == true)
    }

    @Test func `shows in the metrics`() {
        let text = BridgeMetrics(reading(mib: 92)).text
        #expect(text.contains("\napns_bridge_memory_limit_bytes 104857600\n"))
        #expect(text.contains("\nprocess_resident_memory_bytes 96468992\n"))
    }
}
