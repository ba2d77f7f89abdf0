/// An answer that waits for the device tokens that begin with certain digits.
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

    /// The lower-case hexadecimal digits that the device token begins with; empty for every one.
    public var tokenPrefix: [UInt8]
    /// The HTTP status.
    public var status: Int
    /// Apple's word for what is wrong; nil with a status of 200.
    public var reason: String?
    /// The `timestamp` in the body.
    public var timestamp: Timestamp?
    /// Only the first so many attempts of a push are answered so; nil for all.
    public var attempts: Int?
    /// How many milliseconds the answer waits.
    public var latency: Int
    /// The connection is cut instead of an answer.
    public var isLost: Bool

    /// Describes an answer to the device tokens that begin with `tokenPrefix`.
    public init(
        tokenPrefix: String, status: Int = 200, reason: String? = nil,
        timestamp: Timestamp? = nil, attempts: Int? = nil, latency: Int = 0, isLost: Bool = false
    ) {
        self.tokenPrefix = [UInt8](tokenPrefix.utf8)
        self.status = status
        self.reason = reason
        self.timestamp = timestamp
        self.attempts = attempts
        self.latency = latency
        self.isLost = isLost
    }

    /// The answer as it stands at `wallClock`.
    func judgement(wallClock: Int64) -> Judgement {
        let since: Int64? =
            switch timestamp {
            case nil: nil
            case .at(let milliseconds): milliseconds
            case .ago(let milliseconds): wallClock - milliseconds
            }
        return Judgement(status: status, reason: reason, timestamp: since)
    }
}
