internal import Configuration
internal import Delivery
internal import Kafka

/// Examines the cluster, the topics and the rights of a connector.
struct KafkaExamination {
    private let connector: Connector
    private let timeout: Int
    private let report: DoctorReport

    init(_ connector: Connector, _ timeout: Duration, _ report: DoctorReport) {
        self.connector = connector
        self.timeout = Int(timeout.nanoseconds / 1_000_000)
        self.report = report
    }

    func run() {
        let properties = KafkaProperties(connector.kafka)
        let check = "kafka \(properties.addresses)"
        do throws(StartFailure) {
            let found = try KafkaCheck.describe(connector, timeoutMilliseconds: timeout)
            report(check, .passed, "reachable; cluster \(found.clusterID ?? "without an ID")")
            examine(found)
            examineRights(found, properties)
        } catch {
            for problem in error.diagnostics { report(check, problem) }
            report("topics", .notChecked, "Kafka is not reachable")
        }
    }

    private func examine(_ found: ClusterDescription) {
        for topic in KafkaCheck.topics(of: connector) {
            let check = "topic \(topic.name)"
            if let problem = KafkaCheck.problem(of: connector, topic, found) {
                report(check, problem)
            } else {
                let count = found.topics[topic.name]?.partitionCount ?? 0
                report(check, .passed, "\(count) \(count == 1 ? "partition" : "partitions")")
            }
        }
        let advice = KafkaCheck.advice(on: connector, found)
        for one in advice { report("topic settings", one) }
        if let failure = found.settingsFailure {
            report(
                "topic settings", .notChecked, failure.message,
                failure.code.contains("AUTHORIZATION")
                    ? "grant DESCRIBE_CONFIGS on the topics" : nil)
        } else if advice.isEmpty {
            report("topic settings", .passed, "replication, compaction and retention are safe")
        }
    }

    private func examineRights(_ found: ClusterDescription, _ properties: KafkaProperties) {
        let read = connector.source.topics + (connector.results.retry.map { [$0] } ?? [])
        let topics = read.filter { (found.topics[$0]?.partitionCount ?? 0) > 0 }
        for topic in topics { examineReading(topic, properties) }
        examineGroup(topics, found, properties)
        report(
            "write access", .notChecked,
            "this librdkafka cannot ask for it, and nothing is written to find out",
            "grant WRITE and DESCRIBE on the result topics, and IDEMPOTENT_WRITE on the cluster"
                + " where brokers are older than 2.8")
    }

    private func examineReading(_ topic: String, _ properties: KafkaProperties) {
        let check = "read access \(topic)"
        do throws(KafkaFailure) {
            let reader = try TopicReader(properties: properties)
            _ = try reader.checkReadAccess(to: topic, timeoutMilliseconds: timeout)
            report(check, .passed, "a fetch outside the group succeeded")
        } catch {
            report(
                check, .failed, error.message,
                error.code == "_TIMED_OUT"
                    ? "inspect the leaders of its partitions: kafka-topics.sh --bootstrap-server"
                        + " \(properties.addresses) --describe --topic \(topic)"
                    : "grant READ on the topic: kafka-acls.sh --add")
        }
    }

    private func examineGroup(
        _ topics: [String], _ found: ClusterDescription, _ properties: KafkaProperties
    ) {
        let group = connector.source.group
        let check = "group \(group)"
        let partitions = topics.flatMap { topic in
            (0..<(found.topics[topic]?.partitionCount ?? 0)).map {
                TopicPartition(topic: topic, partition: Int32($0))
            }
        }
        guard !partitions.isEmpty else { return }
        do throws(KafkaFailure) {
            let committed = try CommittedOffsets.read(
                properties: properties, group: group, partitions: partitions,
                timeoutMilliseconds: timeout)
            let count = committed.count { $0.next != nil }
            report(
                check, .passed,
                "has committed offsets for \(count) of \(partitions.count) partitions")
        } catch {
            report(check, .failed, error.message, "grant READ on the group: kafka-acls.sh --add")
        }
    }
}
