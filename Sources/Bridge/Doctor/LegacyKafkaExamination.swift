internal import Configuration
internal import Delivery
internal import Kafka
internal import KafkaLogin
internal import LegacyProviders
internal import Spelling

/// Examines the cluster, the topic and the rights of a service for legacy providers.
struct LegacyKafkaExamination {
    private let settings: LegacySettings
    private let topic: String
    private let access: KafkaAccess
    private let report: DoctorReport

    init(_ settings: LegacySettings, _ timeout: Duration, _ report: DoctorReport) {
        self.settings = settings
        topic = settings.topic.name
        access = KafkaAccess(
            properties: settings.kafkaProperties,
            timeout: Int(timeout.milliseconds), report: report)
        self.report = report
    }

    func run() {
        let service = ServiceCheck(settings)
        let check = "kafka \(access.properties.addresses)"
        do throws(LegacyFailure) {
            let found = try service.describe(timeoutMilliseconds: access.timeout)
            report(check, .passed, "reachable; cluster \(found.clusterID ?? "without an ID")")
            if let problem = service.problem(in: found) {
                report("topic \(topic)", problem)
            } else {
                examine(found)
            }
        } catch {
            report(check, error.problem)
            report("topic \(topic)", .notChecked, "Kafka is not reachable")
        }
    }

    private func examine(_ found: ClusterDescription) {
        let count = found.topics[topic]?.partitionCount ?? 0
        report("topic \(topic)", .passed, Plural.counted(count, "partition"))
        let advice = LegacyTopicAdvice(settings, found.settings[topic]).findings
        access.examineSettings(
            found, advice, passed: "no setting of the topic loses or repeats anything",
            of: "the topic")
        examineRights(partitions: count)
    }

    private func examineRights(partitions count: Int) {
        switch settings {
        case .gateway:
            access.examineWriting([topic])
        case .feedback(let feedback):
            access.examineReading(topic)
            let partitions = (0..<count).map {
                TopicPartition(topic: topic, partition: Int32($0))
            }
            for app in feedback.apps {
                access.examineGroup(feedback.group(of: app), on: partitions)
            }
        }
    }
}
