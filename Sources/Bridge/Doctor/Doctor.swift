internal import APNs
public import Configuration
public import EventLoop
internal import Kafka
internal import KafkaLogin
internal import SchemaRegistry

/// Checks everything that connectors depend on: Kafka, its topics and rights, credentials, APNs,
/// and the limits of the process.
///
/// It consumes and commits nothing, joins no group, writes to no topic, and sends no push.
public enum Doctor {
    /// Examines a connector and calls `report` after each check.
    ///
    /// - Parameter timeout: how long one check may take.
    public static func examine(
        _ connector: Connector, timeout: Duration = .seconds(15),
        report: @escaping @Sendable (DoctorFinding) -> Void
    ) async {
        await examine(connector, kafka: timeout, apns: timeout, report: report)
    }

    /// Examines a connector with a time limit for each check of Kafka, and another for each of
    /// APNs.
    static func examine(
        _ connector: Connector, kafka: Duration, apns timeout: Duration,
        report: @escaping @Sendable (DoctorFinding) -> Void
    ) async {
        await onThread("doctor") {
            let report = DoctorReport(of: connector.name, report)
            if examineLogin(connector.kafkaLogin, of: connector.kafkaProperties, report) {
                KafkaExamination(connector, kafka, report).run()
            } else {
                report("topics", .notChecked, "Kafka is not reachable")
            }
            examineRegistry(of: connector, report)
            for route in connector.apns.routes {
                let apps = route.map { connector.apns.apps[$0] }
                APNsExamination(connector, apps, timeout, report).run()
            }
        }
    }

    /// Asks the source of a login for a token, if there is one; false if it gives none, so that
    /// nothing can be asked of Kafka.
    static func examineLogin(
        _ login: KafkaLoginSettings?, of properties: KafkaProperties, _ report: DoctorReport
    ) -> Bool {
        guard let login else { return true }
        switch LoginSource.check(login) {
        case .success(let message):
            report("kafka login", .passed, message)
            return true
        case .failure(let failure):
            report(
                "kafka login", .failed, failure.description,
                "check kafka_login: without a token no broker can be reached")
            report("kafka \(properties.addresses)", .notChecked, "there is no login token")
            return false
        }
    }

    private static func examineRegistry(of connector: Connector, _ report: DoctorReport) {
        guard let settings = connector.schemaRegistry else { return }
        for (url, fault) in SchemaRegistry(settings).check() {
            guard let fault else {
                report("schema registry", .passed, "\(url) responds")
                continue
            }
            report(
                "schema registry", .failed, "\(url): \(fault)",
                "check url and credentials in schema_registry: partitions whose schemas cannot be"
                    + " looked up are paused")
        }
    }

    /// Examines what connectors share: the limits of the process, and the clock.
    public static func examineProcess(
        of connectors: [Connector], limits: ProcessLimits = .current()
    ) -> [DoctorFinding] {
        [
            openFiles(connectors, limits), memory(connectors, limits),
            DoctorFinding(
                nil, "clock", .notChecked,
                "APNs reports its time only in responses, and no push was sent",
                action: "check that the machine's clock is synchronized: a provider token that is"
                    + " off by an hour is refused"),
        ]
    }

    private static func openFiles(
        _ connectors: [Connector], _ limits: ProcessLimits
    ) -> DoctorFinding {
        let needed = OpenFiles.needed(by: connectors)
        guard let limit = limits.openFiles else {
            return DoctorFinding(nil, "open files", .passed, "unlimited; about \(needed) needed")
        }
        guard limit >= needed else {
            return DoctorFinding(
                nil, "open files", .failed, "the limit is \(limit); about \(needed) are needed",
                action: OpenFiles.remedy(needed: needed))
        }
        return DoctorFinding(
            nil, "open files", .passed, "the limit is \(limit); about \(needed) are needed")
    }

    private static func memory(
        _ connectors: [Connector], _ limits: ProcessLimits
    ) -> DoctorFinding {
        let needed = connectors.map(bytes).reduce(64 << 20, +)
        let message = "by its settings the bridge may use about \(megabytes(needed))"
        guard let limit = limits.memory else {
            return DoctorFinding(nil, "memory", .passed, "no limit; \(message)")
        }
        guard limit >= needed else {
            return DoctorFinding(
                nil, "memory", .warning, "the limit is \(megabytes(limit)); \(message)",
                action: "raise the limit, or lower delivery.max_in_flight_bytes and"
                    + " delivery.max_waiting_bytes")
        }
        return DoctorFinding(
            nil, "memory", .passed, "the limit is \(megabytes(limit)); \(message)")
    }

    /// What the settings of a connector let its workers hold: records, what is fetched ahead, and
    /// results on their way to Kafka.
    private static func bytes(of connector: Connector) -> Int {
        let records = connector.delivery.maxInFlightBytes + connector.delivery.maxWaitingBytes
        return connector.workers * (records + (48 << 20))
    }

    private static func megabytes(_ bytes: Int) -> String { "\(bytes >> 20) MiB" }
}
