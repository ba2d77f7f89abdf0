internal import CRDKafka
internal import Delivery
internal import Synchronization

/// How many partitions topics have: asked for on a thread of its own, so that nobody waits.
///
/// The library knows it too, and tells it only to who waits for a broker.
final class PartitionCounts: Sendable {
    private struct State {
        var counts: [String: Int] = [:]
        var wanted: [String] = []
        var isStopping = false
    }

    /// As often as the library itself examines topics by default.
    private static let interval: Int32 = 300_000

    private let client: Client
    private let owner: EventDescriptor
    private let bell: EventDescriptor
    private let state = Mutex(State())
    private let thread = HelperThread()

    /// Begins to ask when a topic is named; `owner` is signalled when there is something new.
    init(client: Client, owner: EventDescriptor) throws(KafkaFailure) {
        self.client = client
        self.owner = owner
        bell = try EventDescriptor("make a producer")
    }

    /// How many partitions a topic has; nil until it is known.
    func count(of topic: String) -> Int? {
        let (count, isFirst, isNew) = state.withLock { state in
            if let count = state.counts[topic] { return (Optional(count), false, false) }
            guard !state.wanted.contains(topic) else { return (nil, false, false) }
            state.wanted.append(topic)
            return (nil, state.wanted.count == 1, true)
        }
        if isFirst { _ = thread.start("kafka-topics") { [self] in run() } }
        if isNew { bell.signal() }
        return count
    }

    /// Forgets a count that turned out to be too large, and asks again.
    func forget(_ topic: String) {
        let isKnown = state.withLock { $0.counts.removeValue(forKey: topic) != nil }
        if isKnown { bell.signal() }
    }

    /// Ends the thread and waits for its end.
    func stop() {
        state.withLock { $0.isStopping = true }
        bell.signal()
        thread.join()
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    private func run() {
        while !isStopping {
            var isComplete = true
            for topic in state.withLock({ $0.wanted }) where !isStopping {
                isComplete = ask(topic) && isComplete
            }
            bell.wait(milliseconds: isComplete ? Self.interval : 1000)
        }
    }

    /// Asks a broker; false when none has answered.
    private func ask(_ topic: String) -> Bool {
        guard case .partitions(let count)? = try? client.describe(topic, milliseconds: 200).topic
        else { return false }
        let isNew = state.withLock { $0.counts.updateValue(count, forKey: topic) != count }
        if isNew { owner.signal() }
        return true
    }
}
