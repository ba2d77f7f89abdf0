internal import TLS

/// Verifies the provider tokens of one connection.
///
/// Bytes that were verified are kept: the same bytes again only cost a comparison.
public struct ProviderTokenVerification: Sendable {
    /// The maximum age of a provider token, in seconds.
    public static let maxAge: Int64 = 3600
    /// The minimum time between two provider tokens of a connection, in milliseconds.
    public static let minUse: Int64 = 20 * 60 * 1000

    /// The provider token currently used with a key on the connection.
    private struct Use {
        var authorization: [UInt8]
        /// When the connection first used it, in milliseconds since 1970.
        var adoptedAt: Int64
    }

    private let keys: [ProviderKey]
    private let environment: ProviderKey.Environment
    /// The last valid token of each key; empty before the first.
    private var uses: [Use?] = []
    /// The index of the key of the last valid token.
    private var keyNumber: Int?
    private var accepted: [UInt8] = []
    private var issuedAt: Int64 = 0

    /// Creates the state of a new connection; `keys` may sign.
    public init(keys: [ProviderKey], environment: ProviderKey.Environment = .production) {
        self.keys = keys
        self.environment = environment
    }

    /// Verifies the value of `authorization`, empty when it is absent.
    public mutating func verify(
        _ request: borrowing PushRequest, wallClock: Int64
    ) -> ProviderTokenFinding {
        if !accepted.isEmpty, request.has(.authorization, accepted) {
            return age(of: issuedAt, wallClock: wallClock) ?? .accepted
        }
        return verifyAnew([UInt8](request.authorization), wallClock: wallClock)
    }

    /// Whether the key of the last valid token may push to an app.
    func allows(bundleID: ArraySlice<UInt8>) -> Bool {
        keyNumber.map { keys[$0].allows(bundleID: bundleID) } ?? false
    }

    private mutating func verifyAnew(
        _ authorization: [UInt8], wallClock: Int64
    ) -> ProviderTokenFinding {
        guard let text = Self.bearer(in: authorization) else { return .missing }
        guard let token = ProviderTokenText(text) else { return .malformed }
        guard let number = keys.firstIndex(where: { $0.keyID == token.keyID })
        else { return .unknownKey }
        guard keys[number].teamID == token.teamID else { return .foreignTeam }
        guard keys[number].key.verify(token.signed, signature: token.signature)
        else { return .badSignature }
        guard keys[number].environment ?? environment == environment
        else { return .otherEnvironment }
        if let fault = age(of: token.issuedAt, wallClock: wallClock) { return fault }
        return adopt(authorization, token, number, wallClock)
    }

    private mutating func adopt(
        _ authorization: [UInt8], _ token: ProviderTokenText, _ number: Int, _ wallClock: Int64
    ) -> ProviderTokenFinding {
        if uses.isEmpty { uses = [Use?](repeating: nil, count: keys.count) }
        if let keyNumber {
            guard keys[keyNumber].teamID == token.teamID else { return .secondTeam }
            guard keys[keyNumber].isRelated(to: keys[number]) else { return .unrelatedKey }
        }
        if let use = uses[number], use.authorization != authorization {
            guard wallClock - use.adoptedAt >= Self.minUse else { return .updatedTooSoon }
            uses[number] = nil
        }
        if uses[number] == nil {
            uses[number] = Use(authorization: authorization, adoptedAt: wallClock)
        }
        accepted = authorization
        issuedAt = token.issuedAt
        keyNumber = number
        return .accepted
    }

    private func age(of issuedAt: Int64, wallClock: Int64) -> ProviderTokenFinding? {
        let now = wallClock / 1000
        if issuedAt > now + 1 { return .future }
        return now - issuedAt > Self.maxAge ? .expired : nil
    }

    /// The string after `bearer `; nil when it does not start so or nothing follows.
    private static func bearer(in authorization: [UInt8]) -> ArraySlice<UInt8>? {
        let scheme = "bearer ".utf8
        guard authorization.count > scheme.count else { return nil }
        for (byte, expected) in zip(authorization, scheme) where byte | 0x20 != expected {
            return nil
        }
        return authorization[scheme.count...]
    }
}
