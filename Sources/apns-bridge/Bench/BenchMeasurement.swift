internal import Delivery
internal import Telemetry

/// What happened between two moments.
struct BenchMeasurement: Sendable {
    /// A moment.
    struct Moment: Sendable {
        var progress: BenchProgress
        var usage: BenchUsage
        /// When it was, on the monotonic clock.
        var time: Instant
    }

    /// Outcomes stored in between.
    var outcomes: Int
    var seconds: Double
    var costs: BenchCosts
    /// In milliseconds.
    var eventToOutcome: Histogram
    var eventToAccepted: Histogram
    var roundTrip: Histogram

    init(from start: Moment, to end: Moment, foreign: Set<Int>) {
        seconds = max(.zero, end.time - start.time) / .seconds(1)
        outcomes = end.progress.stored - start.progress.stored
        costs = BenchCosts(
            from: start.usage, to: end.usage, seconds: seconds, foreign: foreign)
        eventToOutcome = end.progress.eventToOutcome.since(start.progress.eventToOutcome)
        eventToAccepted = end.progress.eventToAccepted.since(start.progress.eventToAccepted)
        roundTrip = end.progress.roundTrip.since(start.progress.roundTrip)
    }

    /// Outcomes per second.
    var rate: Double { seconds > 0 ? Double(outcomes) / seconds : 0 }

    /// Processor time for each push, in microseconds.
    func microseconds(_ seconds: Double) -> Double {
        outcomes > 0 ? seconds * 1_000_000 / Double(outcomes) : 0
    }
}
