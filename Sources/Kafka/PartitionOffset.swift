internal import CRDKafka
internal import Delivery

/// One element of a ``PartitionList``.
struct PartitionOffset {
    var partition: TopicPartition
    var offset: Int64
    var metadata: String
    var error: rd_kafka_resp_err_t
}
