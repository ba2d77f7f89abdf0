internal import APNs
internal import Delivery
internal import Telemetry

/// A connector of which APNs has accepted hardly any push lately.
struct FailingConnector: Equatable, Sendable {
    /// How far back it looks; the alert looks back as far.
    static let window = Duration.seconds(300)
    /// The fewest pushes that tell something.
    static let leastPushes = 20
    /// It fails if fewer than this share are accepted, in percent.
    static let leastAccepted = 10

    let connector: String
    /// What became of most pushes.
    let commonest: StatusHistory.Reason

    private var words: String {
        let verdict = commonest.verdict == .unknown ? "in doubt" : commonest.verdict.rawValue
        return verdict + (commonest.reason.isEmpty ? "" : ": \(commonest.reason)")
    }

    /// What is wrong, and what to do.
    var problem: StatusProblem {
        let replay =
            commonest.leavesDeadLetter
            ? " When it is fixed, 'apns-bridge replay' sends the dead letters again." : ""
        return StatusProblem(
            kind: .nothingAccepted, connector: connector,
            message: "hardly any push is accepted; most are \(words)",
            remedy: commonest.meaning + replay)
    }
}

extension DropReason {
    /// True if the event and its producer are as they should be, and so is the drop.
    var isIntended: Bool { !leavesDeadLetter && self != .expired }
}

extension StatusHistory {
    /// The connectors of which hardly any push was accepted in the last minutes, without drops that
    /// are as intended.
    var failing: [FailingConnector] {
        let count = Int(FailingConnector.window / Self.interval)
        var accepted: [String: Int] = [:]
        var others: [String: [Reason: Int]] = [:]
        for step in steps.suffix(count).compactMap(\.self) {
            accepted.merge(step.acceptedBy, uniquingKeysWith: +)
            for (reason, count) in step.others where !reason.isIntended {
                others[reason.connector, default: [:]][reason, default: 0] += count
            }
        }
        return others.sorted { $0.key < $1.key }.compactMap { connector, reasons in
            let good = accepted[connector] ?? 0
            let all = reasons.values.reduce(good, +)
            guard all >= FailingConnector.leastPushes,
                good * 100 < all * FailingConnector.leastAccepted,
                let most = reasons.max(by: {
                    ($0.value, $1.key.reason) < ($1.value, $0.key.reason)
                })
            else { return nil }
            return FailingConnector(connector: connector, commonest: most.key)
        }
    }
}

extension StatusHistory.Reason {
    /// True if pushes with this verdict and reason leave dead letters.
    fileprivate var leavesDeadLetter: Bool {
        switch verdict {
        case .accepted, .unknown: false
        case .dropped: DropReason(rawValue: reason)?.leavesDeadLetter ?? true
        case .rejected: ReasonTable.rows(named: reason).first?.reaction != .unregistered
        }
    }

    fileprivate var isIntended: Bool {
        verdict == .dropped && DropReason(rawValue: reason)?.isIntended == true
    }
}
