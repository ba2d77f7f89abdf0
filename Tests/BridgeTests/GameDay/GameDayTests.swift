import Foundation
import Testing

@testable import Bridge

@Suite struct `An incident` {
    @Test(arguments: Incident.all)
    func `is seen by alert, status and log, loses nothing, and is over when its cause is`(
        incident: Incident
    ) throws {
        let day = try GameDay(incident)
        let calm = day.pass(seconds: GameDay.start - 1)
        let before = GameDay.metrics(calm)
        #expect(calm.problems == [])
        // Two connections, which have succeeded.
        #expect(before["apns_bridge_requests_allowed"].allSatisfy { (3...2000).contains($0) })

        try incident.begin(day)
        let reading = day.pass(seconds: incident.seconds)
        #expect(reading.problems.map(\.message) == [incident.problem].compactMap { $0 })
        if let alert = incident.alert {
            #expect(alert.signal.holds(GameDay.metrics(reading), before: before))
        }
        if let message = incident.logged { #expect(day.hasLogged(message)) }
        if let field = incident.summary { #expect(day.hasSummarised(field), "\(day.lines)") }
        let others = Incident.all.compactMap(\.alert).filter { $0.name != incident.alert?.name }
            .filter { $0.signal.holds(GameDay.metrics(reading), before: before) }.map(\.name)
        #expect(others == [], "alerts of other incidents")
        #expect(reading.isHealthy, "nothing restarts the process")

        try incident.end(day)
        // A new credential is adopted once APNs has accepted a push with it.
        _ = day.pass(seconds: 10)
        #expect(day.finish())
        let over = day.pass(seconds: 30)
        #expect(over.problems == [])
        day.world.oracle.checkEnd()
        #expect(day.world.oracle.mistakes == [])
    }
}

@Suite struct `The runbook` {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    /// A row of its table.
    private func row(_ incident: Incident) -> String {
        let log = [
            incident.logged.map { "`\($0)`" },
            incident.summary.map { "`\($0)` in the summary" },
        ].compactMap { $0 }
        let cells = [
            incident.name, incident.alert.map { "`\($0.name)`" } ?? "none",
            incident.problem.map { "`\($0)`" } ?? "none",
            log.isEmpty ? "none" : log.joined(separator: "; "),
            incident.doctor, incident.remedy,
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    @Test func `has the incidents of the game day, and no others`() throws {
        let article = try text("Sources/Bridge/Documentation.docc/Runbook.md")
        let section = article.split(separator: "\n## ").first { $0.hasPrefix("Incidents\n") }
        let table = try #require(section).split(separator: "\n").filter { $0.hasPrefix("|") }
        let rows = Incident.all.map(row)
        #expect(table.dropFirst(2).map(String.init) == rows, "\(rows.joined(separator: "\n"))")
    }

    @Test func `names alerts that exist and read the metric that shows the incident`() throws {
        let rules = try text("deploy/prometheus/alerts.yaml")
        for (name, signal) in Incident.all.compactMap(\.alert) {
            let rule = try #require(
                rules.split(separator: "- alert: ").first { $0.hasPrefix("\(name)\n") })
            #expect(rule.contains(signal.metric), "\(name)")
        }
    }
}
