internal import CRDKafka
public import Delivery

/// Creates and deletes topics, for measurements that leave a cluster as they found it.
@safe public struct TopicAdministration: ~Copyable {
    private let client: Client

    /// Creates a client, which connects on its own.
    public init(properties: KafkaProperties) throws(KafkaFailure) {
        client = try Client(
            RD_KAFKA_CONSUMER, try ClientConfiguration.observer(properties), "administer topics",
            tokens: properties.tokens)
    }

    /// Creates topics with the broker's default replication and settings; throws the first failure.
    public func create(
        _ names: [String], partitions: Int, timeoutMilliseconds: Int = 15_000
    ) throws(KafkaFailure) {
        let failures = try create(
            names.map { NewTopic($0, partitions: partitions) },
            timeoutMilliseconds: timeoutMilliseconds)
        for name in names {
            if let failure = failures[name] { throw failure }
        }
    }

    /// Creates topics, or with `isTrial` only asks whether that would be possible; returns why some
    /// were not created, by name.
    public func create(
        _ new: [NewTopic], isTrial: Bool = false, timeoutMilliseconds: Int = 15_000
    ) throws(KafkaFailure) -> [String: KafkaFailure] {
        guard let first = new.first else { return [:] }
        var topics: [OpaquePointer?] = unsafe []
        defer {
            for index in unsafe topics.indices { unsafe rd_kafka_NewTopic_destroy(topics[index]) }
        }
        for topic in new { unsafe topics.append(try topic.makeRequest()) }
        let options = unsafe rd_kafka_AdminOptions_new(
            client.pointer, RD_KAFKA_ADMIN_OP_CREATETOPICS)
        defer { unsafe rd_kafka_AdminOptions_destroy(options) }
        let reason = Message()
        unsafe rd_kafka_AdminOptions_set_validate_only(
            options, isTrial ? 1 : 0, reason.start, reason.size)
        var failures: [String: KafkaFailure] = [:]
        try unsafe client.administer("create topic \(first.name)", timeoutMilliseconds) { queue in
            unsafe rd_kafka_CreateTopics(client.pointer, &topics, topics.count, options, queue)
        } reading: { event in
            guard let result = unsafe rd_kafka_event_CreateTopics_result(event) else { return nil }
            var count = 0
            let topics = unsafe rd_kafka_CreateTopics_result_topics(result, &count)
            failures = unsafe client.failures(topics, count, "create topic")
            return nil
        }
        return failures
    }

    /// Deletes topics; throws the first failure, after trying all of them.
    public func delete(
        _ names: [String], timeoutMilliseconds: Int = 15_000
    ) throws(KafkaFailure) {
        guard let first = names.first else { return }
        var topics: [OpaquePointer?] = unsafe names.map { unsafe rd_kafka_DeleteTopic_new($0) }
        defer {
            for index in unsafe topics.indices {
                unsafe rd_kafka_DeleteTopic_destroy(topics[index])
            }
        }
        try unsafe client.administer("delete topic \(first)", timeoutMilliseconds) { queue in
            unsafe rd_kafka_DeleteTopics(client.pointer, &topics, topics.count, nil, queue)
        } reading: { event in
            guard let result = unsafe rd_kafka_event_DeleteTopics_result(event) else { return nil }
            var count = 0
            let topics = unsafe rd_kafka_DeleteTopics_result_topics(result, &count)
            return unsafe client.failures(topics, count, "delete topic").values.first
        }
    }

    /// How many offsets of a topic are in use, from the oldest records to the ends.
    public func recordCount(
        of topic: String, timeoutMilliseconds: Int = 10_000
    ) throws(KafkaFailure) -> Int64 {
        let operation = "read the offsets of topic \(topic)"
        let end = milliseconds() + timeoutMilliseconds
        var total: Int64 = 0
        for partition in 0..<(try client.partitionCount(of: topic, until: end, operation)) {
            var first: Int64 = 0
            var next: Int64 = 0
            let error = unsafe rd_kafka_query_watermark_offsets(
                client.pointer, topic, Int32(partition), &first, &next,
                Int32(max(1, end - milliseconds())))
            guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaFailure(error, operation) }
            total += max(0, next - first)
        }
        return total
    }
}

extension Client {
    /// Makes a request to the cluster's administration, and reads its result: nil if all is well.
    func administer(
        _ operation: String, _ timeoutMilliseconds: Int, _ request: (OpaquePointer) -> Void,
        reading: (OpaquePointer) -> KafkaFailure?
    ) throws(KafkaFailure) {
        guard let queue = unsafe rd_kafka_queue_new(pointer) else {
            throw KafkaFailure(RD_KAFKA_RESP_ERR__FAIL, operation)
        }
        defer { unsafe rd_kafka_queue_destroy(queue) }
        unsafe request(queue)
        guard let event = unsafe rd_kafka_queue_poll(queue, Int32(timeoutMilliseconds)) else {
            throw KafkaFailure(RD_KAFKA_RESP_ERR__TIMED_OUT, operation)
        }
        defer { unsafe rd_kafka_event_destroy(event) }
        let error = unsafe rd_kafka_event_error(event)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
            let reason = unsafe rd_kafka_event_error_string(event)
            throw KafkaFailure(
                error, operation, detail: unsafe reason.map { unsafe String(cString: $0) })
        }
        if let failure = unsafe reading(event) { throw failure }
    }

    /// The failures among the results for topics, by name.
    fileprivate func failures(
        _ topics: UnsafeMutablePointer<OpaquePointer?>?, _ count: Int, _ verb: String
    ) -> [String: KafkaFailure] {
        guard let topics = unsafe topics else { return [:] }
        var failures: [String: KafkaFailure] = [:]
        for index in 0..<count {
            let error = unsafe rd_kafka_topic_result_error(topics[index])
            guard error != RD_KAFKA_RESP_ERR_NO_ERROR else { continue }
            let name = unsafe String(cString: rd_kafka_topic_result_name(topics[index]))
            let reason = unsafe rd_kafka_topic_result_error_string(topics[index])
            failures[name] = KafkaFailure(
                error, "\(verb) \(name)", detail: unsafe reason.map { unsafe String(cString: $0) })
        }
        return failures
    }
}

extension NewTopic {
    fileprivate func makeRequest() throws(KafkaFailure) -> OpaquePointer {
        let reason = Message()
        let topic = unsafe rd_kafka_NewTopic_new(
            name, Int32(clamping: partitions), Int32(clamping: replicas ?? -1), reason.start,
            reason.size)
        guard let topic = unsafe topic else {
            throw KafkaFailure(
                RD_KAFKA_RESP_ERR__INVALID_ARG, "create topic \(name)", detail: reason.text)
        }
        for (setting, value) in settings {
            unsafe rd_kafka_NewTopic_set_config(topic, setting, value)
        }
        return unsafe topic
    }
}
