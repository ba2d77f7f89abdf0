internal import Bridge
internal import Delivery
internal import Engine
internal import Telemetry

/// What the workers have done so far, and their current load, as one.
struct BenchProgress: Sendable {
    /// When the last of them said so, on the monotonic clock.
    var time = Instant.distantPast
    /// The workers that have been assigned their partitions.
    var joined = 0
    var connections = 0
    /// Outcomes that Kafka has stored.
    var stored = 0
    var accepted = 0
    var rejected = 0
    var dropped = 0
    var unknown = 0
    var recordsInFlight = 0
    /// Pushes that are not done.
    var pushes = 0
    /// Requests without a response.
    var openRequests = 0
    /// Pushes that wait until a connection has room for them.
    var queued = 0
    var suspendedApps: [String] = []
    /// Why pushes were not accepted, and how many.
    var reasons: [String: UInt64] = [:]
    var eventToOutcome = Histogram()
    var eventToAccepted = Histogram()
    var roundTrip = Histogram()

    init() {}

    /// Adds up the figures of all workers.
    init(_ workers: [WorkerFigures]) {
        for figures in workers {
            let (counters, pushes) = (figures.counters, figures.pushes)
            time = max(time, figures.time)
            joined += figures.hasJoined ? 1 : 0
            connections += figures.connections
            stored += Int(clamping: pushes.eventToOutcome.count)
            accepted += counters.accepted
            rejected += counters.rejected
            dropped += counters.dropped
            unknown += counters.unknown
            recordsInFlight += figures.state.recordsInFlight
            self.pushes += figures.state.pushes
            openRequests += figures.openRequests
            queued += figures.state.pushesToSend
            suspendedApps += figures.state.suspendedApps.map(\.name)
            for (kind, count) in pushes.others {
                reasons[kind.reason.isEmpty ? kind.verdict.rawValue : kind.reason, default: 0] +=
                    count
            }
            eventToOutcome.merge(pushes.eventToOutcome)
            eventToAccepted.merge(pushes.eventToAccepted)
            roundTrip.merge(pushes.roundTrip)
        }
    }

    /// Pushes with a verdict whose outcome Kafka has not stored.
    var reporting: Int { max(0, accepted + rejected + dropped + unknown - stored) }
    /// Pushes that wait for an earlier one of their device or partition, or for a retry.
    var blocked: Int { max(0, pushes - reporting - openRequests - queued) }
}
