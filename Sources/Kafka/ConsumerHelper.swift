internal import CRDKafka
internal import Delivery
internal import Synchronization

/// A partition from which records may come.
struct Flowing {
    var partition: TopicPartition
    /// The offset to be handed over next.
    var next: Int64
}

/// A thread that asks Kafka what takes a round trip, so that the consumer's owner never waits.
///
/// It finds out where to begin in new partitions and in those whose log has changed, and it wakes
/// the library's fetcher: see ``FetchWatch``.
final class ConsumerHelper: Sendable {
    struct State {
        var request: PlacesRequest?
        var requests = 0
        var result: PlacesResult?
        var restarts: [RestartRequest] = []
        var restarted: [RestartResult] = []
        var replaced: Set<TopicPartition> = []
        var failures: [KafkaFailure] = []
        var asleep: [TopicPartition] = []
        /// The partitions from which records may come.
        var assigned: [TopicPartition] = []
        /// What was to be read next in each of these when they were told.
        var positions: [TopicPartition: Int64] = [:]
        /// Those of which the leader could not be asked where their logs end.
        var unanswered: Set<TopicPartition> = []
        /// The greatest end of each log that was ever seen.
        var highest: [TopicPartition: Int64] = [:]
        /// Those that stand still although their logs grow.
        var stalls: [Stall] = []
        var isStopping = false

        mutating func follow(_ flowing: [Flowing]) {
            assigned = flowing.map(\.partition)
            for one in flowing { positions[one.partition] = one.next }
        }
    }

    let client: Client
    let owner: EventDescriptor
    let start: StartPosition
    /// A topic that a new group reads from its beginning, wherever it starts.
    let alwaysFromBeginning: String?
    /// How long a partition may stand still although its log grows, in milliseconds.
    let stallLimit: Int
    let state = Mutex(State())
    private let bell: EventDescriptor
    private let isBusy = Atomic(false)
    private let taken = Atomic(0)
    private let takenBytes = Atomic(0)
    private let thread = HelperThread()

    /// Starts the thread; `owner` is signalled when there is something to hear.
    init(
        client: Client, owner: EventDescriptor, start: StartPosition,
        alwaysFromBeginning: String? = nil, stallLimit: Int = 60_000
    ) throws(KafkaFailure) {
        self.client = client
        self.owner = owner
        self.start = start
        self.alwaysFromBeginning = alwaysFromBeginning
        self.stallLimit = stallLimit
        bell = try EventDescriptor("make a consumer")
        let result = thread.start("kafka-helper") { [self] in run() }
        guard result == 0 else {
            throw KafkaFailure(
                code: "ERRNO_\(result)", operation: "make a consumer",
                detail: "out of threads: raise the limit (ulimit -u)")
        }
    }

    // MARK: The owner's side

    /// Starts to find out where to begin, and forgets any earlier request.
    ///
    /// `known` tells how far the member had come in partitions that it had before.
    func findPlaces(_ partitions: [TopicPartition], known: [TopicPartition: Int64]) -> Int {
        let number = state.withLock { state in
            state.requests += 1
            state.request = PlacesRequest(
                number: state.requests, partitions: partitions, known: known)
            state.result = nil
            return state.requests
        }
        bell.signal()
        return number
    }

    /// Forgets what was to be found out about partitions that may be somebody else's now.
    func forgetRequests() {
        state.withLock { state in
            state.request = nil
            state.result = nil
            state.restarts = []
            state.restarted = []
        }
    }

    /// The places, once they are known.
    func nextResult() -> PlacesResult? {
        state.withLock { $0.result.take() }
    }

    /// Starts to find out where to continue in a partition whose log has changed.
    func findRestart(_ request: RestartRequest) {
        state.withLock { $0.restarts.append(request) }
        bell.signal()
    }

    /// Where to continue in one partition.
    func nextRestart() -> RestartResult? {
        state.withLock { $0.restarted.isEmpty ? nil : $0.restarted.removeFirst() }
    }

    /// Partitions whose log ends before an end that was seen, or lacks the offset that is to be
    /// read next: it is not the log any more that was being read.
    func takeReplaced() -> Set<TopicPartition> {
        state.withLock { state in
            guard !state.replaced.isEmpty else { return [] }
            defer { state.replaced = [] }
            return state.replaced
        }
    }

