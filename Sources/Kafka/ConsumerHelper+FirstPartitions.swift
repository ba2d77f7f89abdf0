internal import CRDKafka
internal import Delivery

/// How many partitions topics had when the group began to read them: see ``FirstPartitions``.
extension ConsumerHelper {
    /// The numbers for the topics of these committed offsets, as far as they can be found out.
    ///
    /// Kafka is asked only where an offset is missing, or was committed by an older version.
    func firstCounts(_ committed: borrowing PartitionList) -> [String: Int] {
        var counts: [String: Int] = [:]
        var highest: [String: Int32] = [:]
        var asked: Set<String> = []
        committed.forEach { element in
            let topic = element.partition.topic
            highest[topic] = max(highest[topic] ?? 0, element.partition.partition)
            guard element.offset >= 0,
                let count = LogMark(metadata: element.metadata).partitionCount
            else { return _ = asked.insert(topic) }
            counts[topic] = min(counts[topic] ?? count, count)
        }
        for topic in asked where !isStopping {
            guard let count = firstCount(of: topic, atLeast: Int(highest[topic] ?? 0) + 1) else {
                continue
            }
            counts[topic] = min(counts[topic] ?? count, count)
        }
        return counts
    }

    /// Asks for what the group has committed for all partitions of a topic; nil when there is no
    /// response. `least` is the number of partitions that are known to exist.
    private func firstCount(of topic: String, atLeast least: Int) -> Int? {
        guard case .partitions(let now)? = try? client.describe(topic, milliseconds: 2000).topic
        else { return nil }
        let count = max(now, least)
        let list = PartitionList(
            (0..<Int32(count)).map { TopicPartition(topic: topic, partition: $0) })
        let error = unsafe rd_kafka_committed(client.pointer, list.pointer, 2000)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        var metadata: [Int32: String] = [:]
        var isWhole = true
        list.forEach { element in
            if element.error != RD_KAFKA_RESP_ERR_NO_ERROR { isWhole = false }
            if element.offset >= 0 { metadata[element.partition.partition] = element.metadata }
        }
        return isWhole ? FirstPartitions.count(committed: metadata, now: count) : nil
    }
}
