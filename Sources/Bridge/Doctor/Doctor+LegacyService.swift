public import Configuration
public import EventLoop
internal import KafkaLogin

extension Doctor {
    /// Examines the file of a legacy gateway or feedback service, and calls `report` after each
    /// check. It accepts no provider and commits nothing.
    ///
    /// - Parameters:
    ///   - limits: those that the service would have: it raises its soft limit of open files.
    ///   - timeout: how long one question to Kafka may take.
    public static func examine(
        _ service: LegacySettings, limits: ProcessLimits, timeout: Duration = .seconds(15),
        report: @escaping @Sendable (DoctorFinding) -> Void
    ) async {
        report(openFiles(of: service, limits))
        await onThread("doctor") {
            let report = DoctorReport(of: service.name, report)
            LegacyExamination(service, report).run()
            if examineLogin(service.kafkaLogin, of: service.kafkaProperties, report) {
                LegacyKafkaExamination(service, timeout, report).run()
            } else {
                report("topic \(service.topic.name)", .notChecked, "Kafka is not reachable")
            }
        }
    }

    static func openFiles(of service: LegacySettings, _ limits: ProcessLimits) -> DoctorFinding {
        let needed = service.listen.descriptors
        let check = "open files"
        guard let limit = limits.openFiles else {
            return DoctorFinding(
                service.name, check, .passed, "unlimited; about \(needed) needed")
        }
        guard limit >= needed else {
            return DoctorFinding(
                service.name, check, .warning,
                "the hard limit is \(limit); \(service.listen.connections) connections need about"
                    + " \(needed)",
                action: "raise it (ulimit -Hn \(2 * needed), or LimitNOFILE=\(2 * needed) in a"
                    + " systemd unit), or lower limits.connections")
        }
        return DoctorFinding(
            service.name, check, .passed,
            "the hard limit is \(limit); about \(needed) are needed")
    }
}
