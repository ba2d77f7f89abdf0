internal import Delivery
internal import Telemetry

/// Decides what a running process logs about its memory and its certificates.
struct ProcessNotices {
    /// How often the log repeats that memory is scarce.
    static let memoryInterval = Duration.seconds(3600)
    /// How often the log repeats that a certificate expires.
    static let certificateInterval = Duration.seconds(86_400)

    /// How often the log repeats that hardly any push of a connector is accepted.
    static let failingInterval = Duration.seconds(300)

    /// When a line about memory may be logged again.
    private var nextMemory = Duration.zero
    /// When a line about a certificate may be logged again, by its beginning.
    private var nextCertificates: [String: Duration] = [:]
    /// When a line about a connector of which hardly any push is accepted may be logged again.
    private var nextFailing: [String: Duration] = [:]

    /// The lines that are due; times are counted from the start of the process.
    mutating func look(_ reading: BridgeStatus.Reading, _ now: Duration) -> [RunningLog.Line] {
        nextCertificates = nextCertificates.filter { $0.value > now }
        return memory(reading, now) + failing(reading, now)
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
                    "action": .string(ScarceMemory.action),
                ])
        ]
    }

    private mutating func failing(
        _ reading: BridgeStatus.Reading, _ now: Duration
    ) -> [RunningLog.Line] {
        nextFailing = nextFailing.filter { known in
            reading.failing.contains { $0.connector == known.key }
        }
        return reading.failing.compactMap { failing in
            guard now >= nextFailing[failing.connector] ?? .zero else { return nil }
            nextFailing[failing.connector] = now + Self.failingInterval
            return RunningLog.Line(
                level: .of(.nothingAccepted), message: "hardly any push is accepted",
                metadata: [
                    "connector": .string(failing.connector),
                    "verdict": .string(failing.commonest.verdict.rawValue),
                    "reason": .string(failing.commonest.reason),
                    "action": .string(failing.problem.remedy),
                ])
        }
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
