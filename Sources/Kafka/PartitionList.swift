internal import CRDKafka
internal import Delivery
internal import Glibc

/// A list of partitions in the library's memory.
@safe struct PartitionList: ~Copyable {
    let pointer: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>

    init() {
        unsafe pointer = rd_kafka_topic_partition_list_new(8)
    }

    init(_ partitions: some Sequence<TopicPartition>) {
        self.init()
        for partition in partitions { append(partition) }
    }

    deinit { unsafe rd_kafka_topic_partition_list_destroy(pointer) }

    var count: Int { unsafe Int(pointer.pointee.cnt) }

    /// Adds a partition, with an offset and the metadata to commit with it.
    func append(
        _ partition: TopicPartition, offset: Int64? = nil, metadata: String? = nil
    ) {
        guard
            let element = unsafe rd_kafka_topic_partition_list_add(
                pointer, partition.topic, partition.partition)
        else { return }
        if let offset { unsafe element.pointee.offset = offset }
        guard let metadata, !metadata.isEmpty else { return }
        // The list frees it with the C library's free().
        unsafe element.pointee.metadata = UnsafeMutableRawPointer(strdup(metadata))
        unsafe element.pointee.metadata_size = metadata.utf8.count
    }

    /// Calls `body` with each element.
    func forEach(_ body: (PartitionOffset) -> Void) {
        unsafe PartitionList.forEach(pointer, body)
    }

    /// Calls `body` with each element of a list that the caller does not own.
    static func forEach(
        _ list: UnsafeMutablePointer<rd_kafka_topic_partition_list_t>?,
        _ body: (PartitionOffset) -> Void
    ) {
        guard let list = unsafe list else { return }
        for index in unsafe 0..<Int(list.pointee.cnt) {
            let element = unsafe list.pointee.elems[index]
            let metadata = unsafe UnsafeRawBufferPointer(
                start: element.metadata, count: element.metadata == nil ? 0 : element.metadata_size)
            body(
                unsafe PartitionOffset(
                    partition: TopicPartition(
                        topic: String(cString: element.topic), partition: element.partition),
                    offset: element.offset,
                    metadata: String(decoding: metadata, as: UTF8.self), error: element.err))
        }
    }
}

/// One element of a ``PartitionList``.
struct PartitionOffset {
    var partition: TopicPartition
    var offset: Int64
    var metadata: String
    var error: rd_kafka_resp_err_t
}
