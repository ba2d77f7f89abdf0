internal import Encoding
internal import JSON

/// Values that contain no others.
extension AvroReader {
    mutating func readScalar(
        _ type: AvroNode, _ bytes: RawSpan, _ schema: AvroSchema
    ) throws(AvroFault) {
        let start = text.count
        switch type.kind {
        case .string: return try readString(bytes)
        case .symbol: return try readSymbol(type, bytes, schema)
        case .int: text.appendDecimal(Int64(try readInt(bytes)))
        case .long: text.appendDecimal(try readLong(bytes))
        case .null: text.appendASCII("null")
        case .boolean: try readBoolean(bytes)
        case .float: try readFloat(bytes)
        case .double: try readDouble(bytes)
        case .bytes: try readBytes(try readSize(bytes), bytes)
        case .fixed: try readBytes(Int(type.count), bytes)
        case .decimalOfBytes: try readDecimal(type, try readSize(bytes), bytes)
        case .decimalOfFixed: try readDecimal(type, Int(type.count), bytes)
        case .uuidOfFixed: try readUUID(bytes)
        case .date, .timeOfMillis: writeTime(type.kind, Int64(try readInt(bytes)))
        case .timeOfMicros, .millis, .micros, .nanos, .localMillis, .localMicros, .localNanos:
            writeTime(type.kind, try readLong(bytes))
        // What contains others is read elsewhere.
        case .record, .array, .map, .union: return
        }
        let kind: JSONKind =
            switch text[start] {
            case UInt8(ascii: "\""): .string
            case UInt8(ascii: "n"): .null
            case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
            default: .number
            }
        tape.append(kind, from: start, to: text.count)
    }

    private mutating func readBoolean(_ bytes: RawSpan) throws(AvroFault) {
        switch try readByte(bytes) {
        case 0: text.appendASCII("false")
        case 1: text.appendASCII("true")
        case let byte: throw AvroFault("a boolean is 0 or 1, not \(byte)", at: position - 1)
        }
    }

    private mutating func readFloat(_ bytes: RawSpan) throws(AvroFault) {
        var bits: UInt32 = 0
        for index in 0..<4 { bits |= UInt32(try readByte(bytes)) << UInt32(8 * index) }
        let value = Float(bitPattern: bits)
        write(value, isFinite: value.isFinite)
    }

    private mutating func readDouble(_ bytes: RawSpan) throws(AvroFault) {
        var bits: UInt64 = 0
        for index in 0..<8 { bits |= UInt64(try readByte(bytes)) << UInt64(8 * index) }
        let value = Double(bitPattern: bits)
        write(value, isFinite: value.isFinite)
    }

    /// Writes the shortest digits that give the same number; JSON has no infinities.
    private mutating func write(_ value: some CustomStringConvertible, isFinite: Bool) {
        guard isFinite else { return text.appendASCII("null") }
        for byte in value.description.utf8 { text.append(byte) }
    }

    /// Reads a string, which is written with quotation marks.
    mutating func readString(_ bytes: RawSpan) throws(AvroFault) {
        let start = position
        let size = try readSize(bytes)
        let first = text.count
        guard text.appendJSONString(validUTF8: bytes.extracting(position..<position + size))
        else { throw AvroFault("the string is not valid UTF-8", at: start) }
        position += size
        // With its quotation marks it is longer than that only if something is escaped.
        tape.append(
            .string, from: first, to: text.count, hasEscapes: text.count - first > size + 2)
    }

    private mutating func readSymbol(
        _ type: AvroNode, _ bytes: RawSpan, _ schema: AvroSchema
    ) throws(AvroFault) {
        let start = position
        let index = try readLong(bytes)
        guard index >= 0, index < Int64(type.count) else {
            throw AvroFault("the enum has no symbol \(index)", at: start)
        }
        let symbol = schema.symbols[Int(type.first) + Int(index)]
        let first = text.count
        text.append(schema.texts, from: Int(symbol.start), to: Int(symbol.end))
        tape.append(.string, from: first, to: text.count, hasEscapes: symbol.hasEscapes)
    }

    /// Writes the name of a field with its colon, and with a comma in front unless it is the first.
    @inline(__always)
    mutating func write(name: AvroText, of schema: AvroSchema, isFirst: Bool) {
        let comma = isFirst ? 0 : 1
        let start = text.count + comma
        text.append(schema.texts, from: Int(name.start) - comma, to: Int(name.end) + 1)
        tape.append(.string, from: start, to: text.count - 1, hasEscapes: name.hasEscapes)
    }

    /// Writes bytes in Base64.
    private mutating func readBytes(_ size: Int, _ bytes: RawSpan) throws(AvroFault) {
        try require(size, bytes)
        text.append(UInt8(ascii: "\""))
        let end = position + size
        while position < end {
            let count = min(3, end - position)
            var group: UInt32 = 0
            for index in 0..<3 {
                group <<= 8
                if index < count { group |= UInt32(bytes.byte(at: position + index)) }
            }
            for index in 0..<4 {
                text.append(
                    index > count
                        ? UInt8(ascii: "=")
                        : Base64.standard.character(of: UInt8(group >> UInt32(18 - 6 * index) & 63))
                )
            }
            position += count
        }
        text.append(UInt8(ascii: "\""))
    }

