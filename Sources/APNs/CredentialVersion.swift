/// Which of a route's credentials a request was sent with: each one that is offered has a later
/// version than those before.
public struct CredentialVersion: Hashable, Comparable, Sendable, BitwiseCopyable {
    private var number: UInt32

    /// The version that a route begins with.
    public static let first = CredentialVersion(number: 0)

    /// The version after this one.
    package var next: CredentialVersion { CredentialVersion(number: number + 1) }

    /// True when one was offered before another.
    public static func < (one: Self, other: Self) -> Bool { one.number < other.number }
}
