internal import APNs
internal import Delivery
internal import Telemetry

/// What became of a connector's pushes in the last minutes, without drops that are as intended.
struct RecentDeliveries: Equatable, Sendable {
    /// How far back it looks; the alert for pushes that are not accepted looks back as far.
    static let window = Duration.seconds(300)
    /// The fewest pushes, or responses, that are significant.
    static let leastPushes = 20
    /// Hardly any push is accepted if fewer than this share are, in percent.
    static let leastAccepted = 10
    /// Too many pushes are in doubt if more than this share are, in percent.
    static let maxInDoubt = 5
    /// Too many pushes are dropped for a fault if more than this share are, in percent.
    static let maxDropped = 5
    /// A response that takes longer is slow, in milliseconds.
    static let slowResponse: UInt64 = 2500

    let connector: String
    /// The pushes that APNs accepted.
    var accepted = 0
    /// Other pushes.
    var others: [StatusHistory.Reason: Int] = [:]
    /// Responses of APNs, and how many of them were slow.
    var responses = 0
    var slowResponses = 0

    /// Something that is wrong with them.
    enum Finding: Equatable, Sendable {
        /// APNs accepts almost no push; with what becomes of most.
        case nothingAccepted(StatusHistory.Reason)
        /// So many percent of the pushes were dropped for a fault; with the most frequent reason.
        case dropped(Int, StatusHistory.Reason)
        /// So many percent of the pushes may or may not have arrived.
        case inDoubt(Int)
        /// APNs takes long to respond to so many percent of the requests.
        case responsesSlow(Int)
    }

    /// What is wrong with them.
    var findings: [Finding] { [notDelivered, slow].compactMap(\.self) }

    private var notDelivered: Finding? {
        let pushes = others.values.reduce(accepted, +)
        guard pushes >= Self.leastPushes else { return nil }
        if accepted * 100 < pushes * Self.leastAccepted, let commonest = Self.commonest(of: others)
        {
            return .nothingAccepted(commonest)
        }
        let faults = others.filter(\.key.isFaultyDrop)
        let dropped = faults.values.reduce(0, +)
        if dropped * 100 > pushes * Self.maxDropped, let commonest = Self.commonest(of: faults) {
            return .dropped(dropped * 100 / pushes, commonest)
        }
        let inDoubt = others.filter { $0.key.verdict == .unknown }.values.reduce(0, +)
        return inDoubt * 100 > pushes * Self.maxInDoubt ? .inDoubt(inDoubt * 100 / pushes) : nil
    }

    private static func commonest(
        of reasons: [StatusHistory.Reason: Int]
    ) -> StatusHistory.Reason? {
        reasons.max { ($0.value, $1.key.reason) < ($1.value, $0.key.reason) }?.key
    }

    /// The median is slow if more than half of the responses are.
    private var slow: Finding? {
        guard responses >= Self.leastPushes, slowResponses * 2 > responses else { return nil }
        return .responsesSlow(slowResponses * 100 / responses)
    }

    /// What is wrong, and what to do.
    var problems: [StatusProblem] {
        findings.map {
            StatusProblem(
                kind: $0.kind, connector: connector, message: $0.message, remedy: $0.remedy)
        }
    }
}

extension RecentDeliveries.Finding {
    var kind: StatusProblem.Kind {
        switch self {
        case .nothingAccepted: .nothingAccepted
        case .dropped: .pushesDropped
        case .inDoubt: .inDoubt
        case .responsesSlow: .responsesSlow
        }
    }

    fileprivate var message: String {
        switch self {
        case .nothingAccepted(let commonest):
            let verdict = commonest.verdict == .unknown ? "in doubt" : commonest.verdict.rawValue
            let reason = commonest.reason.isEmpty ? "" : ": \(commonest.reason)"
            return "almost no pushes accepted; most are \(verdict)\(reason)"
        case .dropped(_, let commonest):
            return "pushes are dropped that should be sent; most are \(commonest.reason)"
        case .inDoubt: return "many pushes are in doubt: they may or may not have arrived"
        case .responsesSlow: return "APNs is slow: most of its responses take longer than 2.5 s"
        }
    }

    var remedy: String {
        switch self {
        case .nothingAccepted(let commonest), .dropped(_, let commonest):
            let replay =
                commonest.canBeReplayed
                ? " When it is fixed, 'apns-bridge replay' sends the dead letters again." : ""
            return commonest.meaning + replay
        case .inDoubt:
            return "Find out what cuts connections to APNs or delays its responses: a proxy, a NAT,"
                + " a firewall. With in_doubt: resend such pushes are sent again."
        case .responsesSlow:
            return "Compare with other networks and hosts of Apple. More connections help while"
                + " connection_limit is not null. Nothing is lost."
        }
    }
}

extension DropReason {
    /// True if the event and its producer are as they should be, and so is the drop.
    var isIntended: Bool { !leavesDeadLetter && self != .expired }
}

extension StatusHistory {
    /// What became of the pushes of each connector in the last minutes.
    var recentDeliveries: [RecentDeliveries] {
        var found: [String: RecentDeliveries] = [:]
        for step in steps.suffix(Int(RecentDeliveries.window / Self.interval)).compactMap(\.self) {
            for (connector, changes) in step.changes {
                var sum = found[connector] ?? RecentDeliveries(connector: connector)
                sum.accepted += changes.accepted
                sum.responses += changes.responses
                sum.slowResponses += changes.slowResponses
                found[connector] = sum
            }
            for (reason, count) in step.others where !reason.isIntended {
                found[reason.connector]?.others[reason, default: 0] += count
            }
        }
        return found.values.sorted { $0.connector < $1.connector }
    }
}

extension StatusHistory.Reason {
    /// True if pushes with this verdict and reason leave dead letters that may be sent again. An
    /// event that cannot be read stays as it is.
    fileprivate var canBeReplayed: Bool {
        switch verdict {
        case .accepted, .unknown: false
        case .dropped where reason == DropReason.unparsable.rawValue: false
        case .dropped: DropReason(rawValue: reason)?.leavesDeadLetter ?? true
        case .rejected: ReasonTable.rows(named: reason).first?.reaction != .unregistered
        }
    }

    /// True for a drop that somebody should correct the cause of.
    fileprivate var isFaultyDrop: Bool {
        verdict == .dropped && !isIntended && reason != DropReason.expired.rawValue
    }

    fileprivate var isIntended: Bool {
        verdict == .dropped && DropReason(rawValue: reason)?.isIntended == true
    }
}
