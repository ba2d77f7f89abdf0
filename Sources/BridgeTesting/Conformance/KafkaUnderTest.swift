public import Delivery

/// A Kafka whose record sources and result sinks must keep what ``KafkaPromise`` lists: the
/// simulated one, librdkafka's mock cluster, a real one.
public protocol KafkaUnderTest: AnyObject {
    /// The size in bytes of the largest result that it accepts.
    var largestResult: Int { get }
    /// Its monotonic clock.
    var now: Instant { get }
    /// Lets a moment pass.
    func wait()
    /// Creates a topic, and returns its name.
    func createTopic(partitions: Int) throws -> String
    /// Deletes a topic, and creates it again with as many partitions.
    func recreateTopic(_ name: String) throws
    /// Appends records to a partition.
    func append(_ records: [KafkaRecord], to partition: TopicPartition) throws
    /// The records of a result topic, each partition in order.
    func records(of topic: String) throws -> [KafkaRecord]
    /// Adds a member to the group that reads a topic, each of which has one.
    func join(_ topic: String) throws -> ObservedSource
    /// Creates a sink for results.
    func openSink() throws -> ObservedSink
}

/// The content of a record.
public struct KafkaRecord: Equatable, Sendable {
    /// A header of the record; a nil value is a null one.
    public struct Header: Equatable, Sendable {
        /// Its name.
        public var name: String
        /// Its value.
        public var value: [UInt8]?

        /// Creates a header.
        public init(_ name: String, _ value: [UInt8]?) {
            self.name = name
            self.value = value
        }
    }

    /// Its key; nil for none.
    public var key: [UInt8]?
    /// Its value; nil for a tombstone.
    public var value: [UInt8]?
    /// Its headers, in order.
    public var headers: [Header]
    /// The partition that contains it; nil where none was chosen.
    public var partition: Int32?

    /// Creates a record.
    public init(
        key: [UInt8]?, value: [UInt8]?, headers: [Header] = [], partition: Int32? = nil
    ) {
        self.key = key
        self.value = value
        self.headers = headers
        self.partition = partition
    }

    /// Creates a record with the headers of a result record.
    public init(
        key: [UInt8]?, value: [UInt8]?, headers: [ResultRecord.Header], partition: Int32?
    ) {
        self.init(
            key: key, value: value, headers: headers.map { Header($0.name, $0.value) },
            partition: partition)
    }

    /// Its headers, as Kafka's clients take them.
    public var resultHeaders: [ResultRecord.Header] { headers.map { ($0.name, $0.value) } }
}
