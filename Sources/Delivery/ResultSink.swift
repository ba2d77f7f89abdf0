/// One record for a result topic.
public struct ResultRecord {
    /// A header of the record; a nil value is a null one.
    public typealias Header = (name: String, value: [UInt8]?)

    /// The topic it goes to.
    public var topic: String
    /// The partition it goes to; nil lets the key choose. So does one that the topic lacks.
    public var partition: Int32?
    /// Its key; nil for none.
    public var key: [UInt8]?
    /// Its value; nil for a tombstone or an omitted value.
    public var value: [UInt8]?
    /// Its headers, in order.
    public var headers: [Header]

    /// Describes a record.
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

/// What a sink said when a record was handed to it.
public enum PublishResult: Equatable, Sendable {
    /// It will be acknowledged later, by its ticket.
    case queued
    /// There is no room now: try again after the next acknowledgement.
    case full
    /// It will never fit.
    case tooLarge
    /// It was refused at once.
    case failed(KafkaFailure)
}

/// How a result record ended.
public enum Acknowledgement: Equatable, Sendable {
    /// All in-sync replicas have it.
    case stored
    /// The broker refuses its size.
    case tooLarge
    /// It was not stored; it may be handed over again.
    case failed(KafkaFailure)
}

/// Where outcomes and their companions go: Kafka in production, a list in simulation.
public protocol ResultSink: ~Copyable {
    /// Hands over a record. Its end is reported with `ticket` by ``acknowledgements(_:)``.
    mutating func publish(_ record: borrowing ResultRecord, ticket: UInt64) -> PublishResult
    /// Hands over a record without headers, whose bytes are lent for the call.
    mutating func publish(
        to topic: String, partition: Int32?, key: RawSpan?, value: RawSpan?, ticket: UInt64
    ) -> PublishResult
    /// How many partitions a topic has, as far as is known by now; nil until it is.
    ///
    /// To ask makes the sink find out, and look again from time to time; it never waits.
    mutating func partitionCount(of topic: String) -> Int?
    /// Reports every record that has ended since the last call. Never waits.
    mutating func acknowledgements(_ body: (_ ticket: UInt64, Acknowledgement) -> Void)
    /// The next failure that the owner has not heard of.
    mutating func nextFailure() -> KafkaFailure?
    /// Sends what is queued without lingering.
    mutating func flush()
    /// Ends; what is not acknowledged by now never will be.
    mutating func close()
}
