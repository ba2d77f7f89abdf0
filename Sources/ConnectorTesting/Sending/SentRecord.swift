public import APNs
internal import Delivery
internal import Spelling

/// What a record became, and what became of each of its notifications.
public struct SentRecord: Sendable {
    private let rendered: RenderedRecord
    private let credentials: [APNsCredential.Kind]
    /// The place of each push among the notifications.
    private let locations: [Int]
    /// The response to each notification; nil for those that were dropped, or have none yet.
    private var responses: [SentResponse?]

    /// Describes a record of whose pushes nothing is known yet; `credentials` contains the kind of
    /// each app's credential.
    public init(_ rendered: RenderedRecord, credentials: [APNsCredential.Kind]) {
        self.rendered = rendered
        self.credentials = credentials
        locations = rendered.notifications.indices.filter {
            if case .send = rendered.notifications[$0].verdict { true } else { false }
        }
        responses = rendered.notifications.map { _ in nil }
    }

    /// Notes the report of a push, and returns it for display: the request as ``RenderedRecord``
    /// shows it, and the response.
    public mutating func add(_ report: PushReport, toPush push: Int, now: Int64) -> String {
        let notification = rendered.notifications[locations[push]]
        let response = SentResponse(report, credentials[notification.notification.app])
        responses[locations[push]] = response
        return notification.text(now: now) + "\n\n" + response.text + "\n\n"
    }

    /// Notes the reports of all pushes, in order, and returns for display what was not shown yet:
    /// the pushes without a response until now, what was dropped, and the number of each verdict.
    public mutating func end(_ reports: [PushReport], now: Int64) -> String {
        var text = ""
        for (push, report) in reports.enumerated() where responses[locations[push]] == nil {
            let shown = add(report, toPush: push, now: now)
            if responses[locations[push]]?.wasInterrupted != true { text += shown }
        }
        var blocks = interruptedBlocks
        for (notification, response) in zip(rendered.notifications, responses)
        where response == nil {
            blocks.append(notification.text(now: now))
        }
        return text + (blocks + rendered.cutBlocks + [total]).joined(separator: "\n\n") + "\n"
    }

    /// The number of notifications that ended so.
    public func count(of verdict: SentResponse.Verdict) -> Int {
        responses.count { $0?.verdict == verdict }
    }

    /// True when every notification was accepted, and there was one.
    public var isAccepted: Bool {
        !responses.isEmpty && count(of: .accepted) == responses.count
    }

    /// True when a push has no response because the run was interrupted.
    public var wasInterrupted: Bool { responses.contains { $0?.wasInterrupted == true } }

    /// The device tokens and channels without a response after an interruption: those that may have
    /// been delivered, and those that were not sent.
    private var interruptedBlocks: [String] {
        [
            (SentResponse.Verdict.unknown, "interrupted: no response, may have been delivered:"),
            (.notSent, "interrupted: not sent:"),
        ].compactMap { verdict, heading in
            let tokens = zip(rendered.notifications, responses).compactMap {
                notification, response in
                guard response?.wasInterrupted == true, response?.verdict == verdict else {
                    return nil as String?
                }
                let identifier = notification.notification.destination.identifier
                return String(decoding: identifier, as: UTF8.self)
            }
            guard !tokens.isEmpty else { return nil }
            return ([heading] + tokens.map { "  " + $0 }).joined(separator: "\n")
        }
    }

    private var total: String {
        var counts: [(Int, String)] = SentResponse.Verdict.allCases.map {
            (count(of: $0), $0 == .notSent ? "not sent" : $0.rawValue)
        }
        counts.append((responses.count { $0 == nil }, "dropped"))
        let message = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let sent = Plural.counted(responses.count, "notification")
        return "\(sent): \(message.joined(separator: ", "))."
    }

    /// The record as one JSON object, without a newline: that of ``RenderedRecord``, in which each
    /// notification that was sent has its response.
    public func json() -> [UInt8] { rendered.json { responses[$0] } }
}
