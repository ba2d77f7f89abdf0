public import Encoding

/// The 16 bytes that all spans of a trace share; never zero.
public struct TraceID: Hashable, Sendable, BitwiseCopyable {
    /// The first eight bytes, most significant first.
    public let high: UInt64
    /// The last eight bytes, most significant first.
    public let low: UInt64

    /// Creates an ID from its two halves; nil when both are zero, which W3C *Trace Context*
    /// forbids.
    public init?(high: UInt64, low: UInt64) {
        guard high != 0 || low != 0 else { return nil }
        self.high = high
        self.low = low
    }

    /// The 32 lower-case hexadecimal digits.
    public var text: String { SpanID.digits(high) + SpanID.digits(low) }
}

/// The eight bytes that name a span within its trace; never zero.
public struct SpanID: Hashable, Sendable, BitwiseCopyable {
    /// The bytes, most significant first.
    public let value: UInt64

    /// Creates an ID; nil for zero, which W3C *Trace Context* forbids.
    public init?(_ value: UInt64) {
        guard value != 0 else { return nil }
        self.value = value
    }

    /// Draws an ID.
    public init(from generator: inout SeededGenerator) {
        var drawn = generator.next()
        while drawn == 0 { drawn = generator.next() }
        value = drawn
    }

    /// The 16 lower-case hexadecimal digits.
    public var text: String { Self.digits(value) }

    static func digits(_ value: UInt64) -> String {
        var digits: [UInt8] = []
        for shift in stride(from: 56, through: 0, by: -8) {
            Hexadecimal.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)), to: &digits)
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
