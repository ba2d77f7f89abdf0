internal import CRDKafka
public import Delivery

/// Inspects a cluster before anything is consumed or produced.
public enum ClusterInspection {
    /// Requests a cluster's ID and metadata of some topics, and of those that match patterns; never
    /// creates a topic.
    ///
    /// Throws when no broker responds in time, with the error for each address. A failed login is
    /// thrown at once.
    public static func describe(
        properties: KafkaProperties, topics: [String], patterns: [TopicPattern] = [],
        timeoutMilliseconds: Int
    ) throws(KafkaFailure) -> ClusterDescription {
        let operation = "connect to Kafka at \(properties.addresses)"
        let configuration = try ClientConfiguration.observer(properties)
        unsafe rd_kafka_conf_set_events(configuration.pointer, RD_KAFKA_EVENT_ERROR)
        let client = try Client(
            RD_KAFKA_CONSUMER, configuration, operation, tokens: properties.tokens)
        let watch = ErrorWatch(client)
        let end = milliseconds() + timeoutMilliseconds
        let identity = try watch.firstReply(until: end, operation)
        var result = ClusterDescription(clusterID: identity, topics: [:])
        if !patterns.isEmpty {
            do throws(KafkaFailure) {
                let all = try client.allTopics(milliseconds: max(100, end - milliseconds()))
                result.add(all, matching: patterns, without: topics)
            } catch {
                throw watch.explain(error)
            }
        }
        var replicas: [String: Int] = [:]
        for topic in topics {
            let start = ContinuousClock.now
            defer {
                let spent = start.duration(to: .now)
                result.responseTime = min(result.responseTime ?? spent, spent)
            }
            do throws(KafkaFailure) {
                (result.topics[topic], replicas[topic]) = try client.describe(
                    topic, milliseconds: max(100, end - milliseconds()))
            } catch {
                var failure = error
                failure.operation = operation
                throw watch.explain(failure)
            }
        }
        // A broker that supports this responds within a few of its usual response times.
        let usual = result.responseTime.map { Int($0 / .milliseconds(1)) } ?? 250
        let limit = min(5000, max(1000, 20 * usual))
        (result.settings, result.settingsFailure) = client.settings(
            of: replicas.keys.sorted(), milliseconds: min(limit, max(100, end - milliseconds())))
        for topic in result.settings.keys {
            result.settings[topic]?.replicas = replicas[topic] ?? 1
        }
        return result
    }
}

extension Client {
    /// Requests a topic's metadata and its replication factor, nil where that is unknown; throws
    /// when no broker responds in time.
    func describe(
        _ topic: String, milliseconds: Int
    ) throws(KafkaFailure) -> (topic: ClusterDescription.Topic, replicas: Int?) {
        guard let handle = unsafe rd_kafka_topic_new(pointer, topic, nil) else {
            return (.failed(KafkaFailure(rd_kafka_last_error())), nil)
        }
        defer { unsafe rd_kafka_topic_destroy(handle) }
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let error = unsafe rd_kafka_metadata(pointer, 0, handle, &metadata, Int32(milliseconds))
        defer { unsafe rd_kafka_metadata_destroy(metadata) }
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata = unsafe metadata else {
            throw KafkaFailure(error)
        }
        for index in unsafe 0..<Int(metadata.pointee.topic_cnt) {
            let found = unsafe metadata.pointee.topics[index]
            guard unsafe String(cString: found.topic) == topic else { continue }
            let code = unsafe found.err
            guard code == RD_KAFKA_RESP_ERR_NO_ERROR else {
                return (.failed(KafkaFailure(code)), nil)
            }
            let count = unsafe Int(found.partition_cnt)
            let replicas = (0..<count).map { unsafe Int(found.partitions[$0].replica_cnt) }
            return (.partitions(count), replicas.min() ?? 1)
        }
        return (.failed(KafkaFailure(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART)), nil)
    }
}

extension KafkaProperties {
    /// The addresses to connect to, as the user wrote them.
    public var addresses: String {
        self["bootstrap.servers"] ?? self["metadata.broker.list"] ?? "(no bootstrap.servers)"
    }

    /// True for the classic protocol of groups, in which the library notifies a member of
    /// every assignment. With `group.protocol=consumer` it does not report an empty one.
    public var usesClassicGroups: Bool {
        (self["group.protocol"] ?? "classic").lowercased() == "classic"
    }
}
