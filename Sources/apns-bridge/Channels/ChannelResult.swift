internal import APNs
internal import Configuration
internal import Delivery
internal import JSON
internal import Spelling

/// What became of a request about channels, in the words of `channels`.
struct ChannelResult {
    /// How a request ended.
    enum Verdict: String, CaseIterable {
        /// The channel was created.
        case created
        /// The settings of the channel were read.
        case read
        /// The channels were listed.
        case listed
        /// The channel was deleted.
        case deleted
        /// There was no such channel to delete.
        case gone
        /// APNs rejected the request: nothing has changed.
        case rejected
        /// It is not known whether APNs has carried it out.
        case unknown
        /// It was not sent.
        case notSent = "not_sent"

        init(_ report: ChannelReport) {
            switch report.result {
            case .created: self = .created
            case .read: self = .read
            case .listed: self = .listed
            case .deleted: self = .deleted
            case .gone: self = .gone
            case .failed where report.isInDoubt: self = .unknown
            case .failed(.responded), .failed(.credentialRefused), .failed(.unacceptable):
                self = .rejected
            case .failed: self = .notSent
            }
        }
    }

    let verdict: Verdict
    let report: ChannelReport
    let request: ChannelRequest
    let app: AppSettings
    private let list: String

    init(
        _ report: ChannelReport, of request: ChannelRequest, _ app: AppSettings, list: String
    ) {
        verdict = Verdict(report)
        self.report = report
        self.request = request
        self.app = app
        self.list = list
    }

    /// The app and its environment.
    private var owner: String { "\(app.bundleID) in \(app.environment.rawValue)" }

    /// What was asked for; nil where there is nothing but a message.
    var output: String? {
        switch report.result {
        case .created(let channelID): "\(channelID)\n"
        case .read(let storage, let pushType):
            "storage: \(storage?.rawValue ?? "unknown")\npush type: \(pushType)\n"
        case .listed(let channelIDs):
            channelIDs.isEmpty ? nil : channelIDs.joined(separator: "\n") + "\n"
        case .deleted, .gone, .failed: nil
        }
    }

    /// What is said about it, on standard error; nil where the output says it all.
    var message: String? {
        switch report.result {
        case .created: "created a channel of \(owner)\(time)"
        case .read: nil
        case .listed(let channelIDs):
            "\(Plural.counted(channelIDs.count, "channel")) of \(owner)"
        case .deleted: "deleted a channel of \(owner)\(time)"
        case .gone: "\(owner) has no such channel: nothing to delete"
        case .failed(let result):
            ([heading(result)] + lines(result).map { "  \($0)" }).joined(separator: "\n")
        }
    }

    private var time: String { report.milliseconds.map { " after \($0) ms" } ?? "" }

    private func heading(_ result: PushReport.Result) -> String {
        switch result {
        case .responded(let response):
            let reason = response.reason.isEmpty ? "(no reason)" : response.reason
            if response.status < 300 {
                return "error: \(response.status)\(time), but not as APNs responds: \(doubt)"
            }
            let open = verdict == .unknown ? ": \(doubt)" : ""
            return "error: \(response.status) \(reason)\(time)\(open)"
        case .credentialRefused(let reason):
            return "error: not sent: APNs rejected the credential: \(reason)"
        case .unacceptable: return "error: rejected as malformed\(time)"
        case .inDoubt, .interrupted(wasSent: true): return "error: no response\(time): \(doubt)"
        case .unsendable, .notSent, .interrupted(wasSent: false): return "error: not sent"
        }
    }

    /// What may have happened without a response.
    private var doubt: String {
        switch request.action {
        case .create: "a channel may exist"
        case .delete: "the channel may be deleted"
        case .read, .list: "nothing was changed"
        }
    }

    private func lines(_ result: PushReport.Result) -> [String] {
        var lines = detail.map { [$0] } ?? []
        if case .responded(let response) = result {
            if let seconds = response.retryAfter { lines.append("retry-after: \(seconds)") }
        }
        lines += advice
        if verdict != .notSent { lines.append("apns-request-id: \(request.id)") }
        return lines
    }

