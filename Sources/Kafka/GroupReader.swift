internal import CRDKafka
public import Delivery

/// Reads a topic from a group's committed offsets to its current end, and commits on request; it
/// does not join the group, which must have no members.
public struct GroupReader: ~Copyable {
    private let client: Client
    private let topic: String
    private let operation: String
    /// The next offset of each partition that was read.
    private var positions: [Int32: Int64] = [:]
    private var ended: Set<Int32> = []
    private var partitions = 0

    /// Creates a reader, which connects on its own.
    public init(
        properties: KafkaProperties, group: String, topic: String
    ) throws(KafkaFailure) {
        let configuration = try ClientConfiguration.observer(properties)
        try configuration.set("group.id", group)
        try configuration.set("enable.partition.eof", "true")
        try configuration.set("fetch.wait.max.ms", "50")
        // Each fetch has a reader of its own, and librdkafka would let each keep 64 MiB.
        try configuration.set("queued.max.messages.kbytes", "4096")
        let operation = "read topic \(topic) as group \(group)"
        let client = try Client(
            RD_KAFKA_CONSUMER, configuration, operation, tokens: properties.tokens)
        self.client = client
        self.topic = topic
        self.operation = operation
        unsafe rd_kafka_poll_set_consumer(client.pointer)
    }

    /// Seeks to the group's committed offsets; a group without any starts at the beginning.
    public mutating func begin(timeoutMilliseconds: Int = 15_000) throws(KafkaFailure) {
        let end = milliseconds() + timeoutMilliseconds
        partitions = try client.partitionCount(of: topic, until: end, operation)
        let all = (0..<partitions).map { TopicPartition(topic: topic, partition: Int32($0)) }
        let committed = PartitionList(all)
        var error = client.readCommitted(committed, until: end)
        let list = PartitionList()
        committed.forEach { element in
            if error == RD_KAFKA_RESP_ERR_NO_ERROR { error = element.error }
            let isKnown = element.offset >= 0
            list.append(
                element.partition,
                offset: isKnown ? element.offset : Int64(RD_KAFKA_OFFSET_BEGINNING))
        }
        try check(error)
        try check(unsafe rd_kafka_assign(client.pointer, list.pointer))
    }

    /// Hands over about this many records; false once the end is reached.
    public mutating func read(
        atMost limit: Int, timeoutMilliseconds: Int = 30_000, _ body: (StoredRecord) -> Void
    ) throws(KafkaFailure) -> Bool {
        let end = milliseconds() + timeoutMilliseconds
        var taken = 0
        while ended.count < partitions {
            guard taken < limit else { return true }
            guard milliseconds() < end else {
                throw KafkaFailure(RD_KAFKA_RESP_ERR__TIMED_OUT, operation)
            }
            guard let message = unsafe rd_kafka_consumer_poll(client.pointer, 100) else { continue }
            defer { unsafe rd_kafka_message_destroy(message) }
            let partition = unsafe message.pointee.partition
            switch unsafe message.pointee.err {
            case RD_KAFKA_RESP_ERR_NO_ERROR:
                // Records past the end seen at the start are left to the next reader.
                if ended.contains(partition) { continue }
                taken += 1
                positions[partition] = unsafe message.pointee.offset + 1
                body(unsafe StoredRecord(copying: message))
            case RD_KAFKA_RESP_ERR__PARTITION_EOF: ended.insert(partition)
            case RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN: continue
            case let error: throw KafkaFailure(error, operation)
            }
        }
        return false
    }

    /// Commits what was read, and waits until Kafka confirms it; asks again while the group has no
    /// coordinator, as after a restart of its broker.
    public mutating func commit(timeoutMilliseconds: Int = 15_000) throws(KafkaFailure) {
        guard !positions.isEmpty else { return }
        let list = PartitionList()
        for (partition, next) in positions {
            list.append(TopicPartition(topic: topic, partition: partition), offset: next)
        }
        try check(
            askCoordinator(until: milliseconds() + timeoutMilliseconds) { _ in
                unsafe rd_kafka_commit(client.pointer, list.pointer, 0)
            })
    }

    private func check(_ error: rd_kafka_resp_err_t) throws(KafkaFailure) {
        if error != RD_KAFKA_RESP_ERR_NO_ERROR { throw KafkaFailure(error, operation) }
    }
}
