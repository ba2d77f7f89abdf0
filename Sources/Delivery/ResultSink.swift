/// One record for a result topic.
public struct ResultRecord {
    /// A header of the record; a nil value is a null one.
    public typealias Header = (name: String, value: [UInt8]?)

    /// The topic to write to.
    public var topic: String
    /// The partition to write to; nil, or one that the topic does not have, lets the key decide.
    public var partition: Int32?
    /// Its key; nil for none.
    public var key: [UInt8]?
    /// Its value; nil for a tombstone or an omitted value.
    public var value: [UInt8]?
    /// Its headers, in order.
    public var headers: [Header]

    /// Creates a record.
    public init(
        topic: String, partition: Int32? = nil, key: [UInt8]?, value: [UInt8]?, headers: [Header]
    ) {
        self.topic = topic
        self.partition = partition
        self.key = key
        self.value = value
        self.headers = headers
    }
}

/// The immediate result of publishing a record.
public enum PublishResult: Equatable, Sendable {
    /// It will be acknowledged later, by its ticket.
    case queued
    /// There is no room now: retry after the next acknowledgement.
    case full
    /// It is larger than the sink can ever accept.
    case tooLarge
    /// It was rejected immediately.
    case failed(KafkaFailure)
}

/// The final result of publishing a record.
public enum Acknowledgement: Equatable, Sendable {
    /// All in-sync replicas have it.
    case stored
    /// The broker rejects its size.
    case tooLarge
    /// It was not stored; it may be published again.
    case failed(KafkaFailure)
}

/// What a broker's clock said when it stored a record.
public struct BrokerTime: Equatable, Sendable {
    /// The time of the record, in milliseconds since 1970.
    public var time: Int64
    /// When the acknowledgement arrived.
    public var receivedAt: Instant

    /// Describes a time.
    public init(time: Int64, receivedAt: Instant) {
        self.time = time
        self.receivedAt = receivedAt
    }
}

/// The destination of outcomes and other results: Kafka in production, a list in simulation.
public protocol ResultSink: ~Copyable {
    /// Publishes a record. ``acknowledgements(_:)`` reports the result with `ticket`.
    mutating func publish(_ record: borrowing ResultRecord, ticket: UInt64) -> PublishResult
    /// The number of partitions of a topic; nil until it is known.
    ///
    /// The first call makes the sink look it up, and refresh it from time to time; it never blocks.
    mutating func partitionCount(of topic: String) -> Int?
    /// How many records wait to be sent or acknowledged, about.
    var queuedRecords: Int { get }
    /// The last time that a broker gave to a record of a topic with LogAppendTime; nil if none did.
    var brokerTime: BrokerTime? { get }
    /// Reports every record that has finished since the last call. Never blocks.
    mutating func acknowledgements(_ body: (_ ticket: UInt64, Acknowledgement) -> Void)
    /// The next failure that the owner has not seen.
    mutating func nextFailure() -> KafkaFailure?
    /// Sends queued records without lingering.
    mutating func flush()
    /// Closes the sink; records not acknowledged by then never will be.
    mutating func close()
}

extension ResultSink where Self: ~Copyable {
    /// A sink that does not queue has none.
    public var queuedRecords: Int { 0 }

    /// A sink without a broker knows no time.
    public var brokerTime: BrokerTime? { nil }
}
