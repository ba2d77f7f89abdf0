internal import CRDKafka
public import Delivery

/// A Kafka cluster inside this process: librdkafka's mock cluster, on loopback.
///
/// Its data is lost when it is released. It supports consumer groups, idempotent producers and
/// headers; missing topics are created, and a partition keeps at most 5 MiB.
///
/// `@unchecked Sendable`: the mock cluster accepts calls on any thread; the pointers never change
/// between `init` and `deinit`.
@safe public final class EmbeddedCluster: @unchecked Sendable {
    private let client: Client
    private let cluster: OpaquePointer

    /// Starts the given number of brokers, numbered from 1.
    public init(brokers: Int = 1) throws(KafkaFailure) {
        client = try Client(
            RD_KAFKA_PRODUCER, ClientConfiguration(), "start the embedded Kafka", tokens: nil)
        guard let cluster = unsafe rd_kafka_mock_cluster_new(client.pointer, Int32(brokers)) else {
            throw KafkaFailure(
                code: "_FAIL", operation: "start the embedded Kafka",
                detail: "cannot open sockets on the loopback interface")
        }
        unsafe self.cluster = unsafe cluster
    }

    deinit { unsafe rd_kafka_mock_cluster_destroy(cluster) }

    /// The addresses to connect to, as `bootstrap.servers` takes them.
    public var bootstrapServers: String {
        unsafe String(cString: rd_kafka_mock_cluster_bootstraps(cluster))
    }

    /// Creates a topic.
    public func createTopic(_ name: String, partitions: Int) throws(KafkaFailure) {
        let result = unsafe rd_kafka_mock_topic_create(cluster, name, Int32(partitions), 1)
        if result != RD_KAFKA_RESP_ERR_NO_ERROR {
            throw KafkaFailure(result, "create topic \(name)")
        }
    }

    /// Makes a broker the leader of a partition. A new topic has leaders chosen at random.
    public func setLeader(
        of topic: String, partition: Int32, broker: Int32
    ) throws(KafkaFailure) {
        let result = unsafe rd_kafka_mock_partition_set_leader(cluster, topic, partition, broker)
        if result != RD_KAFKA_RESP_ERR_NO_ERROR {
            throw KafkaFailure(result, "set the leader of \(topic)-\(partition)")
        }
    }

    /// Makes the next requests of a kind fail, one for each given Kafka error code.
    ///
    /// `api` is Kafka's API key of the request: 0 Produce, 1 Fetch, 3 Metadata, 8 OffsetCommit,
    /// 9 OffsetFetch, 11 JoinGroup, 12 Heartbeat, 14 SyncGroup.
    public func failRequests(api: Int16, codes: [Int32]) {
        var errors = codes.map { rd_kafka_resp_err_t(rawValue: $0) }
        unsafe rd_kafka_mock_push_request_errors_array(cluster, api, errors.count, &errors)
    }

    /// Delays a broker's responses to the next requests of a kind, numbered as in
    /// ``failRequests(api:codes:)``.
    public func delayRequests(
        api: Int16, broker: Int32 = 1, count: Int = 1, milliseconds: Int32
    ) {
        for _ in 0..<count {
            _ = unsafe rdkafka_mock_delay_request(cluster, broker, api, milliseconds)
        }
    }

    /// How many of a broker's scripted responses to requests of a kind remain.
    public func scriptedResponses(api: Int16, broker: Int32 = 1) -> Int {
        var count = 0
        _ = unsafe rd_kafka_mock_broker_error_stack_cnt(cluster, broker, api, &count)
        return count
    }

    /// Makes every request for a topic fail with a Kafka error code; 0 ends it.
    public func failTopic(_ name: String, code: Int32) {
        unsafe rd_kafka_mock_topic_set_error(cluster, name, rd_kafka_resp_err_t(rawValue: code))
    }

    /// Delays every response of a broker.
    public func setRoundTrip(_ broker: Int32, milliseconds: Int32) {
        unsafe rd_kafka_mock_broker_set_rtt(cluster, broker, milliseconds)
    }

    /// Closes a broker's connections and refuses new ones.
    public func setBrokerDown(_ broker: Int32) {
        unsafe rd_kafka_mock_broker_set_down(cluster, broker)
    }

    /// Lets a broker accept connections again.
    public func setBrokerUp(_ broker: Int32) {
        unsafe rd_kafka_mock_broker_set_up(cluster, broker)
    }
}
