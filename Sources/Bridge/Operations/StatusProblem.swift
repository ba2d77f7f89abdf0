internal import Delivery
internal import JSON

/// Something that does not work as it should, and what to do about it.
struct StatusProblem: Equatable, Sendable {
    /// The kinds of problems; the values are part of `/status`.
    enum Kind: String, CaseIterable, Sendable {
        case failed, starting, waiting, paused
        case notRunning = "not_running"
        case notResponding = "not_responding"
        case kafkaUnreachable = "kafka_unreachable"
        case loginToken = "login_token"
        case notAssigned = "not_assigned"
        case notConnected = "not_connected"
        case rightRefused = "right_refused"
        case resultRefused = "result_refused"
        case topicMissing = "topic_missing"
        case recordsGone = "records_gone"
        case positionReset = "position_reset"
        case nothingAccepted = "nothing_accepted"
        case unreadableEvents = "unreadable_events"
        case crashedStarts = "crashed_starts"
        case pushesDropped = "pushes_dropped"
        case inDoubt = "in_doubt"
        case responsesSlow = "responses_slow"
        case eventsLate = "events_late"
        case suspended
        case guarded = "guard"
        case clock
        case schema
        case certificateExpires = "certificate_expires"
        case certificateExpired = "certificate_expired"
        case memoryLimit = "memory_limit"
        case reloadRefused = "reload_refused"

        /// True when events wait as long as it lasts.
        var delaysEvents: Bool {
            switch self {
            case .paused, .waiting, .failed, .notRunning, .notResponding, .kafkaUnreachable,
                .notAssigned, .notConnected, .rightRefused, .topicMissing, .resultRefused,
                .suspended, .guarded, .clock, .schema:
                true
            default: false
            }
        }

        /// True when a person has to act now, or pushes are delayed meanwhile. Its alert pages
        /// somebody and its log line is an error; other problems are warnings everywhere.
        var isError: Bool {
            switch self {
            case .failed, .notRunning, .notResponding, .kafkaUnreachable, .loginToken,
                .notAssigned, .notConnected, .rightRefused, .topicMissing, .resultRefused,
                .recordsGone, .positionReset, .nothingAccepted, .suspended, .guarded, .clock,
                .schema, .certificateExpired:
                true
            case .starting, .waiting, .paused, .unreadableEvents, .crashedStarts, .pushesDropped,
                .inDoubt, .responsesSlow, .eventsLate, .certificateExpires, .memoryLimit,
                .reloadRefused:
                false
            }
        }
    }

    var kind: Kind
    /// The connector; nil when it concerns the process.
    var connector: String?
    /// The app that is affected; nil when all are.
    var app: String?
    /// The workers that are affected; none when it concerns the whole connector.
    var workers: [Int] = []
    /// How long it has lasted, in seconds; nil when that is not known.
    var seconds: Int64?
    /// What is wrong.
    var message: String
    /// What to do.
    var remedy: String

    /// Whether it is an error or a warning.
    var isError: Bool { kind.isError }

    /// What to do, as it stands in a log line, made a sentence.
    static func sentence(_ action: String) -> String {
        action.prefix(1).uppercased() + action.dropFirst() + "."
    }

    /// True if another problem needs no mention beside this one, because it follows from it.
    func explains(_ other: StatusProblem) -> Bool {
        guard connector == other.connector else { return false }
        switch other.kind {
        case .eventsLate: return kind.delaysEvents
        case .unreadableEvents:
            return (kind == .nothingAccepted || kind == .pushesDropped)
                && message.hasSuffix(DropReason.unparsable.rawValue)
        default: return false
        }
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("kind")
        writer.string(kind.rawValue)
        writer.name("severity")
        writer.string(isError ? "error" : "warning")
        writer.name("connector")
        writer.string(connector)
        writer.name("app")
        writer.string(app)
        writer.array("workers", workers) { $1.integer($0) }
        writer.name("seconds")
        writer.integer(seconds)
        writer.name("message")
        writer.string(message)
        writer.name("remedy")
        writer.string(remedy)
        writer.endObject()
    }
}

extension BridgeStatus.Reading {
    /// What does not work as it should, each problem once for all workers of a connector; errors
    /// come first.
    var problems: [StatusProblem] {
        var found: [StatusProblem] = []
        for problem in separateProblems {
            let known = found.firstIndex {
                $0.kind == problem.kind && $0.connector == problem.connector
                    && $0.app == problem.app
            }
            guard let known else {
                found.append(problem)
                continue
            }
            found[known].workers += problem.workers
            if let seconds = problem.seconds {
                found[known].seconds = max(seconds, found[known].seconds ?? seconds)
            }
        }
        return found.filter(\.isError) + found.filter { !$0.isError }
    }

    /// The same for each worker, as text.
    var degradations: [String] {
        separateProblems.map { problem in
            let subject = [problem.connector ?? "process"] + problem.workers.map(String.init)
            return "\(subject.joined(separator: "/")): \(problem.message)"
        }
    }

    /// The problems of the process, of each connector and of each worker, without those that follow
    /// from others.
    private var separateProblems: [StatusProblem] {
        let found =
            processProblems + connectors.flatMap { $0.problems(workers, at: wallClock) }
            + deliveries.flatMap(\.problems)
            + workers.flatMap { $0.problems(at: wallClock) }
        return found.filter { problem in !found.contains { $0.explains(problem) } }
    }
}
