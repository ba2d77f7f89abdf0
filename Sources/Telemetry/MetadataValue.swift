/// One value beside a message: text, a number or a truth.
public enum MetadataValue: Equatable, Sendable {
    /// Text, escaped when it is written.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A number with a fraction.
    case double(Double)
    /// True or false.
    case bool(Bool)

    /// A whole number of any width; one that is too large is written as text.
    public static func number(_ value: some BinaryInteger) -> Self {
        Int64(exactly: value).map(Self.integer) ?? .string(String(value))
    }
}

extension MetadataValue: ExpressibleByStringInterpolation {
    /// Text, with values in it.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension MetadataValue: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension MetadataValue: ExpressibleByFloatLiteral {
    /// A number with a fraction.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension MetadataValue: ExpressibleByBooleanLiteral {
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}
