public import APNs
internal import Delivery

/// What a record became, and what became of each of its notifications.
public struct SentRecord: Sendable {
    private let rendered: RenderedRecord
    private let credentials: [APNsCredential.Kind]
    /// The place of each push among the notifications.
    private let locations: [Int]
    /// The answer to each notification; nil for those that were dropped, or have none yet.
    private var answers: [SentAnswer?]

    /// Describes a record of whose pushes nothing is known yet; `credentials` contains the kind of
    /// each app's credential.
    public init(_ rendered: RenderedRecord, credentials: [APNsCredential.Kind]) {
        self.rendered = rendered
        self.credentials = credentials
        locations = rendered.notifications.indices.filter {
            if case .send = rendered.notifications[$0].verdict { true } else { false }
        }
        answers = rendered.notifications.map { _ in nil }
    }

    /// Notes the report of a push, and returns it for display: the request as ``RenderedRecord``
    /// shows it, and the answer.
    public mutating func add(_ report: PushReport, toPush push: Int, now: Int64) -> String {
        let notification = rendered.notifications[locations[push]]
        let answer = SentAnswer(report, credentials[notification.notification.app])
        answers[locations[push]] = answer
        return notification.text(now: now) + "\n\n" + answer.text + "\n\n"
    }

    /// Notes the reports of all pushes, in order, and returns for display what was not shown yet:
    /// the pushes without an answer until now, what was dropped, and the number of each verdict.
    public mutating func end(_ reports: [PushReport], now: Int64) -> String {
        var text = ""
        for (push, report) in reports.enumerated() where answers[locations[push]] == nil {
            let shown = add(report, toPush: push, now: now)
            if answers[locations[push]]?.wasInterrupted != true { text += shown }
        }
        var blocks = interruptedBlocks
        for (notification, answer) in zip(rendered.notifications, answers) where answer == nil {
            blocks.append(notification.text(now: now))
        }
        return text + (blocks + rendered.cutBlocks + [total]).joined(separator: "\n\n") + "\n"
    }

    /// The number of notifications that ended so.
    public func count(of verdict: SentAnswer.Verdict) -> Int {
        answers.count { $0?.verdict == verdict }
    }

    /// True when every notification was accepted, and there was one.
    public var isAccepted: Bool {
        !answers.isEmpty && count(of: .accepted) == answers.count
    }

    /// True when a push has no response because the run was interrupted.
    public var wasInterrupted: Bool { answers.contains { $0?.wasInterrupted == true } }

    /// The device tokens without a response after an interruption: those that may have been
    /// delivered, and those that were not sent.
    private var interruptedBlocks: [String] {
        [
            (SentAnswer.Verdict.unknown, "interrupted: no response, may have been delivered:"),
            (.notSent, "interrupted: not sent:"),
        ].compactMap { verdict, heading in
            let tokens = zip(rendered.notifications, answers).compactMap { notification, answer in
                answer?.wasInterrupted == true && answer?.verdict == verdict
                    ? String(decoding: notification.notification.deviceToken, as: UTF8.self) : nil
            }
            guard !tokens.isEmpty else { return nil }
            return ([heading] + tokens.map { "  " + $0 }).joined(separator: "\n")
        }
    }

    private var total: String {
        var counts: [(Int, String)] = SentAnswer.Verdict.allCases.map {
            (count(of: $0), $0 == .notSent ? "not sent" : $0.rawValue)
        }
        counts.append((answers.count { $0 == nil }, "dropped"))
        let message = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let noun = answers.count == 1 ? "notification" : "notifications"
        return "\(answers.count) \(noun): \(message.joined(separator: ", "))."
    }

    /// The record as one JSON object, without a newline: that of ``RenderedRecord``, in which each
    /// notification that was sent has its answer.
    public func json() -> [UInt8] { rendered.json { answers[$0] } }
}
