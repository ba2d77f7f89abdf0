internal import Encoding

/// A response other than 200, or none, for the pushes that match.
///
/// It replaces the 200 for a valid request; the judge comes first.
public struct ScriptedResponse: Equatable, Sendable {
    /// When a device token became invalid.
    public enum Timestamp: Equatable, Sendable {
        /// At this time, in milliseconds since 1970.
        case at(milliseconds: Int64)
        /// This many milliseconds before the request.
        case ago(milliseconds: Int64)
    }

    /// What the client receives.
    public enum Outcome: Equatable, Sendable {
        /// The complete response.
        case response
        /// Only the fields of the response; its stream never ends.
        case half
        /// Nothing, ever.
        case silence
        /// RST_STREAM with an HTTP/2 error code.
        case reset(UInt32)
        /// The connection is cut.
        case cut(ConnectionCut)
    }

    /// The lower-case hexadecimal digits that the device token begins with; empty for all tokens.
    public var tokenPrefix: [UInt8]
    /// The beginning of the broadcast channel ID; nil to match pushes to devices as well.
    public var channelPrefix: [UInt8]?
    /// The `apns-topic`, or the bundle identifier of a broadcast; nil for all.
    public var topic: [UInt8]?
    /// The number of attempts of a push that it applies to; nil for all.
    public var attempts: Int?
    /// When it applies.
    public var schedule = Schedule()
    /// The share of matching pushes that it applies to, from 0 to 1; nil for all.
    public var share: Double?
    /// Applies to every nth matching push; nil for all.
    public var interval: Int?

    /// What the client receives.
    public var outcome: Outcome = .response
    /// The HTTP status.
    public var status: Int
    /// Apple's reason; nil with a status of 200.
    public var reason: String?
    /// The `timestamp` in the body.
    public var timestamp: Timestamp?
    /// The complete body, instead of Apple's.
    public var body: [UInt8]?
    /// The seconds of a `retry-after` field.
    public var retryAfter: Int?
    /// The latency of the response; nil for the scenario's.
    public var latency: Latency?

    /// Creates a response for the device tokens that begin with `tokenPrefix`.
    public init(
        tokenPrefix: String, status: Int = 200, reason: String? = nil,
        timestamp: Timestamp? = nil, attempts: Int? = nil, latency: Latency? = nil,
        isLost: Bool = false
    ) {
        self.tokenPrefix = [UInt8](tokenPrefix.utf8)
        self.status = status
        self.reason = reason
        self.timestamp = timestamp
        self.attempts = attempts
        self.latency = latency
        if isLost { outcome = .cut(.end) }
    }

    /// The response at `wallClock`.
    func judgement(wallClock: Int64) -> Judgement {
        let since: Int64? =
            switch timestamp {
            case nil: nil
            case .at(let milliseconds): milliseconds
            case .ago(let milliseconds): wallClock - milliseconds
            }
        var judgement = Judgement(status: status, reason: reason, timestamp: since)
        judgement.ownBody = body
        judgement.retryAfter = retryAfter
        return judgement
    }

    /// Whether the device token starts as required.
    func fits(token: ArraySlice<UInt8>) -> Bool {
        guard channelPrefix == nil, token.count >= tokenPrefix.count else { return false }
        for (index, digit) in tokenPrefix.enumerated() {
            guard
                Hexadecimal.value(of: token[token.startIndex + index])
                    == Hexadecimal.value(of: digit)
            else { return false }
        }
        return true
    }

    /// Whether it applies to broadcasts to a channel: by its ID, or like any push.
    func fits(channel: [UInt8]) -> Bool {
        channelPrefix.map { channel.starts(with: $0) } ?? tokenPrefix.isEmpty
    }
}
