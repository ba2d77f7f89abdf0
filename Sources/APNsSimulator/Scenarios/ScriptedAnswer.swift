internal import Encoding

/// What happens to the pushes that it fits: another answer than 200, or none.
///
/// It takes the place of the 200 for a request in which nothing is wrong; the judge comes first.
public struct ScriptedAnswer: Equatable, Sendable {
    /// Since when a device token is known to be dead.
    public enum Timestamp: Equatable, Sendable {
        /// That moment, in milliseconds since 1970.
        case at(milliseconds: Int64)
        /// So many milliseconds before the request.
        case ago(milliseconds: Int64)
    }

    /// What the client gets.
    public enum Outcome: Equatable, Sendable {
        /// The status, whole.
        case answer
        /// The fields of the answer alone; its stream never ends.
        case half
        /// Nothing, ever.
        case silence
        /// RST_STREAM with an error code of HTTP/2.
        case reset(UInt32)
        /// The connection is cut.
        case cut(Cut)
    }

    /// The lower-case hexadecimal digits that the device token begins with; empty for every one.
    public var tokenPrefix: [UInt8]
    /// How the identifier of the broadcast channel begins; nil for pushes to a device, too.
    public var channelPrefix: [UInt8]?
    /// The `apns-topic`, of a broadcast the bundle identifier; nil for every one.
    public var topic: [UInt8]?
    /// Only the first so many attempts of a push are answered so; nil for all.
    public var attempts: Int?
    /// When it holds.
    public var schedule = Schedule()
    /// Which share of the pushes that fit, from 0 to 1; nil for all.
    public var share: Double?
    /// Only each so-manieth push that fits; nil for all.
    public var interval: Int?

    /// What the client gets.
    public var outcome: Outcome = .answer
    /// The HTTP status.
    public var status: Int
    /// Apple's word for what is wrong; nil with a status of 200.
    public var reason: String?
    /// The `timestamp` in the body.
    public var timestamp: Timestamp?
    /// The whole body, instead of the one that Apple would write.
    public var body: [UInt8]?
    /// The seconds of a `retry-after` field.
    public var retryAfter: Int?
    /// How long the answer takes; nil for as long as any other.
    public var latency: Latency?

    /// Describes an answer to the device tokens that begin with `tokenPrefix`.
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

    /// The answer as it stands at `wallClock`.
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

    /// Whether a broadcast to a channel is meant: by its identifier, or as any push is.
    func fits(channel: [UInt8]) -> Bool {
        channelPrefix.map { channel.starts(with: $0) } ?? tokenPrefix.isEmpty
    }
}
