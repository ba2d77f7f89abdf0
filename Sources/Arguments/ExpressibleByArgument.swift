/// A value that can be written on a command line.
public protocol ExpressibleByArgument: Sendable {
    /// Reads a word of the command line; nil when it is no such value.
    init?(argument: String)
    /// How the value is written on a command line.
    var argumentText: String { get }
    /// Every word that is a value, when they can be listed; for help and completions.
    static var allValueStrings: [String] { get }
    /// What a word must be, when the values cannot be listed: `a whole number`.
    static var valueDescription: String { get }
}

extension ExpressibleByArgument {
    /// The value's own description.
    public var argumentText: String { String(describing: self) }
    /// Empty: the values cannot be listed.
    public static var allValueStrings: [String] { [] }
    /// Says nothing in particular.
    public static var valueDescription: String { "a value" }
}

extension String: ExpressibleByArgument {
    /// Takes the word as it stands.
    public init?(argument: String) { self = argument }
}

extension Int: ExpressibleByArgument {
    /// Reads decimal digits.
    public init?(argument: String) { self.init(argument) }
    /// What a word must be.
    public static var valueDescription: String { "a whole number" }
}

extension ExpressibleByArgument where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// Reads one of the cases by its name.
    public init?(argument: String) { self.init(rawValue: argument) }
    /// The name of the case.
    public var argumentText: String { rawValue }
    /// The names of all cases.
    public static var allValueStrings: [String] { allCases.map(\.rawValue) }
}
