internal import CRDKafka
public import Delivery

/// Reads partitions from given offsets to given ends, and if asked beyond, without joining a group.
public struct PartitionReader: ~Copyable {
    /// What to read of a partition.
    public struct Span: Equatable, Sendable {
        /// The partition.
        public var partition: TopicPartition
        /// The offset to begin at.
        public var start: Int64
        /// The offset to end before.
        public var end: Int64

        /// Describes what to read.
        public init(partition: TopicPartition, start: Int64, end: Int64) {
            self.partition = partition
            self.start = start
            self.end = end
        }
    }

    let client: Client
    private var spans: [TopicPartition: Span] = [:]
    private var left: Set<TopicPartition> = []
    private var follows = false
    /// How many tenths of a second it waits for the next record before the end.
    private let timeout: Int
    private var waited = 0

    /// Creates a reader, which connects on its own.
    public init(properties: KafkaProperties) throws(KafkaFailure) {
        try self.init(properties: properties, timeout: 600)
    }

    /// The same, with the number of tenths of a second to wait for the next record. One that
    /// `readsOnlyFirst` records of partitions fetches a batch of each, in place of all that fits
    /// into the library's queue.
    init(
        properties: KafkaProperties, timeout: Int, readsOnlyFirst: Bool = false
    ) throws(KafkaFailure) {
        self.timeout = timeout
        let configuration = try ClientConfiguration.observer(properties)
        // Reading with a fixed assignment needs the name of a group, which is joined by nobody.
        try configuration.set("group.id", "apns-bridge-dry-run")
        try configuration.set("enable.partition.eof", "true")
        try configuration.set("fetch.wait.max.ms", "50")
        if readsOnlyFirst {
            try configuration.set("queued.min.messages", "1")
            try configuration.set("fetch.message.max.bytes", "1")
        }
        client = try Client(
            RD_KAFKA_CONSUMER, configuration, "read topics", tokens: properties.tokens)
        unsafe rd_kafka_poll_set_consumer(client.pointer)
    }

    /// The names of the topics that are selected: those that are listed, and those that exist and
    /// match a pattern.
    public func names(
        of selection: TopicSelection, timeoutMilliseconds: Int = 15_000
    ) throws(KafkaFailure) -> [String] {
        try client.names(of: selection, milliseconds: timeoutMilliseconds)
    }

    /// All partitions of topics.
    func partitions(
        of topics: [String], timeoutMilliseconds: Int
    ) throws(KafkaFailure) -> [TopicPartition] {
        let end = milliseconds() + timeoutMilliseconds
        var partitions: [TopicPartition] = []
        for topic in topics {
            let count = try client.partitionCount(of: topic, until: end, "read topic \(topic)")
            partitions += (0..<Int32(count)).map { TopicPartition(topic: topic, partition: $0) }
        }
        return partitions
    }

    /// All partitions of topics with the offsets that their logs hold now.
    public func logs(
        of topics: [String], timeoutMilliseconds: Int = 15_000
    ) throws(KafkaFailure) -> [Span] {
        let end = milliseconds() + timeoutMilliseconds
        var spans: [Span] = []
        for topic in topics {
            let operation = "read topic \(topic)"
            let count = try client.partitionCount(of: topic, until: end, operation)
            for number in 0..<Int32(count) {
                var (low, high): (Int64, Int64) = (0, 0)
                let error = unsafe rd_kafka_query_watermark_offsets(
                    client.pointer, topic, number, &low, &high,
                    Int32(max(1, end - milliseconds())))
                guard error == RD_KAFKA_RESP_ERR_NO_ERROR else {
                    throw KafkaFailure(error, "read \(topic)/\(number)")
                }
                let partition = TopicPartition(topic: topic, partition: number)
                spans.append(Span(partition: partition, start: low, end: high))
            }
        }
        return spans
    }

