internal import Encoding
internal import JSON

/// What a `traceparent` header says: the trace of an event, and the span that produced it.
///
/// Source: W3C *Trace Context*, 3.2.
public struct TraceContext: Equatable, Sendable, BitwiseCopyable {
    /// The trace.
    public let trace: TraceID
    /// The span that produced the event.
    public let span: SpanID
    /// Whether its producer records the trace.
    public let isSampled: Bool

    private static let length = 55
    private static let dash = UInt8(ascii: "-")

    /// Reads the value of a header, without a copy; nil when it is not valid.
    ///
    /// Versions to come may add fields, but keep these.
    public init?(traceparent text: RawSpan) {
        guard text.byteCount >= Self.length,
            let version = Self.number(text, 0..<2), version != 0xFF,
            text.byteCount == Self.length
                || version > 0 && text.byte(at: Self.length) == Self.dash,
            text.byte(at: 2) == Self.dash, text.byte(at: 35) == Self.dash,
            text.byte(at: 52) == Self.dash,
            let high = Self.number(text, 3..<19), let low = Self.number(text, 19..<35),
            let trace = TraceID(high: high, low: low),
            let span = Self.number(text, 36..<52).flatMap(SpanID.init),
            let flags = Self.number(text, 53..<55)
        else { return nil }
        self.trace = trace
        self.span = span
        isSampled = flags & 1 == 1
    }

    /// The number that lower-case hexadecimal digits stand for; nil for any other character.
    private static func number(_ text: RawSpan, _ range: Range<Int>) -> UInt64? {
        var number: UInt64 = 0
        for index in range {
            let byte = text.byte(at: index)
            let isUpperCase = (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte)
            guard !isUpperCase, let digit = Hexadecimal.value(of: byte) else { return nil }
            number = number << 4 | UInt64(digit)
        }
        return number
    }
}
