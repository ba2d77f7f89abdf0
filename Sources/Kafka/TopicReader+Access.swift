internal import CRDKafka
public import Delivery

extension TopicReader {
    /// Fetches from the end of every partition of a topic, to learn whether that is allowed.
    ///
    /// Returns the number of partitions. Throws what the broker refused, or a timeout when a
    /// partition did not respond in time, for example because it has no leader.
    public func checkReadAccess(
        to topic: String, timeoutMilliseconds: Int
    ) throws(KafkaFailure) -> Int {
        try unsafe readPartitions(
            of: topic, from: RD_KAFKA_OFFSET_END, timeoutMilliseconds
        ) { _ in .done }
    }
}
