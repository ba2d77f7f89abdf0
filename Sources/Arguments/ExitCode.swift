/// How a command ended, in the numbers of `sysexits.h`.
public struct ExitCode: Hashable, Sendable {
    /// The number that the shell sees.
    public var rawValue: Int32

    /// Names a number.
    public init(_ rawValue: Int32) { self.rawValue = rawValue }

    /// Everything was done.
    public static let success = Self(0)
    /// A check ran to its end and found something.
    public static let failure = Self(1)
    /// The command line was wrong.
    public static let usage = Self(64)
    /// The data that was given is not what it should be.
    public static let badData = Self(65)
    /// There is no such file.
    public static let noInput = Self(66)
    /// Kafka or APNs cannot be reached.
    public static let unavailable = Self(69)
    /// A mistake in the program itself.
    public static let software = Self(70)
    /// It failed now and may work later.
    public static let tryAgain = Self(75)
    /// The configuration is wrong.
    public static let configuration = Self(78)
}
