internal import CProtobuf
internal import Encoding
internal import JSON

/// A field of a message, as libprotobuf reads it from JSON.
@safe struct ProtobufField {
    let name: String
    let isMap: Bool
    let isList: Bool
    /// The message that its values are; nil for others.
    let type: OpaquePointer?
    private let jsonName: String
    private let kind: cprotobuf_kind
    private let form: cprotobuf_form
    /// The symbols of an enumeration.
    private let symbols: [String]

    /// The fields of a message.
    static func all(of type: OpaquePointer) -> [ProtobufField] {
        (0..<(unsafe cprotobuf_field_count(type))).map { unsafe ProtobufField(type, $0) }
    }

    private init(_ owner: OpaquePointer, _ index: Int) {
        let field = unsafe cprotobuf_field_at(owner, index)
        name = unsafe String(cString: field.name)
        jsonName = unsafe String(cString: field.json_name)
        isMap = unsafe field.is_map
        isList = unsafe field.is_list
        kind = unsafe field.kind
        form = unsafe field.form
        unsafe type = unsafe field.type
        var symbols: [String] = []
        while unsafe field.kind == cprotobuf_enumeration,
            let symbol = unsafe cprotobuf_symbol(owner, index, Int32(symbols.count))
        {
            symbols.append(unsafe String(cString: symbol))
        }
        self.symbols = symbols
    }

    /// JSON may have either name.
    func isNamed(_ name: String) -> Bool { name == self.name || name == jsonName }

    /// False for a value that is none of the field's. Numbers and booleans may be strings.
    func fits(_ value: JSONKind, _ content: String) -> Bool {
        switch kind {
        case cprotobuf_object: return value == .object
        case cprotobuf_list: return value == .array
        case cprotobuf_boolean: return value == .boolean || ["true", "false"].contains(content)
        case cprotobuf_enumeration:
            if value == .string, symbols.contains(content) { return true }
            return isScalar(value) && isInteger(content, Int32.self)
        default: return form == cprotobuf_any_form || isScalar(value) && formFits(value, content)
        }
    }

    private func isScalar(_ value: JSONKind) -> Bool { value == .number || value == .string }

    private func formFits(_ value: JSONKind, _ content: String) -> Bool {
        switch form {
        case cprotobuf_int32: isInteger(content, Int32.self)
        case cprotobuf_int64: isInteger(content, Int64.self)
        case cprotobuf_uint32: isInteger(content, UInt32.self)
        case cprotobuf_uint64: isInteger(content, UInt64.self)
        case cprotobuf_float: isNumber(content, Float(content))
        case cprotobuf_double: isNumber(content, Double(content))
        case cprotobuf_bytes: value == .string && content.utf8.allSatisfy(Self.isBase64)
        case cprotobuf_timestamp: value == .string && content.contains("T")
        case cprotobuf_duration:
            value == .string && content.hasSuffix("s") && Double(content.dropLast()) != nil
        default: value == .string
        }
    }

    /// True for a whole number of a type, however it is written.
    private func isInteger<Integer: FixedWidthInteger>(_ text: String, _: Integer.Type) -> Bool {
        if text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || $0.isDigit }) {
            return Integer(text) != nil
        }
        return Double(text).flatMap { Integer(exactly: $0) } != nil
    }

    private func isNumber(_ text: String, _ value: (some FloatingPoint)?) -> Bool {
        ["NaN", "Infinity", "-Infinity"].contains(text) || value?.isFinite ?? false
    }

    private static func isBase64(_ byte: UInt8) -> Bool {
        byte.isDigit || (65...90).contains(byte) || (97...122).contains(byte)
            || "+/-_=".utf8.contains(byte)
    }

    /// What its values are, in a sentence about one that is not; `list` joins words.
    func expectation(_ list: ([String], _ separator: String) -> String) -> String {
        switch kind {
        case cprotobuf_object: return "an object"
        case cprotobuf_list: return "an array"
        case cprotobuf_boolean: return "true or false"
        case cprotobuf_enumeration: return list(symbols, " or ")
        default: break
        }
        return switch form {
        case cprotobuf_int32: "a whole number of 32 bits"
        case cprotobuf_int64: "a whole number of 64 bits"
        case cprotobuf_uint32: "a whole number of 32 bits without a sign"
        case cprotobuf_uint64: "a whole number of 64 bits without a sign"
        case cprotobuf_float: "a number of 32 bits"
        case cprotobuf_double: "a number of 64 bits"
        case cprotobuf_bytes: "a string in Base64"
        case cprotobuf_timestamp: "a time such as 2026-01-31T10:00:00Z"
        case cprotobuf_duration: "a duration such as \"1.5s\""
        default: "a string"
        }
    }
}
