/// Decides what happens to a batch of spans after each attempt to export it, and what is logged.
///
/// Source: *OpenTelemetry Protocol Specification*, OTLP/HTTP Response.
public struct ExportPace: Sendable {
    /// What became of an attempt.
    public enum Attempt: Equatable, Sendable {
        /// The collector responded; `retryAfter` is its `Retry-After`.
        case responded(status: Int, retryAfter: Duration?)
        /// No response came; the reason says why.
        case failed(String)
    }

    /// What to do next.
    public enum Decision: Equatable, Sendable {
        /// The collector has the batch.
        case delivered
        /// The same batch may be accepted after this time.
        case retry(after: Duration)
        /// The collector will never accept the batch.
        case drop
    }

    /// What to log.
    public enum Event: Equatable, Sendable {
        /// Exports have begun to fail, for this reason.
        case failing(String)
        /// Exports work again.
        case recovered
    }

    private var failures = 0
    private var isFailing = false

    private static let first = Duration.seconds(1)
    private static let maximum = Duration.seconds(30)
    /// However long a collector asks to wait.
    private static let maxWait = Duration.seconds(300)

    /// Nothing has been exported yet.
    public init() {}

    /// Judges an attempt; `random` is the jitter of the next one.
    public mutating func judge(
        _ attempt: Attempt, random: UInt64
    ) -> (decision: Decision, event: Event?) {
        switch attempt {
        case .responded(let status, _) where (200..<300).contains(status):
            failures = 0
            defer { isFailing = false }
            return (.delivered, isFailing ? .recovered : nil)
        case .responded(let status, let wait):
            let event = failed("the collector responded with status \(status)")
            guard [429, 502, 503, 504].contains(status) else { return (.drop, event) }
            let pause = pause(random)
            let wanted = wait.map { min($0, Self.maxWait) } ?? .zero
            return (.retry(after: max(pause, wanted)), event)
        case .failed(let reason):
            let event = failed(reason)
            return (.retry(after: pause(random)), event)
        }
    }

    private mutating func failed(_ reason: String) -> Event? {
        defer { isFailing = true }
        return isFailing ? nil : .failing(reason)
    }

    /// A pause that doubles with each failure, and lies between its half and the whole.
    private mutating func pause(_ random: UInt64) -> Duration {
        let whole = min(Self.first * (1 << min(failures, 10)), Self.maximum)
        failures += 1
        return whole / 2 + whole / 2 * Double(random >> 11) / Double(1 << 53)
    }
}
