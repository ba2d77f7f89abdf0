internal import CRDKafka
public import Delivery

/// Looks at a cluster before anything is consumed or produced.
public enum ClusterInspection {
    /// Asks a cluster for its identity and for some topics; never creates a topic.
    ///
    /// Throws when nobody answered within the time, with what went wrong at each address. A
    /// failed login is thrown at once.
    public static func describe(
        properties: KafkaProperties, topics: [String], timeoutMilliseconds: Int
    ) throws(KafkaFailure) -> ClusterDescription {
        let operation = "connect to Kafka at \(properties.addresses)"
        let configuration = try ClientConfiguration.observer(properties)
        unsafe rd_kafka_conf_set_events(configuration.pointer, RD_KAFKA_EVENT_ERROR)
        let client = try Client(RD_KAFKA_CONSUMER, configuration, operation)
        let watch = ErrorWatch(client)
        let end = milliseconds() + timeoutMilliseconds
        let identity = try watch.firstAnswer(until: end, operation)
        var result = ClusterDescription(clusterID: identity, topics: [:])
        for topic in topics {
            result.topics[topic] = try describe(topic, client, watch, until: end, operation)
        }
        return result
    }

    private static func describe(
        _ topic: String, _ client: Client, _ watch: borrowing ErrorWatch, until end: Int,
        _ operation: String
    ) throws(KafkaFailure) -> ClusterDescription.Topic {
        guard let handle = unsafe rd_kafka_topic_new(client.pointer, topic, nil) else {
            return .failed(KafkaFailure(rd_kafka_last_error()))
        }
        defer { unsafe rd_kafka_topic_destroy(handle) }
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let error = unsafe rd_kafka_metadata(
            client.pointer, 0, handle, &metadata, Int32(max(100, end - milliseconds())))
        defer { unsafe rd_kafka_metadata_destroy(metadata) }
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata = unsafe metadata else {
            throw watch.explain(KafkaFailure(error, operation))
        }
        for index in unsafe 0..<Int(metadata.pointee.topic_cnt) {
            let found = unsafe metadata.pointee.topics[index]
            guard unsafe String(cString: found.topic) == topic else { continue }
            let code = unsafe found.err
            return code == RD_KAFKA_RESP_ERR_NO_ERROR
                ? .partitions(unsafe Int(found.partition_cnt)) : .failed(KafkaFailure(code))
        }
        return .failed(KafkaFailure(RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART))
    }
}

extension KafkaProperties {
    /// The addresses to connect to, as the user wrote them.
    public var addresses: String {
        self["bootstrap.servers"] ?? self["metadata.broker.list"] ?? "(no bootstrap.servers)"
    }
}
