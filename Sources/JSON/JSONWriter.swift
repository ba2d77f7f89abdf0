/// Writes a JSON text without spaces; of the characters only `"`, `\` and controls are escaped.
///
/// Commas are its own business. Text that is not valid UTF-8 is repaired with U+FFFD.
public struct JSONWriter {
    /// What was written so far.
    public private(set) var bytes: [UInt8]

    /// Starts with nothing written, in a buffer that it takes over.
    public init(reusing buffer: consuming [UInt8] = []) {
        // Before it is handed on: two owners would cost a new buffer.
        buffer.removeAll(keepingCapacity: true)
        bytes = buffer
    }

    /// Forgets what was written and keeps the buffer.
    public mutating func reset() { bytes.removeAll(keepingCapacity: true) }

    /// Begins an object.
    public mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
    }

    /// Ends an object.
    public mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

    /// Begins an array.
    public mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
    }

    /// Ends an array.
    public mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    /// Writes the name of an object's next member.
    public mutating func name(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes the name of an object's next member: ASCII that needs no escape.
    public mutating func name(ascii name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.appendASCII(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a text.
    public mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.appendJSONText(text)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a text that is given in UTF-8.
    public mutating func string(utf8: RawSpan) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.appendJSONText(utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a text that is given in UTF-8.
    public mutating func string(utf8: [UInt8]) { string(utf8: unsafe utf8.span.bytes) }

    /// Writes a whole number.
    public mutating func integer(_ value: some FixedWidthInteger) {
        separate()
        bytes.appendDecimal(value)
    }

    /// Writes `true` or `false`.
    public mutating func boolean(_ value: Bool) {
        separate()
        bytes.appendASCII(value ? "true" : "false")
    }

    /// Writes `null`.
    public mutating func null() {
        separate()
        bytes.appendASCII("null")
    }

    /// Writes a value that is JSON already.
    public mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }

    private mutating func separate() {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): break
        default: bytes.append(UInt8(ascii: ","))
        }
    }
}
