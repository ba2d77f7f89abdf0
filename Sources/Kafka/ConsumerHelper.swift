internal import CLinux
internal import CRDKafka
internal import Delivery
internal import Glibc
internal import Synchronization

/// A thread that asks Kafka what takes a round trip, so that the consumer's owner never waits.
///
/// It reads what the group had committed for new partitions, and it wakes the library's fetcher:
/// older versions of that nap for up to a second when its queue is full or its partitions are
/// paused, and do not notice when this ends. Any request to the same broker wakes it.
final class ConsumerHelper: Sendable {
    /// Where to start in one partition.
    struct Place {
        var partition: TopicPartition
        var start: Int64
        var committed: Int64?
        var metadata: String
    }

    /// The places of one assignment, by the number of its request.
    struct CommittedResult {
        var number: Int
        var places: [Place]
    }

    private struct State {
        var request: (number: Int, partitions: [TopicPartition])?
        var requests = 0
        var result: CommittedResult?
        var failures: [SourceFailure] = []
        var asleep: [TopicPartition] = []
        var assigned: [TopicPartition] = []
        var taken = 0
        var isStopping = false
    }

    private let client: Client
    private let owner: EventDescriptor
    private let bell: EventDescriptor
    private let start: StartPosition
    private let state = Mutex(State())
    private let isBusy = Atomic(false)
    private let taken = Atomic(0)
    private let thread = Mutex<pthread_t?>(nil)

    /// Starts the thread; `owner` is signalled when there is something to hear.
    init(client: Client, owner: EventDescriptor, start: StartPosition) throws(KafkaFailure) {
        self.client = client
        self.owner = owner
        self.start = start
        bell = try EventDescriptor("make a consumer")
        var handle = pthread_t()
        let context = unsafe Unmanaged.passRetained(self)
        let result = unsafe pthread_create(&handle, nil, runHelper, context.toOpaque())
        guard result == 0 else {
            unsafe context.release()
            throw KafkaFailure(
                code: "ERRNO_\(result)", operation: "make a consumer",
                detail: "no thread is left: raise the limit (ulimit -u)")
        }
        thread.withLock { [handle] in $0 = handle }
    }

    // MARK: The owner's side

    /// Starts to read committed offsets, and forgets any earlier request.
    func readCommitted(_ partitions: [TopicPartition]) -> Int {
        let number = state.withLock { state in
            state.requests += 1
            state.request = (state.requests, partitions)
            state.result = nil
            return state.requests
        }
        bell.signal()
        return number
    }

    /// The committed offsets, once they are here.
    func nextResult() -> CommittedResult? {
        state.withLock { $0.result.take() }
    }

    /// Why they could not be read yet.
    func nextFailure() -> SourceFailure? {
        state.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
    }

    /// Wakes the fetcher of partitions that may flow again.
    func wakeFetcher(_ partitions: [TopicPartition]) {
        state.withLock {
            $0.asleep = partitions
            $0.assigned = partitions
        }
        bell.signal()
    }

    /// Counts what was taken: while records come fast the fetcher is kept awake.
    @inline(__always)
    func noticed(_ count: Int) {
        guard count > 0 else { return }
        taken.add(count, ordering: .relaxed)
        if !isBusy.load(ordering: .relaxed) {
            isBusy.store(true, ordering: .relaxed)
            bell.signal()
        }
    }

    /// Ends the thread and waits for its end.
    func stop() {
        state.withLock { $0.isStopping = true }
        bell.signal()
        let handle = thread.withLock { $0.take() }
        if let handle { pthread_join(handle, nil) }
    }

    // MARK: The thread's side

    fileprivate func run() {
        var seen = 0
        var round = 0
        while !isStopping {
            if let request = state.withLock({ $0.request }) {
                if !answer(request) { bell.wait(milliseconds: 500) }
                continue
            }
            if let partitions = nextSleepers() {
                // The fetcher must have seen the end of the pause before it is woken.
                bell.wait(milliseconds: 5)
                for partition in partitions where !isStopping { wake(partition) }
                continue
            }
            keepAwake(&seen, &round)
        }
    }

    private var isStopping: Bool { state.withLock { $0.isStopping } }

    private func nextSleepers() -> [TopicPartition]? {
        state.withLock { state in
            guard !state.asleep.isEmpty else { return nil }
            defer { state.asleep = [] }
            return state.asleep
        }
    }

    /// Waits for the bell; while records come, wakes the fetcher every 20 ms.
    private func keepAwake(_ seen: inout Int, _ round: inout Int) {
        guard isBusy.load(ordering: .relaxed) else { return bell.wait(milliseconds: -1) }
        bell.wait(milliseconds: 20)
        let now = taken.load(ordering: .relaxed)
        defer { seen = now }
        if now == seen {
            isBusy.store(false, ordering: .relaxed)
        } else if now - seen > 200 {
            // One partition after the other, so that every broker has its turn.
            let assigned = state.withLock { $0.assigned }
            guard !assigned.isEmpty else { return }
            round += 1
            wake(assigned[round % assigned.count])
        }
    }

    private func wake(_ partition: TopicPartition) {
        _ = watermarks(of: partition, milliseconds: 500)
    }

    private func watermarks(
        of partition: TopicPartition, milliseconds: Int32
    ) -> (low: Int64, high: Int64, error: rd_kafka_resp_err_t) {
        var low: Int64 = 0
        var high: Int64 = 0
        let error = unsafe rd_kafka_query_watermark_offsets(
            client.pointer, partition.topic, partition.partition, &low, &high, milliseconds)
        return (low, high, error)
    }

    /// Reads committed offsets; false when it must be tried again.
    private func answer(_ request: (number: Int, partitions: [TopicPartition])) -> Bool {
        let list = PartitionList(request.partitions)
        var error = unsafe rd_kafka_committed(client.pointer, list.pointer, 2000)
        var places: [Place] = []
        list.forEach { element in
            if error == RD_KAFKA_RESP_ERR_NO_ERROR { error = element.error }
            guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { return }
            let committed = element.offset >= 0 ? element.offset : nil
            var place = Place(
                partition: element.partition, start: committed ?? Int64(RD_KAFKA_OFFSET_BEGINNING),
                committed: committed, metadata: committed == nil ? "" : element.metadata)
            if committed == nil, start == .latest {
                let marks = watermarks(of: element.partition, milliseconds: 2000)
                place.start = marks.high
                error = marks.error
            }
            places.append(place)
        }
        let failure =
            error == RD_KAFKA_RESP_ERR_NO_ERROR
            ? nil
            : SourceFailure(error, "the committed offsets can not be read: \(errorWords(error))")
        state.withLock { state in
            if let failure {
                state.failures.note(failure)
            } else if state.request?.number == request.number {
                state.request = nil
                state.result = CommittedResult(number: request.number, places: places)
            }
        }
        owner.signal()
        return failure == nil
    }
}

private func runHelper(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    let helper = unsafe Unmanaged<ConsumerHelper>.fromOpaque(context).takeRetainedValue()
    unsafe linux_name_this_thread("kafka-helper")
    helper.run()
    return nil
}