    /// Why something could not be found out yet.
    func nextFailure() -> KafkaFailure? {
        state.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
    }

    /// Remembers from which partitions records may come.
    func follow(_ flowing: [Flowing]) { state.withLock { $0.follow(flowing) } }

    /// Wakes the fetcher of partitions that may flow again.
    ///
    /// It is looked whether their logs have what is to be read next: a refusal that the library
    /// had heard before a pause or a rebalance is thrown away by it, and it would never ask again.
    func wakeFetcher(_ flowing: [Flowing]) {
        state.withLock { state in
            state.positions = [:]
            state.follow(flowing)
            state.asleep = flowing.map(\.partition)
        }
        if !flowing.isEmpty { bell.signal() }
    }

    /// Counts what was taken: while there is more to come, the fetcher is kept awake.
    @inline(__always)
    func noticed(_ count: Int, bytes: Int) {
        guard count > 0 else { return }
        taken.add(count, ordering: .relaxed)
        takenBytes.add(bytes, ordering: .relaxed)
        if !isBusy.load(ordering: .relaxed) {
            isBusy.store(true, ordering: .relaxed)
            bell.signal()
        }
    }

    /// Ends the thread and waits for its end.
    func stop() {
        state.withLock { $0.isStopping = true }
        bell.signal()
        thread.join()
    }

    // MARK: The thread's side

    private func run() {
        var watch = FetchWatch(client)
        var stalls = StallWatch(limit: stallLimit)
        var isAwake = false
        while !isStopping {
            if let request = state.withLock({ $0.request }) {
                if !answer(request) { bell.wait(milliseconds: 500) }
                continue
            }
            if let request = state.withLock({ $0.restarts.first }) {
                if !answer(request) { bell.wait(milliseconds: 500) }
                continue
            }
            if let partition = nextSleeper(&isAwake) {
                wake(partition)
                continue
            }
            checkStalls(&stalls, watch)
            keepAwake(&watch, stalls)
        }
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// The next partition that may flow again; the fetcher must have seen the end of the pause
    /// before it is woken.
    private func nextSleeper(_ isAwake: inout Bool) -> TopicPartition? {
        guard state.withLock({ !$0.asleep.isEmpty }) else {
            isAwake = false
            return nil
        }
        if !isAwake { bell.wait(milliseconds: 5) }
        isAwake = true
        return state.withLock { $0.asleep.popLast() }
    }

    /// Waits for the bell; while there is something to read, keeps the fetcher awake, and looks
    /// about once a second whether the logs are still the same.
    private func keepAwake(_ watch: inout FetchWatch, _ stalls: StallWatch) {
        guard isBusy.load(ordering: .relaxed) else { return rest(stalls.wait) }
        bell.wait(milliseconds: watch.interval)
        watch.note(
            records: taken.load(ordering: .relaxed), bytes: takenBytes.load(ordering: .relaxed))
        let behind = watch.isLow ? lagging(watch) : []
        guard watch.hasMoved || !behind.isEmpty else {
            isBusy.store(false, ordering: .relaxed)
            return
        }
        if watch.isTimeToCheck {
            checkEnds(of: state.withLock { $0.assigned })
            askAgain()
        }
        if !behind.isEmpty { wakeFetchers(of: behind, &watch) }
    }

    /// Waits for the bell; until then, asks again where there was no response.
    private func rest(_ longest: Int32) {
        let isSure = state.withLock { $0.unanswered.isEmpty }
        bell.wait(milliseconds: isSure ? longest : 500)
        if !isSure { askAgain() }
    }

    /// Asks again for the ends of one log: it may have been replaced meanwhile.
    private func askAgain() {
        let next = state.withLock { state in
            state.unanswered.formIntersection(state.assigned)
            return state.unanswered.popFirst()
        }
        if let next, !isStopping { wake(next) }
    }

    private func wake(_ partition: TopicPartition) {
        let marks = watermarks(of: partition, milliseconds: 500)
        guard marks.error == RD_KAFKA_RESP_ERR_NO_ERROR else {
            _ = state.withLock { $0.unanswered.insert(partition) }
            return
        }
        notePosition(of: partition, low: marks.low, high: marks.high)
    }
}
