public import APNs
internal import Encoding
internal import JSON

/// What became of a notification that was sent, in the words of `send`.
public struct SentResponse: Sendable {
    /// How a notification ended.
    public enum Verdict: String, CaseIterable, Sendable {
        /// APNs accepted it.
        case accepted
        /// APNs rejected it.
        case rejected
        /// It was sent, and it is not known whether it was accepted.
        case unknown
        /// It was not sent.
        case notSent = "not_sent"
    }

    /// How it ended.
    public let verdict: Verdict
    private let report: PushReport
    private let credential: APNsCredential.Kind

    /// True if a run was interrupted before there was a response.
    var wasInterrupted: Bool {
        if case .interrupted = report.result { true } else { false }
    }

    /// Describes a report of a push with that kind of credential.
    public init(_ report: PushReport, _ credential: APNsCredential.Kind) {
        self.report = report
        self.credential = credential
        verdict =
            switch report.result {
            case .responded(let response) where response.isAccepted: .accepted
            case .responded(let response): response.row.isInDoubt ? .unknown : .rejected
            case .credentialRefused, .unacceptable: .rejected
            case .inDoubt: .unknown
            case .interrupted(let wasSent): wasSent ? .unknown : .notSent
            case .unsendable, .notSent: .notSent
            }
    }

    /// For display: the response, what it means, and what to do.
    public var text: String { ([heading + time] + remarks).joined(separator: "\n") }

    private var time: String { report.milliseconds.map { " after \($0) ms" } ?? "" }

    private var heading: String {
        switch report.result {
        case .responded(let response):
            "\(response.status) "
                + (response.isAccepted
                    ? "accepted" : response.reason.isEmpty ? "(no reason)" : response.reason)
        case .credentialRefused(let reason): "not sent: APNs rejected the credential: \(reason)"
        case .unsendable: "not sent: it cannot be sent with this credential"
        case .unacceptable: "rejected as malformed"
        case .inDoubt, .interrupted(wasSent: true): "no response: it may have been delivered"
        case .notSent, .interrupted(wasSent: false): "not sent"
        }
    }

    /// What the response means; nil for an accepted push.
    private var meaning: String? {
        switch report.result {
        case .responded(let response):
            response.isAccepted ? nil : response.row.meaning(for: credential)
        case .credentialRefused(let reason):
            ReasonTable.rows(named: reason).first?.meaning(for: credential)
        case .unsendable(.invalidField(let detail)): detail
        case .unsendable(.notInCertificate):
            "the certificate does not cover this bundle identifier and push type"
        case .unacceptable(let reason), .inDoubt(let reason), .notSent(let reason): reason
        case .interrupted: "interrupted"
        }
    }

    /// What a running bridge would do about it; nil for an accepted push.
    private var reaction: Reaction? {
        guard case .responded(let response) = report.result, !response.isAccepted else {
            return nil
        }
        return response.reaction
    }

    private var response: APNsResponse? {
        if case .responded(let response) = report.result { response } else { nil }
    }

    private var remarks: [String] {
        var lines: [String] = []
        if let id = uniqueID { lines.append("apns-unique-id: \(id)") }
        if let time = response?.timestamp {
            lines.append("unregistered since \(Timestamp.text(milliseconds: time))")
        }
        if let seconds = response?.retryAfter { lines.append("retry-after: \(seconds)") }
        if let meaning { lines.append(meaning) }
        if let reaction {
            let retries = [.retryNow, .retryOnce, .retryLater].contains(reaction)
            lines.append(
                "In a running bridge: \(reaction.message)."
                    + (retries ? " This command does not retry later." : ""))
        }
        return lines
    }

    private var uniqueID: String? {
        guard let id = response?.uniqueID, !id.isEmpty else { return nil }
        return String(decoding: id, as: UTF8.self)
    }

    /// Adds the members `response`, `detail`, `reaction` and `milliseconds`.
    func write(to writer: inout JSONWriter) {
        writer.name("response")
        if let response {
            writer.beginObject()
            writer.name("status")
            writer.integer(response.status)
            writer.name("reason")
            writer.string(response.reason.isEmpty ? nil : response.reason)
            writer.name("timestamp")
            writer.string(response.timestamp.map { Timestamp.text(milliseconds: $0) })
            writer.name("apns_unique_id")
            writer.string(uniqueID)
            writer.name("retry_after")
            writer.integer(response.retryAfter)
            writer.endObject()
        } else {
            writer.null()
        }
        writer.name("detail")
        writer.string(meaning)
        writer.name("reaction")
        writer.string(reaction?.name)
        writer.name("milliseconds")
        writer.integer(report.milliseconds)
    }
}