    /// Writes 16 bytes as `8-4-4-4-12` hexadecimal digits.
    private mutating func readUUID(_ bytes: RawSpan) throws(AvroFault) {
        try require(16, bytes)
        text.append(UInt8(ascii: "\""))
        for index in 0..<16 {
            if index == 4 || index == 6 || index == 8 || index == 10 {
                text.append(UInt8(ascii: "-"))
            }
            let byte = bytes.byte(at: position + index)
            text.append(Hexadecimal.digit(byte >> 4))
            text.append(Hexadecimal.digit(byte & 15))
        }
        text.append(UInt8(ascii: "\""))
        position += 16
    }

    private mutating func readDecimal(
        _ type: AvroNode, _ size: Int, _ bytes: RawSpan
    ) throws(AvroFault) {
        try require(size, bytes)
        guard size <= AvroDecimal.byteLimit else {
            throw AvroFault(
                "the decimal has \(size) bytes; the limit is \(AvroDecimal.byteLimit)",
                at: position)
        }
        let value = bytes.extracting(position..<position + size)
        if size > 8 || type.scale > Self.smallScale {
            digits.read(value)
            digits.write(scale: Int(type.scale), to: &text)
        } else {
            writeDecimal(of: value, scale: type.scale)
        }
        position += size
    }
}

// MARK: Decimals

extension AvroReader {
    /// The most digits behind the point whose power of ten is a number of 64 bits.
    private static let smallScale: Int32 = 18

    /// Writes a decimal of at most eight bytes.
    private mutating func writeDecimal(of bytes: RawSpan, scale: Int32) {
        var value: Int64 = 0
        for index in 0..<bytes.byteCount {
            let byte = bytes.byte(at: index)
            value = index == 0 ? Int64(Int8(bitPattern: byte)) : value << 8 | Int64(byte)
        }
        guard scale > 0 else { return text.appendDecimal(value) }
        var power: Int64 = 1
        for _ in 0..<scale { power *= 10 }
        if value < 0 { text.append(UInt8(ascii: "-")) }
        let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: UInt64(power))
        text.appendDecimal(Int64(whole))
        text.append(UInt8(ascii: "."))
        text.appendDigits(rest, count: Int(scale))
    }
}

// MARK: Bytes

extension AvroReader {
    @inline(__always)
    private mutating func readByte(_ bytes: RawSpan) throws(AvroFault) -> UInt8 {
        guard position < bytes.byteCount else { 
            throw AvroFault("the record ends too early", at: position)
        }
        position += 1
        return bytes.byte(at: position - 1)
    }

    /// Reads a number of variable length: seven bits of each byte, the lowest first, and the sign
    /// in the lowest bit.
    @inline(__always)
    mutating func readLong(_ bytes: RawSpan) throws(AvroFault) -> Int64 {
        let first = try readByte(bytes)
        guard first >= 0x80 else { return Int64(first >> 1) ^ -Int64(first & 1) }
        return try readLongerLong(first, bytes)
    }

    @inline(never)
    private mutating func readLongerLong(
        _ first: UInt8, _ bytes: RawSpan
    ) throws(AvroFault) -> Int64 {
        let start = position - 1
        var bits = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while true {
            let byte = try readByte(bytes)
            guard shift < 63 || byte <= 1 else {
                throw AvroFault("a number has more than 64 bits", at: start)
            }
            bits |= UInt64(byte & 0x7F) &<< shift
            guard byte >= 0x80 else { break }
            shift &+= 7
        }
        return Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
    }

    private mutating func readInt(_ bytes: RawSpan) throws(AvroFault) -> Int32 {
        let start = position
        let value = try readLong(bytes)
        guard let int = Int32(exactly: value) else {
            throw AvroFault("\(value) does not fit into an int", at: start)
        }
        return int
    }

    /// Reads how many bytes follow, and makes sure that they do.
    private mutating func readSize(_ bytes: RawSpan) throws(AvroFault) -> Int {
        let start = position
        let size = try readLong(bytes)
        guard size >= 0, size <= Int64(bytes.byteCount - position) else {
            throw Self.sizeFault(size, left: bytes.byteCount - position, at: start)
        }
        return Int(size)
    }

    private mutating func require(_ size: Int, _ bytes: RawSpan) throws(AvroFault) {
        guard size <= bytes.byteCount - position else {
            throw Self.sizeFault(
                Int64(size), left: bytes.byteCount - position, at: position)
        }
    }

    @inline(never)
    private static func sizeFault(_ size: Int64, left: Int, at byte: Int) -> AvroFault {
        AvroFault("it has \(size) bytes, but \(left) are left", at: byte)
    }
}
