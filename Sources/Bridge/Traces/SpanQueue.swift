internal import Delivery
internal import EventLoop
internal import Synchronization
public import Tracing

/// The finished spans that wait to be exported, of all workers of the process.
///
/// A worker that adds some never waits for the collector: spans that do not fit are dropped and
/// counted.
public final class SpanQueue: Sendable {
    /// The most spans that wait, besides the batch that is being exported.
    static let limit = 2048
    /// The most spans of one request.
    static let batch = 512

    /// What is sent to the exporter.
    enum Message: Equatable, Sendable {
        /// There are spans to export: the first ones, or enough for a whole batch.
        case spans
        /// Export what is there, and end.
        case stop
    }

    /// How many spans were exported and dropped since the start.
    struct Totals: Equatable, Sendable {
        var exported = 0
        var dropped = 0
    }

    private struct State {
        var spans: [Span] = []
        var totals = Totals()
        var end: Instant?
    }

    /// Decides which pushes are traced.
    public let sampler: TraceSampler
    let mailbox = Mailbox<Message>()
    private let state = Mutex(State())

    /// Creates an empty queue.
    public init(sampler: TraceSampler) { self.sampler = sampler }

    /// Adds finished spans, as many as fit; `dropped` more were lost before.
    func add(_ spans: [Span], dropped: Int = 0) {
        let mustWake = state.withLock { state in
            let before = state.spans.count
            state.spans += spans.prefix(Self.limit - before)
            let after = state.spans.count
            state.totals.dropped += dropped + spans.count - (after - before)
            return before == 0 && after > 0 || before < Self.batch && after >= Self.batch
        }
        if mustWake { mailbox.post(.spans) }
    }

    /// The number of spans that wait.
    var count: Int { state.withLock { $0.spans.count } }
    /// How many spans were exported and dropped since the start.
    var totals: Totals { state.withLock { $0.totals } }

    /// Takes the oldest spans, at most a batch.
    func take() -> [Span] {
        state.withLock { state in
            let batch = Array(state.spans.prefix(Self.batch))
            state.spans.removeFirst(batch.count)
            return batch
        }
    }

    /// When to end, whatever is left; nil while the process runs.
    var end: Instant? { state.withLock { $0.end } }

    /// Asks the exporter to export what is there, and to end at `end` at the latest.
    func stop(at end: Instant) {
        state.withLock { $0.end = end }
        mailbox.post(.stop)
    }

    func exported(_ count: Int) { state.withLock { $0.totals.exported += count } }

    func dropped(_ count: Int) { state.withLock { $0.totals.dropped += count } }

    /// Drops what is left.
    func discard() {
        state.withLock { state in
            state.totals.dropped += state.spans.count
            state.spans = []
        }
    }
}
