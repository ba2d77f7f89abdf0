internal import Encoding
internal import JSON

/// What `${env:}` and `${file:}` resolved to, each with the reference as it is written, which is
/// shown instead.
public struct ResolvedValues: Sendable {
    private var written: [String: String] = [:]
    /// The values, longest first, so that none is found within another one.
    private var values: [String] = []

    /// A value that is shorter than this is hidden only between quotation marks: it may be a word
    /// that the text contains anyway.
    private static let minimum = 4
    /// More values than any file has references.
    private static let limit = 1000

    /// Creates an empty list.
    public init() {}

    /// True when nothing has been resolved.
    public var isEmpty: Bool { values.isEmpty }

    mutating func add(_ value: String, written reference: String) {
        // Its lines may be quoted one by one, as may the variables of an environment.
        let lines = value.split(whereSeparator: { $0.isNewline || $0 == "\0" }).prefix(100)
        for part in [value[...], value.trimmed[...]] + lines {
            let part = String(part)
            // In JSON a string may look different.
            for form in [part, Self.inJSON(part)] where !form.isEmpty && written[form] == nil {
                guard values.count < Self.limit else { break }
                written[form] = reference
                values.append(form)
            }
        }
        values.sort { $0.utf8.count > $1.utf8.count }
    }

    private static func inJSON(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.appendJSONText(text)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Those of several connectors.
    public init(of connectors: [Connector]) {
        for connector in connectors { add(connector.resolved) }
    }

    mutating func add(_ other: ResolvedValues) {
        for value in other.values { add(value, written: other.written[value] ?? "…") }
    }

    /// The text with each value replaced by its reference.
    public func hide(in bytes: [UInt8]) -> [UInt8] {
        isEmpty ? bytes : Array(hide(in: String(decoding: bytes, as: UTF8.self)).utf8)
    }

    /// The text with each value replaced by its reference.
    public func hide(in text: String) -> String {
        var text = text
        for value in values {
            let reference = written[value] ?? "…"
            if value.utf8.count >= Self.minimum {
                text = Secrets.replace(value, by: reference, in: text)
            } else {
                text = Secrets.replace("'\(value)'", by: "'\(reference)'", in: text)
            }
        }
        return text
    }
}
