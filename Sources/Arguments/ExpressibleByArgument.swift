/// A value that can be given on a command line.
public protocol ExpressibleByArgument: Sendable {
    /// Parses a word of the command line; nil when it is not a valid value.
    init?(argument: String)
    /// The value as written on a command line.
    var argumentText: String { get }
    /// All valid words, if they can be listed; for help and completions.
    static var allValueStrings: [String] { get }
    /// What a word must be, if the values cannot be listed: `a whole number`.
    static var valueDescription: String { get }
}

extension ExpressibleByArgument {
    /// The value's own description.
    public var argumentText: String { String(describing: self) }
    /// Empty: the values cannot be listed.
    public static var allValueStrings: [String] { [] }
    /// A generic description.
    public static var valueDescription: String { "a value" }
}

extension String: ExpressibleByArgument {
    /// Takes the word as it is.
    public init?(argument: String) { self = argument }
}

extension Int: ExpressibleByArgument {
    /// Parses decimal digits.
    public init?(argument: String) { self.init(argument) }
    /// What a word must be.
    public static var valueDescription: String { "a whole number" }
}

extension ExpressibleByArgument where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// Parses the name of a case.
    public init?(argument: String) { self.init(rawValue: argument) }
    /// The name of the case.
    public var argumentText: String { rawValue }
    /// The names of all cases.
    public static var allValueStrings: [String] { allCases.map(\.rawValue) }
}
