internal import Delivery
internal import Engine
internal import EventLoop
internal import Telemetry

/// Decides what a running process logs from time to time about its workers: summaries, outages of
/// Kafka, apps whose sending stays suspended, and a group that assigns no partitions.
///
/// It reads what the workers publish, and does no I/O. Times are counted from the start of the
/// process.
struct RunningLog {
    /// A line to log.
    struct Line: Equatable {
        var level: LogLevel
        var message: String
        var metadata: Logger.Metadata
    }

    /// How long a group may take to assign partitions before the log says so.
    static let assignmentTimeout = Duration.seconds(5)
    /// How often the log repeats that a state lasts: an outage, or a wait for the group.
    static let interval = Duration.seconds(60)
    /// How often the log repeats that sending is suspended for an app.
    static let suspensionInterval = Duration.seconds(300)

    private typealias Row = BridgeStatus.Reading.Worker

    /// How often a summary is due; nil for never.
    private let summaryInterval: Duration?
    private var nextSummary: Duration
    private var lastSummary = Duration.zero
    /// The totals at the last summary.
    private var summarised = SeenTotals()
    /// What lasts, each with its beginning and when it is to be logged again.
    private var outages: [String: Lasting] = [:]
    private var suspensions: [String: Lasting] = [:]
    private var waits: [String: Lasting] = [:]
    private var connections = ConnectionNotices()
    private var notices = ProcessNotices()

    private struct Lasting {
        let since: Duration
        var next: Duration

        func seconds(_ now: Duration) -> MetadataValue {
            .integer((now - since).components.seconds)
        }
    }

    /// Creates a log whose clock begins at zero; without an interval it writes no summaries.
    init(summaryInterval: Duration?) {
        self.summaryInterval = summaryInterval
        nextSummary = summaryInterval ?? .zero
    }

    /// The lines that are due.
    mutating func look(_ reading: BridgeStatus.Reading, at now: Duration) -> [Line] {
        followOutages(reading.workers, now) + connections.look(reading.workers, at: now)
            + followWaits(reading.workers, now)
            + followSuspensions(reading.workers, now) + notices.look(reading, now)
            + summaries(reading, now)
    }

    // MARK: Summaries

    private mutating func summaries(
        _ reading: BridgeStatus.Reading, _ now: Duration
    ) -> [Line] {
        guard let summaryInterval, now >= nextSummary else { return [] }
        defer {
            nextSummary = now + summaryInterval
            lastSummary = now
        }
        let groups = Self.connectors(reading.workers)
        summarised.forgetRemoved(reading)
        return groups.compactMap { connector, rows in
            let changes = summarised.changes(of: connector, rows)
            let isPaused = rows.contains { $0.figures?.isPaused == true }
            guard isPaused || changes != RunTotals() else { return nil }
            var metadata = changes.metadata
            metadata["connector"] = .string(connector)
            if isPaused { metadata["paused"] = true }
            metadata["memory_percent"] = reading.memory.percent.map { .number($0) }
            metadata["seconds"] = .integer((now - lastSummary).components.seconds)
            for (name, value) in Self.load(rows.compactMap(\.figures)) { metadata[name] = value }
            return Line(level: .info, message: "summary", metadata: metadata)
        }
    }

    /// The totals of each connector since the start, with what is left uncommitted.
    func totals(_ reading: BridgeStatus.Reading) -> [Line] {
        Self.connectors(reading.workers).map { connector, rows in
            let totals = Self.totals(rows)
            var metadata = totals.metadata
            metadata["connector"] = .string(connector)
            metadata["left_uncommitted"] = .number(totals.left)
            return Line(level: .info, message: "total since the start", metadata: metadata)
        }
    }

    private static func totals(_ rows: [Row]) -> RunTotals {
        rows.reduce(into: RunTotals()) { $0.add($1.worker.board.totals) }
    }

    /// The current load of a connector's workers.
    private static func load(_ figures: [WorkerFigures]) -> Logger.Metadata {
        let requests = figures.reduce(0) { $0 + $1.openRequests }
        var metadata: Logger.Metadata = [
            "in_flight": .number(requests),
            "waiting": .number(max(0, figures.reduce(0) { $0 + $1.state.pushes } - requests)),
            "suspended_apps": .strings(Set(figures.flatMap(\.suspendedNames)).sorted()),
        ]
        if let lag = figures.map(\.lag).sumOfKnown { metadata["lag"] = .integer(lag) }
        if let age = figures.compactMap(\.state.oldestEventAge).max() {
            metadata["oldest_event_age_seconds"] = .integer(age / 1000)
        }
        return metadata
    }

