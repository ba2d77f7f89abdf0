internal import Delivery
internal import Engine

/// When a worker last met faults of which only counters tell: each remains a problem for a while.
struct RecentFaults: Equatable, Sendable {
    /// A fault, and how long it counts as recent.
    enum Fault: CaseIterable, Sendable {
        case resultRefused, recordsGone, positionReset

        /// How long after the last one it is a problem; the alert looks back as far.
        var memory: Duration {
            switch self {
            case .resultRefused: .seconds(300)
            case .recordsGone, .positionReset: .seconds(900)
            }
        }

        fileprivate func count(in counters: EngineCounters) -> Int {
            switch self {
            case .resultRefused: counters.resultsRefused
            case .recordsGone: counters.recordsGone
            case .positionReset: counters.positionResets
            }
        }
    }

    private var last: [Fault: Instant] = [:]

    /// Compares counters with earlier ones of the same worker.
    mutating func look(
        from earlier: EngineCounters, to counters: EngineCounters, at time: Instant
    ) {
        for fault in Fault.allCases where fault.count(in: counters) > fault.count(in: earlier) {
            last[fault] = time
        }
    }

    /// Adds those of another worker.
    mutating func add(_ other: RecentFaults) { last.merge(other.last) { max($0, $1) } }

    /// The faults that are recent at `now`.
    ///
    /// Records that are gone explain why the position was reset.
    func recent(at now: Instant) -> Set<Fault> {
        var found = Set(last.filter { now - $0.value < $0.key.memory }.keys)
        if found.contains(.recordsGone) { found.remove(.positionReset) }
        return found
    }
}

extension BridgeStatus.Reading.Worker {
    /// What its recent faults are as problems.
    var faultProblems: [StatusProblem] {
        RecentFaults.Fault.allCases.filter(recentFaults.contains).map { fault in
            StatusProblem(
                kind: fault.kind, connector: worker.connector, workers: [worker.number],
                message: fault.words, remedy: fault.remedy)
        }
    }
}

extension RecentFaults.Fault {
    fileprivate var kind: StatusProblem.Kind {
        switch self {
        case .resultRefused: .resultRefused
        case .recordsGone: .recordsGone
        case .positionReset: .positionReset
        }
    }

    /// What is wrong, in the words of the log.
    var words: String {
        switch self {
        case .resultRefused:
            "Kafka refused a result record; its offset is not committed until it is stored"
        case .recordsGone: "Kafka removed records before they were read"
        case .positionReset:
            "partition was recreated or truncated; reading it from its beginning"
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .resultRefused:
            "The log names the topic and the error: grant WRITE on the topic, or free space on the"
                + " brokers. Refused records are offered again every second."
        case .recordsGone:
            "Raise retention.ms of the source topic, then find out why the bridge was behind. The"
                + " log names the partitions and the offsets that are gone."
        case .positionReset:
            "Find out who deleted the topic, or which broker lost data: what was not read is gone."
                + " The log names the partitions."
        }
    }
}
