import Delivery
import Foundation
import Testing

@testable import Bridge

@Suite struct `An incident` {
    @Test(arguments: Incident.all)
    func `is seen by status and log, loses nothing, and is over when its cause is`(
        incident: Incident
    ) async throws {
        let played = try await PlayedIncident.of(incident)
        #expect(played.problems.before == [])
        // Two connections, which have succeeded.
        #expect(played.requestsAllowed.allSatisfy { (3...2000).contains($0) })
        #expect(
            played.problems.during.map(\.message) == [incident.problem].compactMap { $0 })
        #expect(played.hasLogged)
        #expect(played.hasSummarised, "\(played.lines)")
        #expect(played.isHealthy, "nothing restarts the process")
        #expect(played.isOver)
        #expect(played.problems.after == [])
        #expect(played.mistakes == [])
    }

    @Test(
        .enabled(if: AlertRules.canBeEvaluated, "no promtool"),
        arguments: Incident.all + Incident.unlisted)
    func `fires its alert in Prometheus, no other, and none once it is over`(
        incident: Incident
    ) async throws {
        let played = try await PlayedIncident.of(incident)
        let complaint = try AlertRules.complaint(
            about: played.scrapes, begin: played.begin, end: played.end, firing: incident.alerts)
        #expect(complaint == nil)
        #expect(played.mistakes == [])
    }

    @Test(arguments: (Incident.all + Incident.unlisted).filter(\.hasStatus))
    func `is an error in the status exactly if its alert pages somebody`(
        incident: Incident
    ) async throws {
        let problems = try await PlayedIncident.of(incident).problems.during
        let pages = incident.alerts.contains(where: AlertRules.pages)
        #expect(problems.contains(where: \.isError) == pages, "\(problems)")
    }

    @Test(arguments: Incident.all)
    func `is found by doctor as the runbook says`(incident: Incident) async throws {
        switch incident.doctor {
        case .unplayed(_, let reason): #expect(!reason.isEmpty)
        case .nothing(_, let during):
            let bridge = try ExaminedBridge()
            try during(bridge)
            let findings = try await bridge.findings()
            #expect(findings.filter(\.isBad) == [])
        case .finds(let result, let check, let detail, _, _, let during):
            let bridge = try ExaminedBridge()
            try during(bridge)
            let findings = try await bridge.findings()
            let found = findings.filter {
                $0.check.hasPrefix(check) && $0.result == result && $0.detail.contains(detail)
            }
            #expect(found.count == 1, "\(findings)")
            #expect(found.first?.action != nil)
            let others = findings.filter { $0.isBad && !found.contains($0) }
            #expect(others == [])
        }
    }

    @Test func `of device tokens engages the guard in the metrics until it is released`()
        async throws
    {
        let played = try await PlayedIncident.of(.corruptedTokens)
        let values = played.scrapes.map { $0["apns_bridge_guard_engaged"] }
        #expect(values[played.begin / AlertRules.interval - 1] == [0])
        #expect(values[played.end / AlertRules.interval - 1] == [1])
        #expect(values.last == [0])
    }
}

extension DoctorFinding {
    fileprivate var isBad: Bool { result == .failed || result == .warning }
}

@Suite struct `An examination of a bridge without an incident` {
    @Test func `finds nothing`() async throws {
        let findings = try await ExaminedBridge().findings()
        #expect(findings.filter(\.isBad) == [])
        #expect(findings.contains { $0.check.hasPrefix("apns ") && $0.result == .passed })
        #expect(findings.contains { $0.check.hasPrefix("group ") && $0.result == .passed })
    }
}

@Suite struct `The alerts` {
    @Test func `page somebody for each kind of error in the status`() async throws {
        var paged: Set<StatusProblem.Kind> = []
        for incident in Incident.all + Incident.unlisted
        where incident.alerts.contains(where: AlertRules.pages) {
            let played = try await PlayedIncident.of(incident)
            paged.formUnion(played.problems.during.filter(\.isError).map(\.kind))
        }
        #expect(paged == Set(StatusProblem.Kind.allCases.filter(\.isError)))
    }

    @Test func `have the limits of the status, and look back as far`() {
        for (fault, query) in [
            (RecentFaults.Fault.resultRefused, "rate(apns_bridge_results_refused_total"),
            (.rightRefused, "increase(apns_bridge_rights_refused_total"),
            (.topicMissing, "increase(apns_bridge_topics_missing_total"),
            (.recordsGone, "increase(apns_bridge_records_gone_total"),
            (.positionReset, "increase(apns_bridge_position_resets_total"),
            (.crashedStart, "increase(apns_bridge_crashed_starts_total"),
            (.unreadableEvent, #"_pushes_total{verdict="dropped",reason="unparsable"}"#),
        ] {
            let minutes = fault.memory.components.seconds / 60
            #expect(AlertRules.text.contains("\(query)[\(minutes)m]"))
        }
        let rule = AlertRules.text.split(separator: "- alert: ")
            .first { $0.hasPrefix("ApnsBridgeNothingAccepted") } ?? ""
        let minutes = RecentDeliveries.window.components.seconds / 60
        let ranges = rule.matches(of: /\[(\d+)m\]/).map { Int64($0.output.1) }
        #expect(ranges == [minutes, minutes, minutes])
        #expect(rule.contains("< 0.\(RecentDeliveries.leastAccepted / 10)\n"))
        #expect(rule.contains("> \(RecentDeliveries.leastPushes)\n"))
        let late = BridgeStatus.Reading.Worker.lateEvent / 1000
        #expect(AlertRules.text.contains("apns_bridge_oldest_event_age_seconds > \(late)\n"))
        let login = AlertRules.text.split(separator: "- alert: ")
            .first { $0.hasPrefix("ApnsBridgeLoginTokenNotRenewed") } ?? ""
        let urgent = BridgeStatus.Connector.unhurriedLogin / 1000
        #expect(login.contains("_expiration_timestamp_seconds - time() > \(urgent)\n"))
        let wait = BridgeStatus.Connector.toleratedLoginTrouble / 60_000
        #expect(login.contains("for: \(wait)m\n"))
        let slow = Double(RecentDeliveries.slowResponse) / 1000
        #expect(AlertRules.text.contains("_round_trip_seconds_bucket[5m]))) > \(slow)\n"))
        #expect(AlertRules.text.contains("[15m])) > 0.0\(RecentDeliveries.maxInDoubt)\n"))
    }

    @Test func `count every drop but those of events that are as intended`() throws {
        let queries = AlertRules.text.matches(of: /reason!~"([^"]*)"/).map { $0.output.1 }
        #expect(queries.count == 10)
        let ignored = Set(DropReason.allCases.filter(\.isIntended).map(\.rawValue))
        for query in queries {
            // Expired events have an alert of their own.
            let reasons = Set(query.split(separator: "|").map(String.init))
            #expect(reasons.subtracting(["expired"]) == ignored)
        }
    }

    @Test func `write no bare numbers`() {
        #expect(!AlertRules.text.contains("{{ $value }}"))
        #expect(AlertRules.text.contains("{{ $value | humanizeDuration }}"))
    }

    @Test func `are all played`() {
        let played = Set((Incident.all + Incident.unlisted).flatMap(\.alerts))
        #expect(played == Set(AlertRules.names))
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
        let alerts = incident.alerts.map { "`\($0)`" }.joined(separator: ", ")
        let cells = [
            incident.name, alerts.isEmpty ? "none" : alerts,
            incident.problem.map { "`\($0)`" } ?? "none",
            log.isEmpty ? "none" : log.joined(separator: "; "),
            incident.doctor.cell, incident.remedy,
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
}