    /// What to do when it is not known what has happened.
    private var advice: [String] {
        guard verdict == .unknown else { return [] }
        switch request.action {
        case .create:
            return [
                "before you create another one, list the channels: \(list)",
                "an ID there that you have not stored is that of this channel: store or delete it",
            ]
        case .delete: return ["run the command again: it succeeds if the channel is gone"]
        case .read, .list: return ["run the command again"]
        }
    }
}

// MARK: Details

extension ChannelResult {
    /// What a failure means and what to do; nil for a success.
    private var detail: String? {
        guard case .failed(let result) = report.result else { return nil }
        let kind = app.credential.kind
        switch result {
        case .responded(let response):
            if response.status < 300 { return Self.notAPNs }
            guard verdict == .rejected else { return nil }
            let row = response.row
            if !row.isRecognized, row.reaction.isFinal { return Self.unrecognized }
            return mayPass(response) ? Self.maybeLater : row.meaning(for: kind)
        case .credentialRefused(let reason):
            return ReasonTable.rows(named: reason).first?.meaning(for: kind)
        case .unsendable(.invalidField(let detail)): return detail
        case .unsendable(.notInCertificate): return nil
        case .unacceptable(let reason), .inDoubt(let reason), .notSent(let reason): return reason
        case .interrupted: return "interrupted"
        }
    }

    private static var notAPNs: String {
        "The response lacks what APNs sends: check that the endpoint manages channels."
    }

    /// True for what a push would be retried for.
    private func mayPass(_ response: APNsResponse) -> Bool {
        [.retryNow, .retryOnce, .retryLater].contains(response.reaction)
    }

    private static var maybeLater: String {
        "APNs cannot carry it out now: run the command again later."
    }

    private static var unrecognized: String {
        "Rejected with an unrecognized reason: see Apple's page about error responses."
    }

    /// One JSON object, without a newline.
    func json() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("command")
        writer.string(command)
        writer.name("app")
        writer.string(app.name)
        writer.name("bundle_id")
        writer.string(app.bundleID)
        writer.name("environment")
        writer.string(app.environment.rawValue)
        writer.name("host")
        writer.string(app.endpoint.address)
        writer.name("verdict")
        writer.string(verdict.rawValue)
        writeChannel(to: &writer)
        writeResponse(to: &writer)
        writer.name("detail")
        writer.string(detail)
        writer.name("milliseconds")
        writer.integer(report.milliseconds)
        writer.endObject()
        return writer.bytes
    }

    private var command: String {
        switch request.action {
        case .create: "create"
        case .read: "read"
        case .list: "list"
        case .delete: "delete"
        }
    }

    private func writeChannel(to writer: inout JSONWriter) {
        var channelID = request.channelID
        var storage: String?
        if case .create(let asked) = request.action { storage = asked.rawValue }
        switch report.result {
        case .created(let created): channelID = created
        case .read(let found, _): storage = found?.rawValue
        case .listed(let channelIDs):
            writer.array("channel_ids", channelIDs) { $1.string($0) }
        case .deleted, .gone, .failed: break
        }
        if request.action != .list {
            writer.name("channel_id")
            writer.string(channelID)
        }
        if let storage {
            writer.name("storage")
            writer.string(storage)
        }
        if case .read(_, let pushType) = report.result {
            writer.name("push_type")
            writer.string(pushType)
        }
    }

    private func writeResponse(to writer: inout JSONWriter) {
        writer.name("apns_request_id")
        writer.string("\(request.id)")
        writer.name("response")
        guard case .failed(.responded(let response)) = report.result else { return writer.null() }
        writer.beginObject()
        writer.name("status")
        writer.integer(response.status)
        writer.name("reason")
        writer.string(response.reason.isEmpty ? nil : response.reason)
        writer.name("retry_after")
        writer.integer(response.retryAfter)
        writer.endObject()
    }
}
