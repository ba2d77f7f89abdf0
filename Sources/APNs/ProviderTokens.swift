internal import Synchronization
public import TLS

/// The provider tokens of one key, shared by the whole process.
///
/// Each generation, one every half hour, is signed once; whoever asks gets the same bytes.
public final class ProviderTokens: Sendable {
    /// The identifier of the key.
    public let keyID: String
    /// The team that the key belongs to.
    public let teamID: String
    private let key: SigningKey
    private let latest = Mutex<ProviderToken?>(nil)

    /// Tokens that are signed by `key`.
    public init(key: SigningKey, keyID: String, teamID: String) {
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
    }

    /// The token of a moment, in milliseconds since 1970.
    public func token(wallClock milliseconds: Int64) throws(TLSError) -> ProviderToken {
        let issuedAt = ProviderToken.issueTime(wallClock: milliseconds)
        return try latest.withLock { (latest) throws(TLSError) -> ProviderToken in
            if let token = latest, token.issuedAt >= issuedAt,
                token.issuedAt <= milliseconds / 1000
            {
                return token
            }
            let token = try sign(issuedAt: issuedAt)
            latest = token
            return token
        }
    }

    private func sign(issuedAt: Int64) throws(TLSError) -> ProviderToken {
        let header = #"{"alg":"ES256","kid":"\#(keyID)"}"#
        let claims = #"{"iss":"\#(teamID)","iat":\#(issuedAt)}"#
        let dot = [UInt8(ascii: ".")]
        let text =
            Base64URL.encode([UInt8](header.utf8)) + dot + Base64URL.encode([UInt8](claims.utf8))
        let signature = Base64URL.encode(try key.sign(text))
        return ProviderToken(
            bytes: [UInt8]("bearer ".utf8) + text + dot + signature, issuedAt: issuedAt)
    }
}
