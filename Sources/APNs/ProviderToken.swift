/// A signed provider token, ready to be sent.
public struct ProviderToken: Equatable, Sendable {
    /// The value of the `authorization` header: `bearer`, a space and the JWT.
    public var bytes: [UInt8]
    /// The claim `iat`: seconds since 1970, on a half hour unless APNs called that token too old.
    public var issuedAt: Int64

    /// Describes a token.
    public init(bytes: [UInt8], issuedAt: Int64) {
        self.bytes = bytes
        self.issuedAt = issuedAt
    }

    /// The `iat` of a token created at a given time: the last half hour as of a minute ago.
    ///
    /// All members of a group compute the same value, so that APNs sees one token and not one per
    /// member; the minute allows for clock differences without a token from the future.
    public static func issueTime(wallClock milliseconds: Int64) -> Int64 {
        let seconds = milliseconds / 1000 - 60
        return seconds - seconds % 1800
    }

    /// When the generation after an `iat` begins, in milliseconds since 1970.
    static func nextGeneration(after issuedAt: Int64) -> Int64 {
        (issuedAt + 1800 + 60) * 1000
    }
}
