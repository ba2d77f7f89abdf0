internal import Delivery
internal import Engine
internal import Telemetry

/// What the process did in the last 30 minutes, in steps of ten seconds.
///
/// It is fed from what the workers publish, on none of their threads. Times are counted from the
/// start of the process.
struct StatusHistory: Sendable {
    /// The length of a step.
    static let interval = Duration.seconds(10)
    /// The number of steps that are remembered.
    static let capacity = 180

    /// A reason why pushes were not accepted.
    struct Reason: Hashable, Sendable {
        var connector: String
        var verdict: Verdict
        /// Empty for none.
        var reason: String
    }

    /// Two quantiles in milliseconds; nil without values.
    struct Latency: Equatable, Sendable {
        var median: UInt64
        var p99: UInt64

        init?(_ histogram: Histogram) {
            guard histogram.count > 0 else { return nil }
            median = histogram.quantile(0.5)
            p99 = histogram.quantile(0.99)
        }
    }

    /// What happened in a step.
    struct Step: Equatable, Sendable {
        /// The time it covers in seconds: more than ten after the process was stopped for a while.
        var seconds = 10
        /// What was added to the totals of each connector.
        var changes: [String: RunTotals] = [:]
        var eventToAccepted: Latency?
        var roundTrip: Latency?
        /// At the end of the step; nil while no end of a log is known.
        var lag: Int64?

        var retries: Int { changes.values.reduce(0) { $0 + $1.retries } }

        func count(_ verdict: Verdict) -> Int {
            changes.values.reduce(0) { $0 + $1.count(verdict) }
        }

        /// The pushes that APNs did not accept.
        var others: [Reason: Int] {
            var found: [Reason: Int] = [:]
            for (connector, changes) in changes {
                for (verdict, reasons) in changes.others {
                    for (reason, count) in reasons {
                        let key = Reason(connector: connector, verdict: verdict, reason: reason)
                        found[key] = count
                    }
                }
            }
            return found
        }
    }

    /// The latencies of a worker since it was started.
    private struct Latencies {
        /// A worker of the same name that a reload has started has another one.
        var board: FigureBoard
        var run: Int
        var eventToAccepted: Histogram
        var roundTrip: Histogram
    }

    /// The steps, oldest first; nil for the time in which the process did not run.
    private(set) var steps: [Step?] = []
    private var lastLook = Duration.zero
    private var totals = SeenTotals()
    /// The latencies at the last step, by worker.
    private var latencies: [String: Latencies] = [:]

    /// Ends a step if it is time; call it about once a second.
    mutating func look(_ reading: BridgeStatus.Reading, at now: Duration) {
        let elapsed = now - lastLook
        guard elapsed >= Self.interval else { return }
        lastLook = now
        let missed = min(Self.capacity, Int(elapsed / Self.interval) - 1)
        steps += Array(repeating: nil, count: missed)
        var step = Step(seconds: Int(elapsed.components.seconds))
        for (connector, rows) in Dictionary(grouping: reading.workers, by: \.worker.connector) {
            step.changes[connector] = totals.changes(of: connector, rows)
        }
        totals.forgetRemoved(reading)
        measure(reading.workers, in: &step)
        step.lag = reading.workers.map { $0.figures?.lag }.sumOfKnown
        steps.append(step)
        steps.removeFirst(max(0, steps.count - Self.capacity))
    }

    private mutating func measure(_ rows: [BridgeStatus.Reading.Worker], in step: inout Step) {
        var current: [String: Latencies] = [:]
        var eventToAccepted = Histogram()
        var roundTrip = Histogram()
        for row in rows {
            guard let figures = row.figures else { continue }
            let name = "\(row.worker.connector)/\(row.worker.number)"
            let board = row.worker.board
            let known = latencies[name].flatMap {
                $0.board === board && $0.run == row.run ? $0 : nil
            }
            let new = Latencies(
                board: board, run: row.run, eventToAccepted: figures.pushes.eventToAccepted,
                roundTrip: figures.pushes.roundTrip)
            eventToAccepted.merge(new.eventToAccepted.since(known?.eventToAccepted ?? Histogram()))
            roundTrip.merge(new.roundTrip.since(known?.roundTrip ?? Histogram()))
            current[name] = new
        }
        step.eventToAccepted = Latency(eventToAccepted)
        step.roundTrip = Latency(roundTrip)
        latencies = current
    }

    /// A reason over all steps.
    struct Sum: Equatable, Sendable {
        var reason: Reason
        var count: Int
        /// How long before the end of the last step the latest step with it ended.
        var age: Duration
    }

    /// The reasons of all steps, the latest first, and of these the commonest first.
    var reasons: [Sum] {
        var sums: [Reason: Sum] = [:]
        for (index, step) in steps.enumerated() {
            let age = Self.interval * (steps.count - 1 - index)
            for (reason, count) in step?.others ?? [:] {
                let earlier = sums[reason]?.count ?? 0
                sums[reason] = Sum(reason: reason, count: earlier + count, age: age)
            }
        }
        return sums.values.sorted {
            ($0.age, -$0.count, $0.reason.connector, $0.reason.reason)
                < ($1.age, -$1.count, $1.reason.connector, $1.reason.reason)
        }
    }
}
