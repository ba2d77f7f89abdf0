/// Identifies which of a route's credentials a request was sent with; each new credential has a
/// higher version.
public struct CredentialVersion: Hashable, Comparable, Sendable, BitwiseCopyable {
    private var number: UInt32

    /// The first version of every route.
    public static let first = CredentialVersion(number: 0)

    /// The version after this one.
    package var next: CredentialVersion { CredentialVersion(number: number + 1) }

    /// True when the first was offered before the second.
    public static func < (one: Self, other: Self) -> Bool { one.number < other.number }
}
