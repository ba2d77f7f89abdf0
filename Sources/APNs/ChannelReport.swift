internal import Encoding
internal import JSON

/// What became of a request about channels.
public struct ChannelReport: Equatable, Sendable {
    /// The end of a request.
    public enum Result: Equatable, Sendable {
        /// The channel was created, with this ID.
        case created(channelID: String)
        /// The settings of the channel; nil for a storage that Apple's documentation does not know.
        case read(ChannelStorage?, pushType: String)
        /// The IDs of the app's channels.
        case listed(channelIDs: [String])
        /// The channel was deleted.
        case deleted
        /// There was no such channel to delete.
        case gone
        /// Anything else: it was rejected, was not sent, or has no response that can be used.
        case failed(PushReport.Result)
    }

    /// How it ended.
    public var result: Result
    /// How long after its last request it ended, in milliseconds; nil if there was no request.
    public var milliseconds: Int64?

    /// It is not known whether APNs has carried the request out.
    public private(set) var isInDoubt = false

    /// Creates a report.
    public init(_ result: Result, milliseconds: Int64? = nil) {
        self.result = result
        self.milliseconds = milliseconds
    }

    /// Reads the report of a request.
    init(_ report: PushReport, of request: ChannelRequest) {
        var found: Result?
        if case .responded(let response) = report.result {
            found = Self.result(response, request.action)
        }
        self.init(found ?? .failed(report.result), milliseconds: report.milliseconds)
        isInDoubt = found == nil && Self.isInDoubt(report.result, request.action)
    }

    private static func isInDoubt(
        _ result: PushReport.Result, _ action: ChannelRequest.Action
    ) -> Bool {
        switch result {
        case .inDoubt, .interrupted(wasSent: true): true
        case .responded(let response): leavesOpen(response.status, action)
        case .credentialRefused, .unacceptable, .unsendable, .notSent,
            .interrupted(wasSent: false):
            false
        }
    }

    /// True for a status that APNs never sends, and for an error that does not rule out a change.
    private static func leavesOpen(_ status: Int, _ action: ChannelRequest.Action) -> Bool {
        guard status >= 400 else { return true }
        switch action {
        case .read, .list: return false
        case .create, .delete: return status == 408 || status >= 500
        }
    }

    /// What a response says; nil for a rejection, and for a response that APNs never sends.
    private static func result(
        _ response: APNsResponse, _ action: ChannelRequest.Action
    ) -> Result? {
        switch (action, response.status) {
        case (.create, 200), (.create, 201):
            guard Base64.standard.isText(response.channelID) else { return nil }
            return .created(channelID: String(decoding: response.channelID, as: UTF8.self))
        case (.read, 200): return settings(response.content)
        case (.list, 200): return channelIDs(response.content)
        // APNs returns the request's ID, or no body: the page of a captive portal has neither.
        case (.delete, 200), (.delete, 204):
            return response.isIdentified || response.content.isEmpty ? .deleted : nil
        case (.delete, 400) where response.reason == "ChannelNotRegistered": return .gone
        default: return nil
        }
    }

    private static func settings(_ body: [UInt8]) -> Result? {
        var tape = JSONTape()
        guard (try? tape.read(body)) != nil, tape[0].kind == .object,
            let policy = tape.member("message-storage-policy", of: 0, in: body),
            let number = tape.integer(of: policy, in: body)
        else { return nil }
        let type = tape.member("push-type", of: 0, in: body).flatMap { tape.text(of: $0, in: body) }
        return .read(
            ChannelStorage.allCases.first { $0.policy == number }, pushType: type ?? "")
    }

    private static func channelIDs(_ body: [UInt8]) -> Result? {
        var tape = JSONTape()
        guard (try? tape.read(body)) != nil, tape[0].kind == .object,
            let list = tape.member("channels", of: 0, in: body), tape[list].kind == .array
        else { return nil }
        var found: [String] = []
        let (first, end) = tape.children(of: list)
        var node = first
        while node < end {
            guard let text = tape.text(of: node, in: body) else { return nil }
            found.append(text)
            node = tape.next(after: node)
        }
        return .listed(channelIDs: found)
    }
}
