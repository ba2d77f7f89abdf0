/// Writes JSON without spaces; only `"`, `\` and control characters are escaped.
///
/// It inserts commas itself. Invalid UTF-8 is repaired with U+FFFD.
public struct JSONWriter {
    /// The output so far.
    public private(set) var bytes: [UInt8]

    /// Creates a writer that reuses a buffer.
    public init(reusing buffer: consuming [UInt8] = []) {
        // Emptied before it is passed on: with two owners it would be copied.
        buffer.removeAll(keepingCapacity: true)
        bytes = buffer
    }

    /// Clears the output, keeping the buffer.
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

    /// Writes an array, whose elements `write` writes.
    public mutating func array<Elements: Sequence>(
        _ elements: Elements, _ write: (Elements.Element, inout JSONWriter) -> Void
    ) {
        beginArray()
        for element in elements { write(element, &self) }
        endArray()
    }

    /// Writes a member of an object that is an array, whose elements `write` writes.
    public mutating func array<Elements: Sequence>(
        _ name: String, _ elements: Elements, _ write: (Elements.Element, inout JSONWriter) -> Void
    ) {
        self.name(name)
        array(elements, write)
    }

    /// Writes the name of the next member of an object.
    public mutating func name(_ name: String) {
        string(name)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes the name of the next member of an object: ASCII that needs no escapes.
    public mutating func name(ascii name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.appendASCII(name)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a string.
    public mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.appendJSONText(text)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a string, or `null` for nil.
    public mutating func string(_ text: String?) {
        if let text { string(text) } else { null() }
    }

    /// Writes a string given in UTF-8.
    public mutating func string(utf8: RawSpan) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes.appendJSONText(utf8)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a string given in UTF-8.
    public mutating func string(utf8: [UInt8]) { string(utf8: unsafe utf8.span.bytes) }

    /// Writes an integer.
    public mutating func integer(_ value: some FixedWidthInteger) {
        separate()
        bytes.appendDecimal(value)
    }

    /// Writes an integer, or `null` for nil.
    public mutating func integer<Integer: FixedWidthInteger>(_ value: Integer?) {
        if let value { integer(value) } else { null() }
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

    /// Writes a value that is already JSON.
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
