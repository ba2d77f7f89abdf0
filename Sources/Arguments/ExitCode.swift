/// The exit code of a command, as in `sysexits.h`.
public struct ExitCode: Hashable, Sendable {
    /// The number passed to the shell.
    public var rawValue: Int32

    /// Creates an exit code.
    public init(_ rawValue: Int32) { self.rawValue = rawValue }

    /// The command succeeded.
    public static let success = Self(0)
    /// A check was completed and found something.
    public static let failure = Self(1)
    /// The command line was wrong.
    public static let usage = Self(64)
    /// The input data is invalid.
    public static let badData = Self(65)
    /// An input file does not exist.
    public static let noInput = Self(66)
    /// Kafka or APNs cannot be reached.
    public static let unavailable = Self(69)
    /// An internal error.
    public static let software = Self(70)
    /// A temporary failure: it may work later.
    public static let tryAgain = Self(75)
    /// The configuration is wrong.
    public static let configuration = Self(78)
}
