/// The limit that binds: what has no room left while a backlog is delivered.
enum BenchLimit: String, CaseIterable, Sendable {
    /// As many pushes are sent per second as the connector allows.
    case rate
    /// All processors of the machine are busy.
    case processors
    /// The thread of the built-in simulator is busy.
    case simulator
    /// The thread of a worker is busy.
    case worker
    /// A thread of librdkafka is busy.
    case library = "librdkafka"
    /// As many requests are open as the connections allow.
    case streams
    /// As many records are in flight as allowed, and most wait for APNs.
    case window = "max_in_flight"
    /// The queue of pushes is full, because no connection has room for them.
    case flowControl = "flow_control"
    /// Most of the records that may be in flight wait for earlier pushes.
    case ordering
    /// As many records are in flight as allowed, and most wait for Kafka to store their outcomes.
    case outcomes
    /// Nothing is full: events arrive slower than they could be sent.
    case fetching

    /// From this share on, something has no room left.
    private static let full = 0.9

    /// Finds it. What the connector asks for comes first, then what all share, threads, and queues.
    init(_ load: BenchLoad) {
        if let allowed = load.allowedRate, load.rate >= Self.full * allowed {
            self = .rate
        } else if load.idle < 1 - Self.full {
            self = .processors
        } else if load.simulator >= Self.full, load.simulator > load.worker {
            self = .simulator
        } else if load.worker >= Self.full {
            self = .worker
        } else if load.library >= Self.full {
            self = .library
        } else if load.openRequests >= Self.full * Double(load.maxOpenRequests) {
            self = .streams
        } else if load.recordsInFlight >= Self.full * Double(load.maxInFlight) {
            self = Self.maxInWindow(load)
        } else if load.queued >= Self.full * Double(load.maxQueued) {
            self = .flowControl
        } else if load.keepsOrder, load.blocked >= Double(load.maxInFlight) / 2 {
            // At the end of a backlog the window is not full, and the mean says so.
            self = .ordering
        } else {
            self = .fetching
        }
    }

    /// What most pushes of a full window wait for.
    private static func maxInWindow(_ load: BenchLoad) -> BenchLimit {
        let blocked = load.keepsOrder ? load.blocked : 0
        return switch max(load.openRequests, load.reporting, load.queued, blocked) {
        case load.reporting: .outcomes
        case load.openRequests: .window
        case load.queued: .flowControl
        default: .ordering
        }
    }

    /// What was found.
    func message(_ load: BenchLoad) -> String {
        switch self {
        case .rate:
            "delivery.rate: it allows \(Decimals.text(load.allowedRate ?? 0, 0)) pushes per second"
        case .processors:
            "the processors: \(percent(1 - load.idle)) of all \(load.processors) are busy, with"
                + " everything else on this machine"
        case .simulator: "the simulator: its thread is busy \(percent(load.simulator)) of the time"
        case .worker: "the worker: its thread is busy \(percent(load.worker)) of the time"
        case .library:
            "librdkafka: its busiest thread is busy \(percent(load.library)) of the time"
        case .streams:
            "the streams of the connections: \(Decimals.text(load.openRequests, 0)) of"
                + " \(load.maxOpenRequests) are open on average"
        case .window:
            "delivery.max_in_flight: \(inFlight(load)), and most of them wait for APNs"
        case .flowControl:
            "the connections' flow control"
                + (load.isAdaptive ? ", or delivery.rate.adaptive" : "")
                + ": \(Decimals.text(load.queued, 0)) of \(load.maxQueued) pushes wait for room"
                + " on average"
        case .ordering:
            "delivery.ordering: \(inFlight(load)), and most of them wait for an earlier push"
        case .outcomes:
            "storing outcomes: \(inFlight(load)), and most of them wait for Kafka to store their"
                + " outcomes"
        case .fetching:
            "fetching: threads, connections and window have room, events arrive slower than they"
                + " could be sent"
        }
    }

    /// What would lift it.
    func lift(_ load: BenchLoad) -> String {
        switch self {
        case .rate: "raise delivery.rate"
        case .processors:
            load.usesEmbeddedKafka
                ? "use more processors, or a Kafka (--bootstrap) and a simulator (--endpoint) on"
                    + " other machines"
                : "use more processors, or a simulator (--endpoint) on another machine"
        case .simulator: "send to a simulator on another machine: --endpoint"
        case .worker:
            load.workers < load.partitions
                ? "set workers to \(load.workers + 1): each has a thread and partitions of its own"
                : "add partitions, and then workers: a partition has one worker"
        case .library:
            (load.workers < load.partitions
                ? "set workers to \(load.workers + 1)" : "add partitions, and then workers")
                + ", or a cheaper compression for events and outcomes"
        case .streams:
            load.limitsStreams
                ? "raise apns.max_streams, or apns.connections" : "raise apns.connections"
        case .window: "raise delivery.max_in_flight"
        case .flowControl: "raise apns.connections: each has a window of its own"
        case .ordering:
            "add partitions, or let fewer pushes wait for each other: see delivery.ordering"
        case .outcomes:
            load.usesEmbeddedKafka
                ? "use a Kafka of your own: --bootstrap"
                : "give results.outcomes more partitions, or see linger.ms in the article"
                    + " Performance"
        case .fetching:
            load.usesEmbeddedKafka
                ? "use a Kafka of your own: --bootstrap"
                : "raise max.partition.fetch.bytes and queued.max.messages.kbytes under 'kafka', or"
                    + " publish larger batches"
        }
    }

    private func inFlight(_ load: BenchLoad) -> String {
        "\(Decimals.text(load.recordsInFlight, 0)) of \(load.maxInFlight) records are in flight"
            + " on average"
    }

    private func percent(_ share: Double) -> String { Decimals.text(share * 100, 0) + " %" }
}
