public import APNs
internal import Delivery

/// What a record became, and what became of each of its notifications.
public struct SentRecord: Sendable {
    private let rendered: RenderedRecord
    /// The answer to each notification; nil for those that were dropped.
    private let answers: [SentAnswer?]

    /// Describes a record whose pushes had these reports, in order; `credentials` contains the kind
    /// of each app's credential.
    public init(
        _ rendered: RenderedRecord, _ reports: [PushReport], credentials: [APNsCredential.Kind]
    ) {
        self.rendered = rendered
        var rest = reports[...]
        answers = rendered.notifications.map { notification in
            guard case .send = notification.verdict, let report = rest.popFirst() else {
                return nil
            }
            return SentAnswer(report, credentials[notification.notification.app])
        }
    }

    /// The number of notifications that ended so.
    public func count(of verdict: SentAnswer.Verdict) -> Int {
        answers.count { $0?.verdict == verdict }
    }

    /// True when every notification was accepted, and there was one.
    public var isAccepted: Bool {
        !answers.isEmpty && count(of: .accepted) == answers.count
    }

    /// The record for display: each request as ``RenderedRecord`` shows it, with its answer.
    public func text(now: Int64) -> String {
        var blocks: [String] = []
        for (notification, answer) in zip(rendered.notifications, answers) {
            blocks.append(notification.text(now: now))
            if let answer { blocks.append(answer.text) }
        }
        return (blocks + rendered.cutBlocks + [total]).joined(separator: "\n\n") + "\n"
    }

    private var total: String {
        var counts: [(Int, String)] = SentAnswer.Verdict.allCases.map {
            (count(of: $0), $0 == .notSent ? "not sent" : $0.rawValue)
        }
        counts.append((answers.count { $0 == nil }, "dropped"))
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let noun = answers.count == 1 ? "notification" : "notifications"
        return "\(answers.count) \(noun): \(words.joined(separator: ", "))."
    }

    /// The record as one JSON object, without a newline: that of ``RenderedRecord``, in which each
    /// notification that was sent has its answer.
    public func json() -> [UInt8] { rendered.json { answers[$0] } }
}
