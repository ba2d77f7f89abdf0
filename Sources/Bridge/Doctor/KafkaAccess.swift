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
            report(check, .failed, error.message, remedyForReading(error, of: topic))
        }
    }

    /// What to do when a fetch failed.
    func remedyForReading(_ failure: KafkaFailure, of topic: String) -> String {
        failure.isAboutRights
            ? "grant READ on the topic: kafka-acls.sh --add"
            : failure.remedyForTopic(topic, at: properties.addresses)
    }

    /// Reads the committed offsets of a group, for which DESCRIBE suffices, and then asks whether
    /// the user may be its member.
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
            return report(
                check, .failed, error.message,
                error.code == "GROUP_AUTHORIZATION_FAILED"
                    ? Self.groupRight
                    : "check that all brokers run: one of them coordinates the group")
        }
        examineMembership(of: group)
    }

    private func examineMembership(of group: String) {
        let check = "group access \(group)"
        let advice = "compare with kafka-acls.sh --list: the user needs READ on the group"
        do throws(KafkaFailure) {
            let access = try GroupAccess.read(
                properties: properties, group: group, timeoutMilliseconds: timeout)
            switch access {
            case .granted: report(check, .passed, "Kafka allows READ")
            case .denied: report(check, .failed, "Kafka does not allow READ", Self.groupRight)
            case .unknown:
                report(check, .notChecked, "the broker does not say what it allows", advice)
            case nil:
                report(
                    check, .notChecked,
                    "only librdkafka 2.3 or newer can ask for it; nobody joins to find out", advice)
            }
        } catch {
            report(check, .notChecked, error.message, advice)
        }
    }

    private static let groupRight = "grant READ on the group: kafka-acls.sh --add"

    /// Reports what should be changed about topics, or why their settings were not read.
    func examineSettings(
        _ found: ClusterDescription, _ advice: [Diagnostic], passed: String, of topics: String
    ) {
        let check = "topic settings"
        for one in advice { report(check, one) }
        if let failure = found.settingsFailure {
            report(
                check, .notChecked, failure.message,
                failure.remedyForSettings(of: topics, again: "run 'apns-bridge doctor' again"))
        } else if advice.isEmpty {
            report(check, .passed, passed)
        }
    }

    /// Asks Kafka what the user may do with topics; nothing is written to find out.
    func examineWriting(_ topics: [String]) {
        do throws(KafkaFailure) {
            let access = try WriteAccess.read(
                properties: properties, topics: topics, timeoutMilliseconds: timeout)
            guard let access else {
                return report(
                    "write access", .notChecked,
                    "only librdkafka 2.3 or newer can ask for it; nothing is written to find out",
                    Self.checkOfRights)
            }
            for topic in topics { report(topic, access[topic] ?? .unknown) }
        } catch {
            report(
                "write access", .notChecked, error.message,
                remedyForWriting(error, of: topics.first ?? ""))
        }
    }

    private func report(_ topic: String, _ access: WriteAccess) {
        let check = "write access \(topic)"
        switch access {
        case .granted: report(check, .passed, "Kafka allows WRITE")
        case .denied:
            report(check, .failed, "Kafka does not allow WRITE", "grant \(Self.writeRights)")
        case .unknown:
            report(
                check, .notChecked, "the broker does not say what it allows", Self.checkOfRights)
        case .failed(let failure):
            report(check, .failed, failure.message, remedyForWriting(failure, of: topic))
        }
    }

    /// What to do when Kafka did not say what the user may do with a topic.
    func remedyForWriting(_ failure: KafkaFailure, of topic: String) -> String {
        if failure.isAboutRights { return "grant \(Self.writeRights)" }
        // Brokers before Kafka 2.3 cannot say.
        if failure.code.contains("UNSUPPORTED_") { return Self.checkOfRights }
        return failure.remedyForTopic(topic, at: properties.addresses)
    }

    private static let writeRights =
        "WRITE and DESCRIBE on the topics that are written to, and IDEMPOTENT_WRITE on the cluster"
        + " where brokers are older than 2.8"
    /// Nothing says that a right is missing.
    private static let checkOfRights =
        "compare with kafka-acls.sh --list: the user needs \(writeRights)"
}
