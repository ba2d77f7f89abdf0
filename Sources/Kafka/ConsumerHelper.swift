internal import CRDKafka
internal import Delivery
internal import Synchronization

/// A partition that records come from, unless it is paused.
struct Flowing {
    var partition: TopicPartition
    /// The next offset to hand over.
    var next: Int64
}

/// A thread for requests that take a round trip, so that the consumer's owner never waits.
///
/// It determines where to start in new partitions and in those whose log was replaced, and it wakes
/// the library's fetcher: see ``FetchWatch``.
final class ConsumerHelper: Sendable {
    struct State {
        var request: StartOffsetsRequest?
        var requests = 0
        var result: StartOffsetsResult?
        var restarts: [RestartRequest] = []
        var restarted: [RestartResult] = []
        var replaced: Set<TopicPartition> = []
        var failures: [KafkaFailure] = []
        var asleep: [TopicPartition] = []
        /// The partitions that records may come from.
        var assigned: [TopicPartition] = []
        /// The next offset to read in each of these, as last reported.
        var positions: [TopicPartition: Int64] = [:]
        /// The partitions that are paused.
        var paused: [Flowing] = []
        /// The ends of their logs, as their leaders returned them last.
        var pausedEnds: [TopicPartition: Int64] = [:]
        /// How often they were looked at.
        var pausedTurns = 0
        /// Those whose leader has not returned the end of the log.
        var unprocessed: Set<TopicPartition> = []
        /// The highest end seen of each log.
        var highest: [TopicPartition: Int64] = [:]
        /// Those that are stalled although their logs grow.
        var stalls: [Stall] = []
        /// Patterns that no topic matches, and topics that matched one and were deleted; at most
        /// 1,000.
        var missing: Set<String> = []
        /// True when a topic is known to match a pattern.
        var hasMatch = false
        /// True while the membership is to be checked, false once it was; nil at first.
        var checksMembership: Bool?
        /// The topics of which no member has some partitions.
        var unassigned: [String] = []
        var isStopping = false

        /// True when nobody waits for the thread.
        var isIdle: Bool {
            !isStopping && request == nil && restarts.isEmpty && asleep.isEmpty
        }

        mutating func follow(_ flowing: [Flowing], _ paused: [Flowing]) {
            assigned = flowing.map(\.partition)
            self.paused = paused
            if !pausedEnds.isEmpty {
                let still = Set(paused.map(\.partition))
                pausedEnds = pausedEnds.filter { still.contains($0.key) }
            }
            for one in flowing { positions[one.partition] = one.next }
        }
    }

    let client: Client
    let owner: EventDescriptor
    let start: StartPosition
    /// The topics that the group reads.
    let topics: TopicSelection
    /// Topics that a new group always reads from their beginning.
    let alwaysFromBeginning: [String]
    /// How long a partition may stall although its log grows, in milliseconds.
    let stallLimit: Int
    /// The group of a member with a name whose members distribute the partitions.
    let membership: String?
    let state = Mutex(State())
    let wakeup: EventDescriptor
    private let taken = TakenCounts()
    private let thread = HelperThread()

    /// Starts the thread; `owner` is signalled when there is a result.
    init(
        client: Client, owner: EventDescriptor, start: StartPosition, topics: TopicSelection = [],
        alwaysFromBeginning: [String] = [], stallLimit: Int = 60_000, membership: String? = nil
    ) throws(KafkaFailure) {
        self.membership = membership
        self.client = client
        self.owner = owner
        self.start = start
        self.topics = topics
        self.alwaysFromBeginning = alwaysFromBeginning
        self.stallLimit = stallLimit
        wakeup = try EventDescriptor("make a consumer")
        try thread.start("kafka-helper") { [self] in run() }
    }

    // MARK: The owner's side

    /// Starts to look up where to begin, and cancels any earlier request.
    ///
    /// `known` is what the member knows of partitions that it owned before.
    func findStartOffsets(
        _ partitions: [TopicPartition], known: [TopicPartition: KnownPartition]
    ) -> Int {
        let matched = patterns(of: partitions)
        let number = state.withLock { state in
            state.requests += 1
            state.missing.subtract(partitions.map(\.topic) + matched)
            state.request = StartOffsetsRequest(
                number: state.requests, partitions: partitions, known: known)
            state.result = nil
            return state.requests
        }
        wakeup.signal()
        return number
    }

    /// Cancels requests about partitions that other members may own now.
    func forgetRequests() {
        state.withLock { state in
            state.request = nil
            state.result = nil
            state.restarts = []
            state.restarted = []
        }
    }

    /// The start offsets, once they are known.
    func nextResult() -> StartOffsetsResult? {
        state.withLock { $0.result.take() }
    }

    /// Starts to look up where to continue in a partition whose log was replaced.
    func findRestart(_ request: RestartRequest) {
        state.withLock { $0.restarts.append(request) }
        wakeup.signal()
    }

