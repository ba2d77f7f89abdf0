internal import CRDKafka
internal import Delivery
internal import Synchronization

/// The partition counts of topics, requested on a separate thread so that nothing waits.
///
/// The library knows them too, but only returns them to a caller that waits for a broker.
final class PartitionCounts: Sendable {
    private struct State {
        var counts: [String: Int] = [:]
        var wanted: [String] = []
        var hasStarted = false
        var isStopping = false
    }

    /// How often the counts are asked for again, in milliseconds.
    private static let interval: Int32 = 30_000

    /// A topic that matches a pattern is looked for so often, once a second, before it counts as
    /// deleted.
    private static let maxMisses = 10

    private let client: Client
    private let topics: TopicSelection
    private let owner: EventDescriptor
    private let wakeup: EventDescriptor
    private let state = Mutex(State())
    private let thread = HelperThread()

    /// Starts the thread; `owner` is signalled when a count has changed.
    ///
    /// Brokers may create a topic that a producer asks for: those of `topics` that match a pattern
    /// and may be deleted are looked up among all topics.
    init(
        client: Client, owner: EventDescriptor, topics: TopicSelection = []
    ) throws(KafkaFailure) {
        self.client = client
        self.topics = topics
        self.owner = owner
        wakeup = try EventDescriptor("make a producer")
    }

    /// The number of partitions of a topic; nil until it is known.
    func count(of topic: String) -> Int? {
        let (count, isFirst, isNew) = state.withLock { state in
            if let count = state.counts[topic] { return (Optional(count), false, false) }
            guard !state.wanted.contains(topic) else { return (nil, false, false) }
            state.wanted.append(topic)
            defer { state.hasStarted = true }
            return (nil, !state.hasStarted, true)
        }
        if isFirst { try? thread.start("kafka-topics") { [self] in run() } }
        if isNew { wakeup.signal() }
        return count
    }

    /// Discards a count that turned out to be too large, and asks again.
    func forget(_ topic: String) {
        let isKnown = state.withLock { $0.counts.removeValue(forKey: topic) != nil }
        if isKnown { wakeup.signal() }
    }

    /// Stops the thread and waits for it to finish; a request that does not end is left behind with
    /// its client.
    func stop() {
        state.withLock { $0.isStopping = true }
        wakeup.signal()
        if !thread.join(milliseconds: HelperThread.timeout) { client.leaveBehind() }
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    private func run() {
        var misses: [String: Int] = [:]
        while !isStopping {
            let wanted = state.withLock { $0.wanted }
            let matching = topics.matching(wanted)
            var isComplete = matching.isEmpty || find(matching, &misses)
            for topic in wanted where !isStopping && !matching.contains(topic) {
                isComplete = ask(topic) && isComplete
            }
            wakeup.wait(milliseconds: isComplete ? Self.interval : 1000)
        }
    }

    /// Looks for topics that match a pattern; false when they are to be looked for again soon.
    private func find(_ matching: [String], _ misses: inout [String: Int]) -> Bool {
        guard let found = try? client.allTopics(milliseconds: 2000) else { return false }
        var isComplete = true
        for topic in matching {
            if let count = found[topic]?.partitions {
                set(count, of: topic)
                misses[topic] = nil
            } else if misses[topic, default: 0] < Self.maxMisses {
                misses[topic, default: 0] += 1
                isComplete = false
            } else {
                misses[topic] = nil
                state.withLock { state in
                    state.counts[topic] = nil
                    state.wanted.removeAll { $0 == topic }
                }
            }
        }
        return isComplete
    }

    /// Asks a broker; false when none has responded.
    private func ask(_ topic: String) -> Bool {
        guard case .partitions(let count)? = try? client.describe(topic, milliseconds: 200).topic
        else { return false }
        set(count, of: topic)
        return true
    }

    private func set(_ count: Int, of topic: String) {
        let isNew = state.withLock { $0.counts.updateValue(count, forKey: topic) != count }
        if isNew { owner.signal() }
    }
}
