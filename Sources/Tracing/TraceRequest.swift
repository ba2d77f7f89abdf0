internal import JSON

/// Writes spans as the body of an export request: an `ExportTraceServiceRequest` of OTLP 1 in JSON.
///
/// IDs are hexadecimal, times are strings of nanoseconds since 1970, and enumerations are numbers:
/// source: *OpenTelemetry Protocol Specification*, JSON Protobuf Encoding.
public struct TraceRequest: Sendable {
    /// The version of the program, as `service.version`.
    private let version: String
    /// What distinguishes this process from others, as `service.instance.id`.
    private let instance: String

    /// Describes where spans come from.
    public init(version: String, instance: String) {
        self.version = version
        self.instance = instance
    }

    private static let service = "apns-bridge"

    /// The request for a batch.
    public func body(_ spans: [Span]) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.list("resourceSpans") { writer in
                writer.object { writer in
                    writer.name(ascii: "resource")
                    writer.object { $0.attributes(resource) }
                    writer.list("scopeSpans") { writer in
                        writer.object { write(spans, to: &$0) }
                    }
                }
            }
        }
        return writer.bytes
    }

    private var resource: [Span.Attribute] {
        [
            ("service.name", .text(Self.service)), ("service.version", .text(version)),
            ("service.instance.id", .text(instance)),
        ]
    }

    private func write(_ spans: [Span], to writer: inout JSONWriter) {
        writer.name(ascii: "scope")
        writer.object { writer in
            writer.member("name", Self.service)
            writer.member("version", version)
        }
        writer.list("spans") { writer in
            for span in spans { writer.object { span.write(to: &$0) } }
        }
    }
}

extension Span {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("traceId", trace.text)
        writer.member("spanId", id.text)
        if let parent { writer.member("parentSpanId", parent.text) }
        if !state.isEmpty { writer.member("traceState", state) }
        writer.member("name", name)
        writer.name(ascii: "kind")
        writer.integer(kind.rawValue)
        writer.member("startTimeUnixNano", Self.nanoseconds(start))
        writer.member("endTimeUnixNano", Self.nanoseconds(end))
        writer.attributes(attributes)
        writer.name(ascii: "status")
        writer.object { writer in
            guard let failure else { return }
            if !failure.isEmpty { writer.member("message", failure) }
            writer.name(ascii: "code")
            writer.integer(Self.errorCode)
        }
    }

    /// `STATUS_CODE_ERROR`.
    private static let errorCode = 2

    private static func nanoseconds(_ milliseconds: Int64) -> String {
        milliseconds == 0 ? "0" : "\(milliseconds)000000"
    }
}

extension JSONWriter {
    fileprivate mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    fileprivate mutating func list(_ name: StaticString, _ body: (inout JSONWriter) -> Void) {
        self.name(ascii: name)
        beginArray()
        body(&self)
        endArray()
    }

    fileprivate mutating func member(_ name: StaticString, _ text: String) {
        self.name(ascii: name)
        string(text)
    }

    fileprivate mutating func attributes(_ attributes: [Span.Attribute]) {
        list("attributes") { writer in
            for attribute in attributes {
                writer.object { writer in
                    writer.member("key", attribute.name)
                    writer.name(ascii: "value")
                    writer.object { $0.value(attribute.value) }
                }
            }
        }
    }

    /// Integers have 64 bits: in JSON they are strings.
    private mutating func value(_ value: Span.Value) {
        switch value {
        case .text(let text): member("stringValue", text)
        case .integer(let number): member("intValue", String(number))
        }
    }
}
