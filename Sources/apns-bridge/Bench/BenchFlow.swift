internal import Delivery
internal import EventLoop
internal import Synchronization

/// What the publisher, the measurement and a signal to stop share.
final class BenchFlow: Sendable {
    /// How far the publisher is.
    enum Phase: Int, Comparable, Sendable {
        case filling
        /// As much of the backlog is in Kafka as may wait there.
        case filled
        /// The events at an even rate are published.
        case paced

        static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// What the publisher shall do next.
    enum Order: Sendable {
        /// Publish at this rate for this many seconds.
        case pace(rate: Int, seconds: Int)
        case end
    }

    private struct State {
        var published = 0
        var finished = 0
        var phase = Phase.filling
        var failure: KafkaFailure?
    }

    let orders = Mailbox<Order>()
    private let state = Mutex(State())
    private let isEnded = Atomic<Bool>(false)
    private let stopSignal = Atomic<Int32>(0)

    /// Events handed to Kafka.
    var published: Int { state.withLock { $0.published } }
    /// Events that are published and not finished.
    var unfinished: Int { state.withLock { max(0, $0.published - $0.finished) } }
    var phase: Phase { state.withLock { $0.phase } }
    /// Why the publisher could not go on.
    var failure: KafkaFailure? { state.withLock { $0.failure } }

    func publish() { state.withLock { $0.published += 1 } }
    func finish(_ count: Int) { state.withLock { $0.finished = count } }
    func reach(_ phase: Phase) { state.withLock { $0.phase = phase } }
    func fail(_ failure: KafkaFailure) { state.withLock { $0.failure = failure } }

    /// The publisher shall not go on.
    var hasEnded: Bool { isEnded.load(ordering: .relaxed) }
    /// The signal that asked to stop; 0 for none.
    var signal: Int32 { stopSignal.load(ordering: .relaxed) }

    /// Lets the publisher end.
    func end() {
        isEnded.store(true, ordering: .relaxed)
        orders.post(.end)
    }

    /// Ends everything early.
    func stop(signal: Int32) {
        stopSignal.store(signal, ordering: .relaxed)
        end()
    }
}
