public import Delivery
internal import EventLoop

/// The Kafka of simulated worlds as one under test: its members get their partitions as a
/// cooperative group would distribute them.
public final class SimulatedKafka: KafkaUnderTest {
    private let seed: Seed
    private let clock = SimulatedClock()
    private let results: ResultLog
    private var kernel: SimulatedKernel
    private var topics: [String: SeededTopic] = [:]
    private var members: [String: [SeededMember]] = [:]

    /// Creates a Kafka without topics.
    public init(seed: Seed) {
        self.seed = seed
        results = ResultLog(clock: clock)
        results.rules = [.largest(largestResult)]
        kernel = SimulatedKernel(network: SimulatedNetwork(clock: clock), seed: seed)
    }

    deinit {
        clock.end()
        for topic in topics.values { topic.end() }
    }

    /// A million bytes.
    public let largestResult = 1_000_000

    /// The world's time.
    public var now: Instant { clock.now }

    /// Lets ten milliseconds of the world's time pass.
    public func wait() { kernel.wait(until: clock.now + .milliseconds(10)) { _ in } }

    /// Creates a topic, for records and for results.
    public func createTopic(partitions: Int) -> String {
        let name = "topic-\(topics.count)"
        topics[name] = SeededTopic(name, partitions: partitions, clock: clock)
        results.partitionCounts[name] = partitions
        return name
    }

    /// Replaces the log of every partition.
    public func recreateTopic(_ name: String) {
        guard let topic = topics[name] else { return }
        for partition in topic.partitions.indices { topic.replaceLog(partition: Int32(partition)) }
    }

    /// Appends records.
    public func append(_ records: [KafkaRecord], to partition: TopicPartition) {
        for record in records {
            topics[partition.topic]?.append(
                partition: partition.partition, key: record.key, value: record.value,
                headers: record.resultHeaders)
        }
    }

    /// The results that were stored.
    public func records(of topic: String) -> [KafkaRecord] {
        results.records(of: topic).map {
            KafkaRecord(
                key: $0.key, value: $0.value, headers: $0.headers, partition: $0.partition)
        }
    }

    /// Adds a member, which gets its share of the partitions.
    public func join(_ topic: String) throws -> ObservedSource {
        guard let joined = topics[topic] else {
            throw KafkaFailure(
                code: "UNKNOWN_TOPIC_OR_PART", detail: "create topic \(topic) first",
                isFatal: false)
        }
        let member = joined.join(seed: seed)
        member.onGivenUp = { [weak self] _ in self?.balanceSoon(topic) }
        members[topic, default: []].append(member)
        balanceSoon(topic)
        return ObservedSource(SeededRecords(member))
    }

    /// Creates a sink.
    public func openSink() -> ObservedSink {
        ObservedSink(RecordedResults(log: results, seed: seed))
    }

    private func balanceSoon(_ topic: String) {
        clock.schedule(after: .milliseconds(10)) { [weak self] in self?.balance(topic) }
    }

    /// Assigns what nobody owns, and revokes what another member should own.
    private func balance(_ name: String) {
        guard let topic = topics[name] else { return }
        let members = (members[name] ?? []).filter { !$0.hasLeft }
        guard !members.isEmpty else { return }
        for partition in 0..<Int32(topic.partitions.count) {
            let owner = members[Int(partition) % members.count]
            let current = members.first { $0.partitions.contains(partition) }
            if let current, current !== owner {
                current.revoke([partition])
            } else if current == nil {
                owner.assign([partition])
            }
        }
    }
}
