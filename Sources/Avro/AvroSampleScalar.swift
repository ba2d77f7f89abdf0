internal import Encoding
internal import JSON

/// A value of a JSON text that contains no others.
enum AvroSampleScalar {
    case null
    case boolean(Bool)
    case number(String)
    case text(String)

    /// A value of a JSON text; nil for an array and an object.
    init?(_ value: Int, _ tape: borrowing JSONTape, in json: [UInt8]) {
        let node = tape[value]
        let token = json[Int(node.start)..<Int(node.end)]
        switch node.kind {
        case .null: self = .null
        case .boolean: self = .boolean(token.first == UInt8(ascii: "t"))
        case .number: self = .number(String(decoding: token, as: UTF8.self))
        case .string: self = .text(tape.text(of: value, in: json) ?? "")
        case .array, .object: return nil
        }
    }

    /// Its bytes as a type; nil if it is none of its values.
    func encoded(as type: AvroNode, in schema: AvroSchema) -> [UInt8]? {
        switch (type.kind, self) {
        case (.null, .null): []
        case (.boolean, .boolean(let value)): [value ? 1 : 0]
        case (.int, .number(let token)): Int32(token).map { Self.long(Int64($0)) }
        case (.long, .number(let token)): Int64(token).map(Self.long)
        case (.float, .number(let token)):
            Self.finite(Float(token)).map { Self.bytes($0.bitPattern) }
        case (.double, .number(let token)):
            Self.finite(Double(token)).map { Self.bytes($0.bitPattern) }
        case (.string, .text(let text)): Self.sized(Array(text.utf8))
        case (.bytes, .text(let text)):
            Base64.standard.decode(Array(text.utf8)).map(Self.sized)
        case (.fixed, .text(let text)):
            Base64.standard.decode(Array(text.utf8)).flatMap {
                $0.count == Int(type.count) ? $0 : nil
            }
        case (.uuidOfFixed, .text(let text)): Self.uuid(text)
        case (.symbol, .text(let text)):
            type.words(in: schema).firstIndex(of: text).map { Self.long(Int64($0)) }
        case (.decimalOfBytes, .number(let token)):
            DecimalBytes.of(token, scale: Int(type.scale)).map(Self.sized)
        case (.decimalOfFixed, .number(let token)):
            DecimalBytes.of(token, scale: Int(type.scale)).flatMap {
                DecimalBytes.extended($0, to: Int(type.count))
            }
        case (.date, .number(let token)), (.timeOfMillis, .number(let token)):
            Int32(token).map { Self.long(Int64($0)) }
        case (_, .number(let token)) where type.kind.isTime: Int64(token).map(Self.long)
        case (_, .text(let text)) where type.kind.isTime:
            AvroTimeText.value(text, type.kind).map(Self.long)
        default: nil
        }
    }

    /// A number that is not too large for its type.
    private static func finite<Number: FloatingPoint>(_ value: Number?) -> Number? {
        value.flatMap { $0.isFinite ? $0 : nil }
    }

    private static func long(_ value: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendLong(value)
        return bytes
    }

    private static func sized(_ content: [UInt8]) -> [UInt8] {
        long(Int64(content.count)) + content
    }

    private static func bytes(_ bits: some FixedWidthInteger) -> [UInt8] {
        (0..<bits.bitWidth / 8).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) }
    }

    private static func uuid(_ text: String) -> [UInt8]? {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }.map { Hexadecimal.value(of: $0) }
        guard digits.count == 32, text.utf8.count == 36 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 32, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }
}

extension [UInt8] {
    /// Appends a number of variable length: seven bits of each byte, the lowest first, and the sign
    /// in the lowest bit.
    mutating func appendLong(_ value: Int64) {
        var bits = UInt64(bitPattern: value << 1 ^ value >> 63)
        while bits >= 0x80 {
            append(UInt8(truncatingIfNeeded: bits) | 0x80)
            bits >>= 7
        }
        append(UInt8(bits))
    }
}

extension AvroNode {
    /// The symbols of an enum.
    func words(in schema: AvroSchema) -> [String] {
        schema.symbols[Int(first)..<Int(first) + Int(count)].map { schema.content(of: $0) }
    }

    /// False if no value of a kind is one of the type.
    func mayBe(_ kind: JSONKind) -> Bool {
        switch self.kind {
        case .null: kind == .null
        case .boolean: kind == .boolean
        case .int, .long, .float, .double, .decimalOfBytes, .decimalOfFixed: kind == .number
        case .string, .bytes, .fixed, .uuidOfFixed, .symbol: kind == .string
        case .record, .map: kind == .object
        case .array: kind == .array
        case .union: true
        default: kind == .number || kind == .string
        }
    }

    /// What its values are, in a sentence about one that is not.
    func expectation(in schema: AvroSchema) -> String {
        switch kind {
        case .null: "null"
        case .boolean: "true or false"
        case .int: "a whole number of 32 bits"
        case .long: "a whole number of 64 bits"
        case .float: "a number of 32 bits"
        case .double: "a number of 64 bits"
        case .decimalOfBytes, .decimalOfFixed: "a number with at most \(scale) decimals"
        case .string: "a string"
        case .bytes: "a string in Base64"
        case .fixed: "\(count) bytes in Base64"
        case .uuidOfFixed: "a UUID"
        case .symbol: words(in: schema).joined(separator: " or ")
        case .record, .map: "an object"
        case .array: "an array"
        case .union:
            schema.branches[Int(first)..<Int(first) + Int(count)].map {
                schema.nodes[Int($0)].expectation(in: schema)
            }.joined(separator: " or ")
        case .date: "a date such as 2026-01-31"
        case .timeOfMillis, .timeOfMicros: "a time such as 10:00:00.000"
        case .localMillis, .localMicros, .localNanos: "a time such as 2026-01-31T10:00:00.000"
        case .millis, .micros, .nanos: "a time such as 2026-01-31T10:00:00.000Z"
        }
    }
}
