/// A metadata value: a string, a number, a Boolean, a list or named values.
public enum MetadataValue: Equatable, Sendable {
    /// A string, escaped when it is written.
    case string(String)
    /// An integer.
    case integer(Int64)
    /// A number with a fraction.
    case double(Double)
    /// True or false.
    case bool(Bool)
    /// A list: an array in JSON, words between spaces in text.
    case array([MetadataValue])
    /// Named values: an object in JSON, `name=value` between spaces in text.
    case dictionary([String: MetadataValue])

    /// An integer of any width; one that is too large is written as a string.
    public static func number(_ value: some BinaryInteger) -> Self {
        Int64(exactly: value).map(Self.integer) ?? .string(String(value))
    }

    /// A list of strings.
    public static func strings(_ values: some Sequence<String>) -> Self {
        .array(values.map(Self.string))
    }
}

extension MetadataValue: ExpressibleByStringInterpolation {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension MetadataValue: ExpressibleByIntegerLiteral {
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension MetadataValue: ExpressibleByFloatLiteral {
    /// Creates a number with a fraction.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension MetadataValue: ExpressibleByBooleanLiteral {
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
