internal import Configuration
internal import Delivery
internal import EventLoop
internal import Kafka
internal import KafkaLogin
internal import Spelling

/// Examines the cluster, the topics and the rights of a connector.
struct KafkaExamination {
    private let connector: Connector
    private let access: KafkaAccess
    private let report: DoctorReport

    init(_ connector: Connector, _ timeout: Duration, _ report: DoctorReport) {
        self.connector = connector
        access = KafkaAccess(
            properties: connector.kafkaProperties,
            timeout: Int(timeout.milliseconds), report: report)
        self.report = report
    }

    func run() {
        let check = "kafka \(access.properties.addresses)"
        do throws(StartFailure) {
            let found = try KafkaCheck.describe(connector, timeoutMilliseconds: access.timeout)
            report(check, .passed, "reachable; cluster \(found.clusterID ?? "without an ID")")
            examine(found)
            examineRights(found)
        } catch {
            for problem in error.diagnostics { report(check, problem) }
            report("topics", .notChecked, "Kafka is not reachable")
        }
    }

    private func examine(_ found: ClusterDescription) {
        let topics = KafkaCheck.topics(of: connector)
        for topic in topics {
            let check = "topic \(topic.name)"
            if let problem = KafkaCheck.problem(of: connector, topic, found) {
                report(check, problem)
            } else {
                let count = found.topics[topic.name]?.partitionCount ?? 0
                report(check, .passed, Plural.counted(count, "partition"))
            }
        }
        for pattern in connector.source.topics.patterns { examine(pattern, found) }
        let isComplete = topics.allSatisfy { (found.topics[$0.name]?.partitionCount ?? 0) > 0 }
        comparePartitions(found)
        access.examineSettings(
            found, KafkaCheck.advice(on: connector, found),
            passed: "replication, compaction and retention"
                + (isComplete ? " are safe" : " of the topics that exist are safe"),
            of: "the topics")
    }

    /// How many topics that match a pattern are read to find out whether that is allowed.
    private static let maxReadTopics = 10

    private func examine(_ pattern: TopicPattern, _ found: ClusterDescription) {
        let counts = found.sources(of: connector).filter(pattern.matches)
            .map { found.topics[$0]?.partitionCount ?? 0 }
        let check = "topics \(pattern.text)"
        guard !counts.isEmpty else {
            return report(
                check, .warning, "no topic matches for now: the bridge waits for one",
                "if that is not meant, correct source.topics; a topic that the user may not"
                    + " describe does not match")
        }
        let partitions = counts.reduce(0, +)
        report(
            check, .passed,
            "\(counts.count) \(counts.count == 1 ? "topic matches" : "topics match"), with"
                + " \(Plural.counted(partitions, "partition"))")
    }

    private func comparePartitions(_ found: ClusterDescription) {
        let comparison = PartitionComparison(connector, found)
        for finding in comparison.findings { report("partitions", finding) }
        let unknown = comparison.unknown
        if !unknown.isEmpty {
            let names = unknown.map { "'\($0)'" }.joined(separator: ", ")
            report("partitions", .notChecked, "those of \(names) are not known")
        } else if comparison.findings.isEmpty, let message = comparison.summary {
            report("partitions", .passed, message)
        }
    }

    /// A group that is new sends everything that its topics hold. What Kafka does not say about it
    /// is in the finding about the group.
    private func examineBacklog() {
        guard connector.source.start == .earliest,
            let backlog = try? KafkaCheck.backlog(
                of: connector, timeoutMilliseconds: access.timeout),
            backlog.sendsEverything
        else { return }
        report(
            "new group \(connector.source.group)", .warning,
            "it has committed nothing, and would send \(backlog.message)",
            connector.source.newGroup == .confirm
                ? "it waits for 'run --begin' or POST /connectors/\(connector.name)/begin; if that"
                    + " is not meant, correct source.group, or give the group offsets"
                : "if that is not meant, correct source.group, give the group offsets, or write"
                    + " start: latest; with new_group: confirm it waits for 'run --begin'")
    }

    /// A few dead letters are usual; a share of all events has a cause.
    private func examineDeadLetters() {
        let topic = connector.results.deadLetter
        guard
            let rate = try? DeadLetterRate.read(
                of: connector, now: WallClock.milliseconds, timeoutMilliseconds: access.timeout)
        else { return }
        report(
            "dead letters \(topic)", rate.isHigh ? .warning : .passed, rate.message,
            "look at their header apns-bridge-reason: kafka-console-consumer.sh --topic \(topic)"
                + " --property print.headers=true; 'apns-bridge replay' sends them again once the"
                + " cause is fixed")
    }

    private func examineRights(_ found: ClusterDescription) {
        let read = found.sources(of: connector) + connector.ownTopics
        let topics = read.filter { (found.topics[$0]?.partitionCount ?? 0) > 0 }
        let unread = found.matching.dropFirst(Self.maxReadTopics)
        for topic in topics where !unread.contains(topic) { access.examineReading(topic) }
        let partitions = topics.flatMap { topic in
            (0..<(found.topics[topic]?.partitionCount ?? 0)).map {
                TopicPartition(topic: topic, partition: Int32($0))
            }
        }
        if !partitions.isEmpty {
            access.examineGroup(connector.source.group, on: partitions)
            examineBacklog()
            examineDeadLetters()
        }
        let written = connector.results.topics.filter {
            (found.topics[$0]?.partitionCount ?? 0) > 0
        }
        if !written.isEmpty { access.examineWriting(written) }
    }
}
