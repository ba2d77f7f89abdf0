internal import Encoding
internal import Synchronization
public import TLS

/// The provider tokens of one key, shared by the whole process.
///
/// Each generation, one every half hour, is signed once, and all connections use the same bytes.
/// Where OpenSSL signs deterministically, so do other processes.
public final class ProviderTokens: Sendable {
    /// The key ID.
    public let keyID: String
    /// The team that the key belongs to.
    public let teamID: String
    private let key: SigningKey
    private struct State {
        var latest: ProviderToken?
        /// The `iat` that APNs last called too old.
        var expired: Int64?
        var renewals = 0
    }

    private let state = Mutex(State())

    /// Creates tokens signed by `key`.
    public init(key: SigningKey, keyID: String, teamID: String) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
    }

    /// The token for a time in milliseconds since 1970.
    public func token(wallClock milliseconds: Int64) throws(TLSError) -> ProviderToken {
        let halfHour = ProviderToken.issueTime(wallClock: milliseconds)
        return try state.withLock { (state) throws(TLSError) -> ProviderToken in
            if let token = state.latest, token.issuedAt >= halfHour,
                token.issuedAt <= milliseconds / 1000
            {
                return token
            }
            let issuedAt = Self.issueTime(halfHour, milliseconds / 1000, expired: state.expired)
            let token = try sign(issuedAt: issuedAt)
            state.latest = token
            return token
        }
    }

    /// APNs calls a token too old, although it is not by our clock: it is not used again. The next
    /// one is signed anew, with a later `iat` as soon as APNs allows a change.
    public func expired(_ token: ProviderToken) {
        state.withLock { state in
            guard state.latest?.bytes == token.bytes else { return }
            state.latest = nil
            state.expired = token.issuedAt
            state.renewals += 1
        }
    }

    /// The `iat` of the token in use, in seconds since 1970; nil before the first push.
    public var issuedAt: Int64? { state.withLock { $0.latest?.issuedAt } }

    /// How often a token was signed anew because APNs called the previous one too old.
    public var renewals: Int { state.withLock { $0.renewals } }

    /// The half hour, unless APNs has called the token of that half hour too old. In that case the
    /// last whole minute, if 20 minutes have passed as APNs requires between two tokens, and
    /// otherwise one second later, because tokens with the same time are identical (RFC 6979).
    private static func issueTime(_ halfHour: Int64, _ seconds: Int64, expired: Int64?) -> Int64 {
        guard let expired, expired >= halfHour, expired <= seconds else { return halfHour }
        let minute = (seconds - 60) / 60 * 60
        return minute >= expired + 1200 ? minute : min(expired + 1, seconds)
    }

    private func sign(issuedAt: Int64) throws(TLSError) -> ProviderToken {
        let header = #"{"alg":"ES256","kid":"\#(keyID)"}"#
        let claims = #"{"iss":"\#(teamID)","iat":\#(issuedAt)}"#
        let dot = [UInt8(ascii: ".")]
        let text =
            Base64.url.encode([UInt8](header.utf8)) + dot + Base64.url.encode([UInt8](claims.utf8))
        let signature = Base64.url.encode(try key.sign(text))
        return ProviderToken(
            bytes: [UInt8]("bearer ".utf8) + text + dot + signature, issuedAt: issuedAt)
    }
}