    /// Begins to read; with `follows` it does not stop at the ends.
    public mutating func begin(_ spans: [Span], follows: Bool = false) throws(KafkaFailure) {
        self.follows = follows
        let list = PartitionList()
        for span in spans where follows || span.start < span.end {
            self.spans[span.partition] = span
            left.insert(span.partition)
            list.append(span.partition, offset: span.start)
        }
        let error = unsafe rd_kafka_assign(client.pointer, list.pointer)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaFailure(error, "read topics") }
    }

    /// Hands over the records that arrive within about a tenth of a second; false once the ends are
    /// reached. Throws `_TIMED_OUT` when nothing has come for a minute before the ends.
    public mutating func read(
        atMost limit: Int = 1000, _ body: (TopicPartition, StoredRecord) -> Void
    ) throws(KafkaFailure) -> Bool {
        for _ in 0..<limit where !left.isEmpty {
            guard let message = unsafe rd_kafka_consumer_poll(client.pointer, 100) else {
                try noteSilence()
                break
            }
            defer { unsafe rd_kafka_message_destroy(message) }
            let error = unsafe message.pointee.err
            if error.concernsNoReader { continue }
            waited = 0
            guard let topic = unsafe message.pointee.rkt else {
                throw KafkaFailure(error, "read topics")
            }
            let partition = unsafe TopicPartition(
                topic: String(cString: rd_kafka_topic_name(topic)),
                partition: message.pointee.partition)
            guard left.contains(partition) else { continue }
            switch error {
            case RD_KAFKA_RESP_ERR_NO_ERROR: unsafe take(message, partition, body)
            case RD_KAFKA_RESP_ERR__PARTITION_EOF: if !follows { left.remove(partition) }
            default:
                throw KafkaFailure(error, "read \(partition.topic)/\(partition.partition)")
            }
        }
        return !left.isEmpty
    }

    private mutating func noteSilence() throws(KafkaFailure) {
        waited += 1
        guard !follows, waited >= timeout, let partition = left.first else { return }
        throw KafkaFailure(
            RD_KAFKA_RESP_ERR__TIMED_OUT, "read \(partition.topic)/\(partition.partition)")
    }

    /// The record at an offset; nil when Kafka does not have it, or not the partition.
    public static func record(
        at offset: Int64, of partition: TopicPartition, properties: KafkaProperties
    ) throws(KafkaFailure) -> StoredRecord? {
        let span = Span(partition: partition, start: offset, end: offset + 1)
        do throws(KafkaFailure) {
            let log = try PartitionReader(properties: properties).logs(of: [partition.topic])
                .first { $0.partition == partition }
            guard let log, log.start <= offset, offset < log.end else { return nil }
        } catch {
            if error.code == "UNKNOWN_TOPIC_OR_PART" { return nil }
            throw error
        }
        let found = try firstRecords(of: [span], properties: properties)[partition]
        return found.flatMap { $0.offset == offset ? $0 : nil }
    }

    /// The first record of each span that has one.
    ///
    /// With a client of its own: librdkafka 2.0 aborts when a partition is assigned once more while
    /// it is being started.
    public static func firstRecords(
        of spans: [Span], properties: KafkaProperties, timeoutMilliseconds: Int = 15_000
    ) throws(KafkaFailure) -> [TopicPartition: StoredRecord] {
        let end = milliseconds() + timeoutMilliseconds
        var reader = try PartitionReader(
            properties: properties, timeout: 600, readsOnlyFirst: true)
        try reader.begin(spans)
        var found: [TopicPartition: StoredRecord] = [:]
        var isGoingOn = true
        while found.count < spans.count, isGoingOn {
            guard milliseconds() < end else {
                throw KafkaFailure(RD_KAFKA_RESP_ERR__TIMED_OUT, "read topics")
            }
            isGoingOn = try reader.read(atMost: 100) { found[$0] = found[$0] ?? $1 }
        }
        return found
    }

    private mutating func take(
        _ message: UnsafeMutablePointer<rd_kafka_message_t>, _ partition: TopicPartition,
        _ body: (TopicPartition, StoredRecord) -> Void
    ) {
        let offset = unsafe message.pointee.offset
        guard let span = spans[partition] else { return }
        // Records that were written since the start are left out.
        if follows || offset < span.end { body(partition, unsafe StoredRecord(copying: message)) }
        if !follows, offset >= span.end - 1 { left.remove(partition) }
    }
}
