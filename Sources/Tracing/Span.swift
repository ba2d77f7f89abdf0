/// A step in the life of a push, when it is over.
public struct Span: Equatable, Sendable {
    /// What a span is in the conversation between services; the numbers are those of OTLP.
    public enum Kind: Int, Sendable {
        /// Inside the process.
        case `internal` = 1
        /// A request to another service.
        case client = 3
        /// A message that was written.
        case producer = 4
        /// A message that was read and processed.
        case consumer = 5
    }

    /// The value of an attribute.
    public enum Value: Equatable, Sendable {
        /// A string.
        case text(String)
        /// An integer.
        case integer(Int64)
    }

    /// An attribute: a name, by OpenTelemetry's conventions where they have one, and its value.
    public typealias Attribute = (name: String, value: Value)

    /// The trace that it belongs to.
    public var trace: TraceID
    /// Its own ID.
    public var id: SpanID
    /// The span that it is part of; nil for the first one of a trace.
    public var parent: SpanID?
    /// The `tracestate` of the event; empty for none.
    public var state = ""
    /// What was done, with few different values.
    public var name: String
    /// What it is in the conversation between services.
    public var kind: Kind
    /// When it began, in milliseconds since 1970.
    public var start: Int64
    /// When it ended, in milliseconds since 1970; never before it began.
    public var end: Int64
    /// Its attributes, each with another name.
    public private(set) var attributes: [Attribute] = []
    /// Why it failed; nil when it did not. May be empty.
    public var failure: String?

    /// Creates a span without attributes. A clock may have been set back between its two times.
    public init(
        trace: TraceID, id: SpanID, parent: SpanID?, name: String, kind: Kind, start: Int64,
        end: Int64
    ) {
        self.trace = trace
        self.id = id
        self.parent = parent
        self.name = name
        self.kind = kind
        self.start = max(0, start)
        self.end = max(self.start, end)
    }

    /// Adds an attribute; does nothing without a value.
    public mutating func add(_ name: String, _ text: String?) {
        guard let text, !text.isEmpty else { return }
        attributes.append((name, .text(text)))
    }

    /// Adds an attribute; does nothing without a value.
    public mutating func add(_ name: String, _ number: Int64?) {
        if let number { attributes.append((name, .integer(number))) }
    }

    /// The value of an attribute; nil when it has none of that name.
    public subscript(name: String) -> Value? { attributes.first { $0.name == name }?.value }

    /// Whether two spans are the same in every respect.
    public static func == (left: Span, right: Span) -> Bool {
        left.trace == right.trace && left.id == right.id && left.parent == right.parent
            && left.state == right.state && left.name == right.name && left.kind == right.kind
            && left.start == right.start && left.end == right.end && left.failure == right.failure
            && left.attributes.elementsEqual(right.attributes) { $0 == $1 }
    }
}