    /// The workers of each connector, in their order.
    private static func connectors(_ rows: [Row]) -> [(name: String, rows: [Row])] {
        var groups: [(name: String, rows: [Row])] = []
        for row in rows {
            if let index = groups.firstIndex(where: { $0.name == row.worker.connector }) {
                groups[index].rows.append(row)
            } else {
                groups.append((row.worker.connector, [row]))
            }
        }
        return groups
    }

    // MARK: Kafka

    /// An outage is one line when it begins, one a minute while it lasts, and one when it ends,
    /// however many workers notice it.
    private mutating func followOutages(_ rows: [Row], _ now: Duration) -> [Line] {
        var lines: [Line] = []
        var clusters: [String] = []
        for row in rows where !clusters.contains(row.worker.kafka) {
            clusters.append(row.worker.kafka)
        }
        for cluster in clusters {
            let figures = rows.filter { $0.worker.kafka == cluster }.compactMap(\.figures)
            // A worker that is being restarted says nothing about Kafka.
            guard !figures.isEmpty else { continue }
            lines += followOutage(of: cluster, figures.compactMap(\.outage).first, now)
        }
        return lines
    }

    private mutating func followOutage(
        of cluster: String, _ outage: KafkaOutage?, _ now: Duration
    ) -> [Line] {
        var metadata: Logger.Metadata = ["kafka": .string(cluster)]
        guard let outage else {
            guard let ended = outages.removeValue(forKey: cluster) else { return [] }
            metadata["seconds"] = ended.seconds(now)
            return [Line(level: .info, message: "Kafka reachable again", metadata: metadata)]
        }
        metadata["brokers"] = .number(outage.brokers)
        if !outage.detail.isEmpty { metadata["detail"] = .string(outage.detail) }
        guard let known = outages[cluster] else {
            outages[cluster] = Lasting(since: now, next: now + Self.interval)
            metadata["action"] =
                "check that Kafka is running and reachable; nothing is lost, and reading resumes"
            let brokers = "; 0 of \(outage.brokers) brokers"
            let message = "Kafka unreachable" + brokers
            return [Line(level: .error, message: message, metadata: metadata)]
        }
        guard now >= known.next else { return [] }
        outages[cluster]?.next = now + Self.interval
        metadata["seconds"] = known.seconds(now)
        return [Line(level: .error, message: "Kafka still unreachable", metadata: metadata)]
    }

    private mutating func followWaits(_ rows: [Row], _ now: Duration) -> [Line] {
        rows.compactMap { row in
            let name = "\(row.worker.connector)/\(row.worker.number)"
            // An outage has lines of its own.
            guard let figures = row.figures, figures.awaitsAssignment, !figures.isDraining,
                figures.outage == nil
            else {
                waits[name] = nil
                return nil
            }
            let wait = waits[name] ?? Lasting(since: now, next: now + Self.assignmentTimeout)
            waits[name] = wait
            guard now >= wait.next else { return nil }
            waits[name]?.next = now + Self.interval
            var metadata: Logger.Metadata = [
                "connector": .string(row.worker.connector),
                "worker": .number(row.worker.number), "seconds": wait.seconds(now),
            ]
            guard now - wait.since >= BridgeStatus.maxAssignment,
                row.worker.reportsEmptyAssignments
            else {
                let message = "waiting for the group to assign partitions"
                return Line(level: .info, message: message, metadata: metadata)
            }
            metadata["action"] = .string(Row.unassignedAction)
            return Line(
                level: .error, message: "the group has assigned no partitions",
                metadata: metadata)
        }
    }

    // MARK: Apps

    private mutating func followSuspensions(_ rows: [Row], _ now: Duration) -> [Line] {
        var lines: [Line] = []
        var lasting: [String: Lasting] = [:]
        for (connector, rows) in Self.connectors(rows) {
            let apps = rows.compactMap(\.figures).flatMap(\.state.suspendedApps)
            for app in Set(apps.map(\.queueName)).sorted() {
                let key = "\(connector)/\(app)"
                var known =
                    suspensions[key]
                    ?? Lasting(since: now, next: now + Self.suspensionInterval)
                if now >= known.next {
                    known.next = now + Self.suspensionInterval
                    let count = apps.reduce(0) { $0 + ($1.queueName == app ? $1.pushes : 0) }
                    lines.append(
                        Line(
                            level: .error, message: "sending is still suspended",
                            metadata: [
                                "connector": .string(connector), "app": .string(app),
                                "waiting": .number(count), "seconds": known.seconds(now),
                                "action": "the line that reported it says what to fix",
                            ]))
                }
                lasting[key] = known
            }
        }
        suspensions = lasting
        return lines
    }
}

extension WorkerFigures {
    fileprivate var suspendedNames: [String] { state.suspendedApps.map(\.queueName) }
}
