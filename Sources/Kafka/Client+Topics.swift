internal import CRDKafka
internal import Delivery

/// The topics of a cluster.
extension Client {
    /// A topic that exists.
    struct FoundTopic {
        var partitions: Int
        /// The lowest replication factor of its partitions.
        var replicas: Int
    }

    /// All topics that the user may see, by name, only those that can be used unless `areUsable` is
    /// false; creates none.
    func allTopics(
        milliseconds: Int, areUsable: Bool = true
    ) throws(KafkaFailure) -> [String: FoundTopic] {
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let error = unsafe rd_kafka_metadata(pointer, 1, nil, &metadata, Int32(milliseconds))
        defer { unsafe rd_kafka_metadata_destroy(metadata) }
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata = unsafe metadata else {
            throw KafkaFailure(error, "list the topics")
        }
        var found: [String: FoundTopic] = [:]
        for index in unsafe 0..<Int(metadata.pointee.topic_cnt) {
            let topic = unsafe metadata.pointee.topics[index]
            let error = unsafe topic.err
            guard
                error == RD_KAFKA_RESP_ERR_NO_ERROR
                    || !areUsable && !error.isAboutMissingTopic
            else { continue }
            let count = unsafe Int(topic.partition_cnt)
            let replicas = (0..<count).map { unsafe Int(topic.partitions[$0].replica_cnt) }
            found[unsafe String(cString: topic.topic)] = FoundTopic(
                partitions: count, replicas: replicas.min() ?? 1)
        }
        return found
    }

    /// The names of the topics that are selected: those that are listed, and those that exist and
    /// match a pattern.
    func names(
        of selection: TopicSelection, milliseconds: Int
    ) throws(KafkaFailure) -> [String] {
        guard !selection.patterns.isEmpty else { return selection.names }
        return selection.names
            + selection.matching(try allTopics(milliseconds: milliseconds).keys)
    }
}
