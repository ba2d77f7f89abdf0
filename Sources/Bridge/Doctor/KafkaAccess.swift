internal import Delivery
internal import Kafka

/// Asks a cluster whether a user may read topics and what a group has committed.
struct KafkaAccess {
    let properties: KafkaProperties
    /// How long one question may take, in milliseconds.
    let timeout: Int

    /// Fetches from the end of a topic, outside any group.
    func reading(_ topic: String, of name: String) -> DoctorFinding {
        let check = "read access \(topic)"
        do throws(KafkaFailure) {
            let reader = try TopicReader(properties: properties)
            _ = try reader.checkReadAccess(to: topic, timeoutMilliseconds: timeout)
            return DoctorFinding(name, check, .passed, "a fetch outside the group succeeded")
        } catch {
            return DoctorFinding(
                name, check, .failed, error.message,
                action: error.code == "_TIMED_OUT"
                    ? "inspect the leaders of its partitions: kafka-topics.sh --bootstrap-server"
                        + " \(properties.addresses) --describe --topic \(topic)"
                    : "grant READ on the topic: kafka-acls.sh --add")
        }
    }

    /// Reads the committed offsets of a group.
    func group(
        _ group: String, on partitions: [TopicPartition], of name: String
    ) -> DoctorFinding {
        let check = "group \(group)"
        do throws(KafkaFailure) {
            let committed = try CommittedOffsets.read(
                properties: properties, group: group, partitions: partitions,
                timeoutMilliseconds: timeout)
            let count = committed.count { $0.next != nil }
            return DoctorFinding(
                name, check, .passed,
                "has committed offsets for \(count) of \(partitions.count) partitions")
        } catch {
            return DoctorFinding(
                name, check, .failed, error.message,
                action: "grant READ on the group: kafka-acls.sh --add")
        }
    }
}
