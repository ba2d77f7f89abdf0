internal import Configuration
internal import Delivery
internal import Kafka
internal import LegacyProviders

/// Examines the cluster, the topic and the rights of a service for legacy providers.
struct LegacyKafkaExamination {
    private let settings: LegacySettings
    private let topic: String
    private let access: KafkaAccess
    private let report: (DoctorFinding) -> Void

    init(
        _ settings: LegacySettings, _ timeout: Duration,
        _ report: @escaping (DoctorFinding) -> Void
    ) {
        self.settings = settings
        topic = settings.topic.name
        access = KafkaAccess(
            properties: KafkaProperties(settings.kafka),
            timeout: Int(timeout.nanoseconds / 1_000_000))
        self.report = report
    }

    func run() {
        let service = ServiceCheck(settings)
        let check = "kafka \(access.properties.addresses)"
        do throws(LegacyFailure) {
            let found = try service.describe(timeoutMilliseconds: access.timeout)
            add(check, .passed, "reachable; cluster \(found.clusterID ?? "without an ID")")
            if let problem = service.problem(in: found) {
                report(.init(settings.name, "topic \(topic)", problem))
            } else {
                examine(found)
            }
        } catch {
            report(.init(settings.name, check, error.problem))
            add("topic \(topic)", .notChecked, "Kafka is not reachable")
        }
    }

    private func examine(_ found: ClusterDescription) {
        let count = found.topics[topic]?.partitionCount ?? 0
        add("topic \(topic)", .passed, "\(count) \(count == 1 ? "partition" : "partitions")")
        let advice = LegacyTopicAdvice(settings, found.settings[topic]).findings
        for one in advice { report(.init(settings.name, "topic settings", one)) }
        if let failure = found.settingsFailure {
            add(
                "topic settings", .notChecked, failure.message,
                failure.code.contains("AUTHORIZATION")
                    ? "grant DESCRIBE_CONFIGS on the topic" : nil)
        } else if advice.isEmpty {
            add("topic settings", .passed, "no setting of the topic loses or repeats anything")
        }
        examineRights(partitions: count)
    }

    private func examineRights(partitions count: Int) {
        switch settings {
        case .gateway:
            add(
                "write access", .notChecked,
                "this librdkafka cannot ask for it, and nothing is written to find out",
                "grant WRITE and DESCRIBE on the topic, and IDEMPOTENT_WRITE on the cluster where"
                    + " brokers are older than 2.8")
        case .feedback(let feedback):
            report(access.reading(topic, of: settings.name))
            let partitions = (0..<count).map {
                TopicPartition(topic: topic, partition: Int32($0))
            }
            for app in feedback.apps {
                report(
                    access.group(feedback.group(of: app), on: partitions, of: settings.name))
            }
        }
    }

    private func add(
        _ check: String, _ result: DoctorFinding.Result, _ detail: String, _ action: String? = nil
    ) {
        report(DoctorFinding(settings.name, check, result, detail, action: action))
    }
}
