internal import Delivery
internal import Engine

/// When a worker last met faults that only counters show: each remains a problem for a while.
struct RecentFaults: Equatable, Sendable {
    /// A fault, and how long it counts as recent.
    enum Fault: CaseIterable, Sendable {
        case rightRefused, topicMissing, resultRefused, recordsGone, positionReset, unreadableEvent
        case crashedStart

        /// How long after the last one it is a problem; the alert looks back as far.
        var memory: Duration {
            switch self {
            case .resultRefused: .seconds(300)
            case .rightRefused, .topicMissing, .recordsGone, .positionReset, .unreadableEvent,
                .crashedStart:
                .seconds(900)
            }
        }

        fileprivate func count(in figures: WorkerFigures) -> Int {
            switch self {
            case .rightRefused: figures.rightsRefused
            case .topicMissing: figures.topicsMissing
            case .resultRefused: figures.counters.resultsRefused
            case .recordsGone: figures.counters.recordsGone
            case .positionReset: figures.counters.positionResets
            case .unreadableEvent: figures.pushes.unreadableEvents
            case .crashedStart: figures.counters.crashedStarts
            }
        }
    }

    private var last: [Fault: Instant] = [:]

    /// Compares figures with the ones before of the same run; nil for the first of a run.
    mutating func look(from earlier: WorkerFigures?, to figures: WorkerFigures) {
        for fault in Fault.allCases {
            let known = earlier.map { fault.count(in: $0) } ?? 0
            if fault.count(in: figures) > known { last[fault] = figures.time }
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

extension PushFigures {
    fileprivate var unreadableEvents: Int {
        others.reduce(0) { sum, entry in
            let (kind, count) = entry
            let isUnreadable =
                kind.verdict == .dropped && kind.reason == DropReason.unparsable.rawValue
            return isUnreadable ? sum + Int(count) : sum
        }
    }
}

extension BridgeStatus.Reading.Worker {
    /// What its recent faults are as problems.
    var faultProblems: [StatusProblem] {
        RecentFaults.Fault.allCases.filter(recentFaults.contains).map { fault in
            StatusProblem(
                kind: fault.kind, connector: worker.connector, workers: [worker.number],
                message: fault.message, remedy: fault.remedy)
        }
    }
}

extension RecentFaults.Fault {
    fileprivate var kind: StatusProblem.Kind {
        switch self {
        case .rightRefused: .rightRefused
        case .topicMissing: .topicMissing
        case .resultRefused: .resultRefused
        case .recordsGone: .recordsGone
        case .positionReset: .positionReset
        case .unreadableEvent: .unreadableEvents
        case .crashedStart: .crashedStarts
        }
    }

    /// What is wrong, in the words of the log.
    var message: String {
        switch self {
        case .rightRefused: "Kafka denied a permission or the login"
        case .topicMissing: "Kafka reported that a topic to read does not exist"
        case .resultRefused:
            "Kafka refused a result record; its offset is not committed until it is stored"
        case .recordsGone: "Kafka removed records before they were read"
        case .positionReset:
            "partition was recreated or truncated"
        case .unreadableEvent: "events could not be read"
        case .crashedStart: "the last three starts of a partition made no progress"
        }
    }

    fileprivate var remedy: String {
        switch self {
        case .rightRefused:
            "The log names the permission, or what to check in the login: 'apns-bridge doctor'"
                + " tries both. What is granted works without a restart, and nothing is lost."
        case .topicMissing:
            "'apns-bridge doctor' names the topic. Create it again, or correct source.topics:"
                + " reading resumes by itself within minutes."
        case .resultRefused:
            "The log names the topic and the error: grant WRITE on the topic, or free space on the"
                + " brokers. Refused records are offered again every second."
        case .recordsGone:
            "Raise retention.ms of the source topic, then find out why the bridge was behind. The"
                + " log names the partitions and the offsets that are gone."
        case .positionReset:
            "Find out who deleted the topic, or which broker lost data: what was not read is gone."
                + " The log names the partitions."
        case .unreadableEvent:
            "Find out which producer wrote them: each dead letter names its record and what is"
                + " wrong. Let it publish them again; a replay would only repeat the mistake."
        case .crashedStart:
            "Find out why the process ended: the end of its log before a start, or a lack of"
                + " memory. The first record of the partition is taken alone; if it crashes the"
                + " process, it is ended with an outcome after two more ends. The log names the"
                + " partition."
        }
    }
}
