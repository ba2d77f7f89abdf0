/// A signed provider token, ready to be sent.
public struct ProviderToken: Equatable, Sendable {
    /// The value of the `authorization` header: `bearer`, a space and the JWT.
    public var bytes: [UInt8]
    /// The claim `iat`: seconds since 1970, always a half hour of the clock.
    public var issuedAt: Int64

    /// Describes a token.
    public init(bytes: [UInt8], issuedAt: Int64) {
        self.bytes = bytes
        self.issuedAt = issuedAt
    }

    /// The `iat` of a token made at a moment: the last half hour of a minute ago.
    ///
    /// All members of a group count alike, so that Apple sees one token and not one from each; the
    /// minute lets clocks differ without a token from the future.
    public static func issueTime(wallClock milliseconds: Int64) -> Int64 {
        let seconds = milliseconds / 1000 - 60
        return seconds - seconds % 1800
    }

    /// When the generation after an `iat` begins, in milliseconds since 1970.
    static func nextGeneration(after issuedAt: Int64) -> Int64 {
        (issuedAt + 1800 + 60) * 1000
    }
}
