internal import Configuration
internal import Delivery
internal import Kafka

/// Reports what a user may do with topics and their settings, and what a group has committed.
struct KafkaAccess {
    let properties: KafkaProperties
    /// How long one question may take, in milliseconds.
    let timeout: Int
    let report: DoctorReport

    /// Fetches from the end of a topic, outside any group.
    func examineReading(_ topic: String) {
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

    /// Reads the committed offsets of a group.
    func examineGroup(_ group: String, on partitions: [TopicPartition]) {
        let check = "group \(group)"
        do throws(KafkaFailure) {
            let committed = try CommittedOffsets.read(
                properties: properties, group: group, partitions: partitions,
                timeoutMilliseconds: timeout)
            let count = committed.count { $0.next != nil }
            report(
                check, .passed,
                "has committed offsets for \(count) of \(partitions.count) partitions")
        } catch {
            report(
                check, .failed, error.message,
                error.code == "GROUP_AUTHORIZATION_FAILED"
                    ? "grant READ on the group: kafka-acls.sh --add"
                    : "check that all brokers run: one of them coordinates the group")
        }
    }

    /// Reports what should be changed about topics, or why their settings were not read.
    func examineSettings(
        _ found: ClusterDescription, _ advice: [Diagnostic], passed: String, needs right: String
    ) {
        let check = "topic settings"
        for one in advice { report(check, one) }
        if let failure = found.settingsFailure {
            let isForbidden = failure.code.contains("AUTHORIZATION")
            report(
                check, .notChecked, failure.message,
                isForbidden ? "grant DESCRIBE_CONFIGS on \(right)" : nil)
        } else if advice.isEmpty {
            report(check, .passed, passed)
        }
    }

    /// Asks Kafka whether topics may be written to; nothing is written to find out.
    func examineWriting(_ topics: [String]) {
        guard TopicRights.canBeRead else {
            return report(
                "write access", .notChecked,
                "this librdkafka cannot ask for it, and nothing is written to find out",
                "grant WRITE and DESCRIBE on \(topics.joined(separator: ", "))")
        }
        for topic in topics { examineWriting(to: topic) }
    }

    private func examineWriting(to topic: String) {
        let check = "write access \(topic)"
        do throws(KafkaFailure) {
            let mayWrite = try TopicRights.mayWrite(
                to: topic, properties: properties, timeoutMilliseconds: timeout)
            switch mayWrite {
            case true: report(check, .passed, "this user may write to it")
            case false:
                report(
                    check, .failed, "this user may not write to it",
                    "grant WRITE and DESCRIBE on the topic: kafka-acls.sh --add")
            case nil:
                report(
                    check, .notChecked, "the broker does not tell, and nothing is written to find"
                        + " out", "grant WRITE and DESCRIBE on the topic")
            }
        } catch {
            report(check, .notChecked, error.message)
        }
    }
}
