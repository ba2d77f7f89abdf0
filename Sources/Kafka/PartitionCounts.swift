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
        var isStopping = false
    }

    /// How often the counts are asked for again, in milliseconds.
    private static let interval: Int32 = 30_000

    private let client: Client
    private let owner: EventDescriptor
    private let wakeup: EventDescriptor
    private let state = Mutex(State())
    private let thread = HelperThread()

    /// Starts the thread; `owner` is signalled when a count has changed.
    init(client: Client, owner: EventDescriptor) throws(KafkaFailure) {
        self.client = client
        self.owner = owner
        wakeup = try EventDescriptor("make a producer")
    }

    /// The number of partitions of a topic; nil until it is known.
    func count(of topic: String) -> Int? {
        let (count, isFirst, isNew) = state.withLock { state in
            if let count = state.counts[topic] { return (Optional(count), false, false) }
            guard !state.wanted.contains(topic) else { return (nil, false, false) }
            state.wanted.append(topic)
            return (nil, state.wanted.count == 1, true)
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
        while !isStopping {
            var isComplete = true
            for topic in state.withLock({ $0.wanted }) where !isStopping {
                isComplete = ask(topic) && isComplete
            }
            wakeup.wait(milliseconds: isComplete ? Self.interval : 1000)
        }
    }

    /// Asks a broker; false when none has responded.
    private func ask(_ topic: String) -> Bool {
        guard case .partitions(let count)? = try? client.describe(topic, milliseconds: 200).topic
        else { return false }
        let isNew = state.withLock { $0.counts.updateValue(count, forKey: topic) != count }
        if isNew { owner.signal() }
        return true
    }
}