    /// Where to continue in one partition, once it is known.
    func nextRestart() -> RestartResult? {
        state.withLock { $0.restarted.isEmpty ? nil : $0.restarted.removeFirst() }
    }

    /// Partitions whose log ends before an end seen earlier, or lacks the next offset to read: it
    /// is no longer the same log.
    func takeReplaced() -> Set<TopicPartition> {
        state.withLock { state in
            guard !state.replaced.isEmpty else { return [] }
            defer { state.replaced = [] }
            return state.replaced
        }
    }

    /// Why a lookup has not succeeded yet.
    func nextFailure() -> KafkaFailure? {
        state.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
    }

    /// Sets the partitions that records may come from, and those that are paused.
    func follow(_ flowing: [Flowing], paused: [Flowing]) {
        state.withLock { $0.follow(flowing, paused) }
    }

    /// Wakes the fetcher of partitions that have resumed.
    ///
    /// Checks that their logs have the next offset to read: the library discards an error that it
    /// received before a pause or rebalance, and would never ask again.
    func wakeFetcher(_ flowing: [Flowing], paused: [Flowing]) {
        state.withLock { state in
            state.positions = [:]
            state.follow(flowing, paused)
            state.asleep = flowing.map(\.partition)
        }
        if !flowing.isEmpty { wakeup.signal() }
    }

    /// Counts what was taken: while there is more to come, the fetcher is kept awake.
    func noticed(_ count: Int, bytes: Int) {
        guard count > 0 else { return }
        if taken.note(count, bytes: bytes) { wakeup.signal() }
    }

    /// Stops the thread and waits for it to finish; a request that does not end is left behind with
    /// its client.
    func stop() {
        state.withLock { $0.isStopping = true }
        wakeup.signal()
        if !thread.join(milliseconds: HelperThread.timeout) { client.leaveBehind() }
    }

    // MARK: The thread's side

    private func run() {
        var watch = FetchWatch(client)
        var stalls = StallWatch(limit: stallLimit)
        var isAwake = false
        while !isStopping {
            if let request = state.withLock({ $0.request }) {
                if !process(request) { wakeup.wait(milliseconds: 500) }
                continue
            }
            if let request = state.withLock({ $0.restarts.first }) {
                if !process(request) { wakeup.wait(milliseconds: 500) }
                continue
            }
            if let partition = nextSleeper(&isAwake) {
                wake(partition)
                continue
            }
            checkMembershipIfDue()
            checkStalls(&stalls, watch)
            keepAwake(&watch, stalls)
        }
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// The next resumed partition; the fetcher must have noticed that it resumed before it is
    /// woken.
    private func nextSleeper(_ isAwake: inout Bool) -> TopicPartition? {
        guard state.withLock({ !$0.asleep.isEmpty }) else {
            isAwake = false
            return nil
        }
        if !isAwake { wakeup.wait(milliseconds: 5) }
        isAwake = true
        return state.withLock { $0.asleep.popLast() }
    }

    /// Waits for a signal; while there is something to read, keeps the fetcher awake. Checks about
    /// once a second that the logs from which something was taken are still the same.
    private func keepAwake(_ watch: inout FetchWatch, _ stalls: StallWatch) {
        guard taken.isBusy else { return waitIdle(&watch, stalls) }
        wakeup.wait(milliseconds: watch.interval)
        let seen = taken.records
        watch.note(records: seen, bytes: taken.bytes)
        let behind = watch.isLow ? lagging(watch) : []
        guard watch.hasMoved || !behind.isEmpty else {
            _ = taken.goIdle(having: seen)
            return
        }
        if watch.isTimeToCheck() {
            checkEnds(of: state.withLock { $0.assigned })
            askAgain()
        }
        if !behind.isEmpty { wakeFetchers(of: behind, &watch) }
    }

    /// Waits for a signal; until then, repeats requests that got no response, and checks the ends
    /// of the logs once more after something was taken.
    private func waitIdle(_ watch: inout FetchWatch, _ stalls: StallWatch) {
        let isSure = state.withLock { $0.unprocessed.isEmpty }
        let maximum = min(stalls.wait, watch.timeToCheck ?? .max)
        wakeup.wait(milliseconds: isSure ? maximum : min(maximum, 500))
        if !isSure { askAgain() }
        if watch.timeToCheck != nil, watch.isTimeToCheck() {
            checkEnds(of: state.withLock { $0.assigned })
        }
    }

    /// Asks again for the end of one log: it may have been replaced meanwhile.
    private func askAgain() {
        let next = state.withLock { state in
            state.unprocessed.formIntersection(state.assigned)
            return state.unprocessed.popFirst()
        }
        if let next, !isStopping { wake(next) }
    }

    private func wake(_ partition: TopicPartition) {
        let marks = watermarks(of: partition, milliseconds: 500)
        guard marks.error == RD_KAFKA_RESP_ERR_NO_ERROR else {
            _ = state.withLock { $0.unprocessed.insert(partition) }
            return
        }
        notePosition(of: partition, low: marks.low, high: marks.high)
    }
}
