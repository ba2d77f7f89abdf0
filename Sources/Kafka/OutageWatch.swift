internal import CRDKafka
internal import Delivery
internal import Synchronization

/// Whether any broker can be reached, asked on a thread of its own.
///
/// The library reports when its last connection breaks, which may be repaired at once, and never
/// when one is open again. From that report on this thread asks for metadata until a broker
/// responds. ``ConsumerHelper`` cannot do that: a request for a log's end that is in flight when
/// its broker goes away takes a minute, whatever its timeout is (librdkafka 2.0.2).
final class OutageWatch: Sendable {
    private struct State {
        var suspicion = OutageSuspicion()
        var isStopping = false
    }

    /// How long a request for metadata waits for a broker, in milliseconds.
    private static let timeout: Int32 = 500
    /// The time between two requests, in milliseconds.
    private static let interval: Int32 = 500

    private let client: Client
    private let state = Mutex(State())
    private let wakeup: EventDescriptor
    private let thread = HelperThread()

    /// Starts the thread, which learns the number of brokers and then waits for a suspicion.
    init(client: Client) throws(KafkaFailure) {
        self.client = client
        wakeup = try EventDescriptor("make a consumer")
        try thread.start("kafka-outages") { [self] in run() }
    }

    // MARK: The owner's side

    /// The library has no connection left; `reason` are its report, such as `3/3 brokers are down`.
    func suspect(_ reason: String, _ detail: String) {
        state.withLock { $0.suspicion.raise(reason, detail) }
        wakeup.signal()
    }

    /// The outage that lasts; nil while a broker can be reached.
    var outage: KafkaOutage? { state.withLock { $0.suspicion.outage } }

    /// Stops the thread and waits for it to finish.
    func stop() {
        state.withLock { $0.isStopping = true }
        wakeup.signal()
        if !thread.join(milliseconds: HelperThread.timeout) { client.leaveBehind() }
    }

    // MARK: The thread's side

    private func run() {
        while state.withLock({ !$0.isStopping }) {
            let isSettled = state.withLock { $0.suspicion.isSettled }
            if isSettled { wakeup.wait(milliseconds: -1) } else { ask() }
        }
    }

    /// Asks how many brokers there are, and notes that one has responded, or that none has.
    private func ask() {
        let known = state.withLock { $0.suspicion.raised }
        let began = milliseconds()
        let count = countBrokers()
        state.withLock { state in
            if let count {
                state.suspicion.responded(brokers: count, knowing: known)
            } else {
                state.suspicion.failed(from: began, to: milliseconds())
            }
        }
        if count == nil { wakeup.wait(milliseconds: Self.interval) }
    }

    /// The number of brokers; nil when none responds in time.
    private func countBrokers() -> Int? {
        var metadata: UnsafePointer<rd_kafka_metadata>?
        let error = unsafe rd_kafka_metadata(client.pointer, 0, nil, &metadata, Self.timeout)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR, let metadata = unsafe metadata else {
            return nil
        }
        defer { unsafe rd_kafka_metadata_destroy(metadata) }
        return unsafe Int(metadata.pointee.broker_cnt)
    }
}

/// What is known of an outage that the library has reported: without a clock of its own.
struct OutageSuspicion {
    /// For how long requests must have failed, in milliseconds. A broker that ends a login closes
    /// its connection, and the next one is open a moment later.
    static let timeout = 2000

    /// The number of brokers; nil until one has responded.
    private var brokers: Int?
    /// Set from the moment the library has no connection until a broker responds.
    private var suspected: KafkaOutage?
    /// Since when requests have failed, in milliseconds.
    private var failingSince: Int?
    /// How often it was raised: a response to a request from before does not refute it.
    private(set) var raised = 0
    /// The outage; nil unless requests have failed for a while.
    private(set) var outage: KafkaOutage?

    /// True when a broker has responded since the last report.
    var isSettled: Bool { brokers != nil && suspected == nil }

    /// The library has no connection left; `reason` begins with the number of brokers.
    mutating func raise(_ reason: String, _ detail: String) {
        let count = brokers ?? reason.split(separator: "/").first.flatMap { Int($0) }
        suspected = KafkaOutage(brokers: count ?? 0, detail: detail)
        if outage != nil { outage = suspected }
        raised += 1
    }

    /// No broker has responded to a request, which began and ended at these times in milliseconds.
    mutating func failed(from began: Int, to now: Int) {
        let since = failingSince ?? began
        failingSince = since
        if now - since >= Self.timeout { outage = suspected }
    }

    /// A broker has responded, to a request that was sent when so many suspicions were known.
    mutating func responded(brokers count: Int, knowing known: Int) {
        brokers = count
        failingSince = nil
        guard raised == known else { return }
        suspected = nil
        outage = nil
    }
}

extension KafkaFailure {
    /// The system has no thread for a consumer; `number` is its error number.
    static func outOfThreads(_ number: Int32) -> KafkaFailure {
        KafkaFailure(
            code: "ERRNO_\(number)", operation: "make a consumer",
            detail: "out of threads: raise the limit (ulimit -u)")
    }
}
