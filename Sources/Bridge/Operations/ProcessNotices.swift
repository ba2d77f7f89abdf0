internal import Delivery
internal import Engine
internal import Telemetry

/// Decides what a running process logs about its memory, its certificates and its deliveries.
struct ProcessNotices {
    /// How often the log repeats that memory is scarce.
    static let memoryInterval = Duration.seconds(3600)
    /// How often the log repeats that a certificate expires.
    static let certificateInterval = Duration.seconds(86_400)

    /// How often the log repeats that pushes are not delivered as they should be.
    static let deliveryInterval = Duration.seconds(300)

    /// When a line about memory may be logged again.
    private var nextMemory = Duration.zero
    /// When a line about a certificate may be logged again, by its beginning.
    private var nextCertificates: [String: Duration] = [:]
    /// When a line about the deliveries of a connector may be logged again.
    private var nextDeliveries: [String: Duration] = [:]

    /// The lines that are due; times are counted from the start of the process.
    mutating func look(_ reading: BridgeStatus.Reading, _ now: Duration) -> [RunningLog.Line] {
        nextCertificates = nextCertificates.filter { $0.value > now }
        return memory(reading, now) + deliveries(reading, now)
            + reading.workers.flatMap { certificates($0, reading, now) }
    }

    private mutating func memory(
        _ reading: BridgeStatus.Reading, _ now: Duration
    ) -> [RunningLog.Line] {
        guard let memory = reading.scarceMemory, now >= nextMemory else { return [] }
        nextMemory = now + Self.memoryInterval
        return [
            RunningLog.Line(
                level: .of(.memoryLimit), message: "memory close to its limit",
                metadata: [
                    "used_mib": .number(memory.used), "limit_mib": .number(memory.limit),
                    "action": .string(MemoryPressure.action),
                ])
        ]
    }

    private mutating func deliveries(
        _ reading: BridgeStatus.Reading, _ now: Duration
    ) -> [RunningLog.Line] {
        let current = Self.deliveryLines(reading)
        // What comes and goes is not logged each time.
        nextDeliveries = nextDeliveries.filter { $0.value > now }
        return current.sorted { $0.key < $1.key }.compactMap { name, line in
            guard nextDeliveries[name] == nil else { return nil }
            nextDeliveries[name] = now + Self.deliveryInterval
            return line
        }
    }

    /// The lines about pushes that are not delivered as they should be, by connector and problem.
    private static func deliveryLines(
        _ reading: BridgeStatus.Reading
    ) -> [String: RunningLog.Line] {
        var lines: [String: RunningLog.Line] = [:]
        for delivery in reading.deliveries {
            for finding in delivery.findings {
                lines["\(delivery.connector)/\(finding.kind)"] = line(finding, delivery.connector)
            }
        }
        for problem in reading.problems where problem.kind == .eventsLate {
            guard let connector = problem.connector else { continue }
            let late = reading.workers.filter { $0.worker.connector == connector }
                .max { $0.oldestEventAge < $1.oldestEventAge }
            lines["\(connector)/\(problem.kind)"] = lateLine(
                connector, late.flatMap { row in row.figures.flatMap { row.latest($0) } })
        }
        return lines
    }

    private static func lateLine(
        _ connector: String, _ late: BridgeStatus.Reading.Worker.LateEvents?
    ) -> RunningLog.Line {
        var metadata: Logger.Metadata = [
            "connector": .string(connector),
            "action": .string(BridgeStatus.Reading.Worker.lateAction),
        ]
        if let late {
            metadata["topic"] = .string(late.partition.topic)
            metadata["partition"] = .integer(Int64(late.partition.partition))
            metadata["offset"] = .integer(late.offset)
            metadata["open_records"] = .number(late.openRecords)
            metadata["paused"] = .strings(late.pauses.map(\.rawValue))
            metadata["retry_reason"] = late.retryReason.map { .string($0) }
        }
        return RunningLog.Line(
            level: .of(.eventsLate), message: "events older than five minutes are unfinished",
            metadata: metadata)
    }

    private static func line(
        _ finding: RecentDeliveries.Finding, _ connector: String
    ) -> RunningLog.Line {
        var metadata: Logger.Metadata = [
            "connector": .string(connector), "action": .string(finding.remedy),
        ]
        let message: String
        switch finding {
        case .nothingAccepted(let commonest):
            message = "almost no pushes accepted"
            metadata["verdict"] = .string(commonest.verdict.rawValue)
            metadata["reason"] = .string(commonest.reason)
        case .dropped(let percent, let commonest):
            message = "pushes are dropped that should be sent"
            metadata["percent"] = .number(percent)
            metadata["reason"] = .string(commonest.reason)
        case .inDoubt(let percent):
            message = "many pushes are in doubt"
            metadata["percent"] = .number(percent)
        case .responsesSlow(let percent):
            message = "APNs is slow"
            metadata["percent"] = .number(percent)
        }
        return RunningLog.Line(level: .of(finding.kind), message: message, metadata: metadata)
    }

    private mutating func certificates(
        _ row: BridgeStatus.Reading.Worker, _ reading: BridgeStatus.Reading, _ now: Duration
    ) -> [RunningLog.Line] {
        row.certificates(at: reading.wallClock).compactMap { certificate in
            let name = "\(row.worker.connector)/\(certificate.app)/\(certificate.isExpired)"
            guard nextCertificates[name] == nil else { return nil }
            nextCertificates[name] = now + Self.certificateInterval
            return line(certificate, row.worker.connector)
        }
    }

    private func line(
        _ certificate: ExpiringCertificate, _ connector: String
    ) -> RunningLog.Line {
        var metadata: Logger.Metadata = [
            "connector": .string(connector), "app": .string(certificate.app),
            "action": .string(ExpiringCertificate.action),
        ]
        if !certificate.isExpired { metadata["days"] = .integer(certificate.days) }
        return RunningLog.Line(
            level: .of(certificate.kind),
            message: certificate.isExpired ? "certificate has expired" : "certificate expires soon",
            metadata: metadata)
    }
}

extension LogLevel {
    /// The level of a line about a problem that the status has, too.
    static func of(_ kind: StatusProblem.Kind) -> LogLevel { kind.isError ? .error : .warning }
}

extension BridgeStatus.Reading.Worker {
    /// The age of its oldest event that is not done, in milliseconds; 0 for none.
    fileprivate var oldestEventAge: Int64 { figures?.state.oldestEventAge ?? 0 }
}
