internal import Encoding
internal import JSON

/// Values that contain no others.
extension AvroReader {
    mutating func readScalar(
        _ type: AvroNode, _ bytes: RawSpan, _ schema: AvroSchema
    ) throws(AvroFault) {
        switch type.kind {
        case .null: text.appendASCII("null")
        case .boolean: try readBoolean(bytes)
        case .int: text.appendDecimal(Int64(try readInt(bytes)))
        case .long: text.appendDecimal(try readLong(bytes))
        case .float: try readFloat(bytes)
        case .double: try readDouble(bytes)
        case .string: try readString(bytes)
        case .bytes: try readBytes(try readSize(bytes), bytes)
        case .fixed: try readBytes(Int(type.count), bytes)
        case .decimalOfBytes: try readDecimal(type, try readSize(bytes), bytes)
        case .decimalOfFixed: try readDecimal(type, Int(type.count), bytes)
        case .uuidOfFixed: try readUUID(bytes)
        case .symbol: try readSymbol(type, bytes, schema)
        case .date, .timeOfMillis: writeTime(type.kind, Int64(try readInt(bytes)))
        case .timeOfMicros, .millis, .micros, .nanos, .localMillis, .localMicros, .localNanos:
            writeTime(type.kind, try readLong(bytes))
        // What contains others is read elsewhere.
        case .record, .array, .map, .union: break
        }
    }

    private mutating func readBoolean(_ bytes: RawSpan) throws(AvroFault) {
        switch try readByte(bytes) {
        case 0: text.appendASCII("false")
        case 1: text.appendASCII("true")
        case let byte: throw fault("a boolean is 0 or 1, not \(byte)", at: position - 1)
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
        guard text.appendJSONString(validUTF8: bytes.extracting(position..<position + size))
        else { throw fault("the string is not valid UTF-8", at: start) }
        position += size
    }

    private mutating func readSymbol(
        _ type: AvroNode, _ bytes: RawSpan, _ schema: AvroSchema
    ) throws(AvroFault) {
        let start = position
        let index = try readLong(bytes)
        guard index >= 0, index < Int64(type.count) else {
            throw fault("the enum has no symbol \(index)", at: start)
        }
        let symbol = schema.symbols[Int(type.first) + Int(index)]
        text.append(schema.texts, from: Int(symbol.start), to: Int(symbol.end))
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
            throw fault(
                "the decimal has \(size) bytes; the limit is \(AvroDecimal.byteLimit)")
        }
        digits.read(bytes.extracting(position..<position + size))
        digits.write(scale: Int(type.scale), to: &text)
        position += size
    }
}

// MARK: Bytes

extension AvroReader {
    private mutating func readByte(_ bytes: RawSpan) throws(AvroFault) -> UInt8 {
        guard position < bytes.byteCount else { throw fault("the record ends too early") }
        position += 1
        return bytes.byte(at: position - 1)
    }

    /// Reads a number of variable length: seven bits of each byte, the lowest first, and the sign
    /// in the lowest bit.
    mutating func readLong(_ bytes: RawSpan) throws(AvroFault) -> Int64 {
        let first = try readByte(bytes)
        guard first >= 0x80 else { return Int64(first >> 1) ^ -Int64(first & 1) }
        let start = position - 1
        var bits = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while true {
            let byte = try readByte(bytes)
            guard shift < 63 || byte <= 1 else {
                throw fault("a number has more than 64 bits", at: start)
            }
            bits |= UInt64(byte & 0x7F) << shift
            guard byte >= 0x80 else { break }
            shift += 7
        }
        return Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
    }

    private mutating func readInt(_ bytes: RawSpan) throws(AvroFault) -> Int32 {
        let start = position
        let value = try readLong(bytes)
        guard let int = Int32(exactly: value) else {
            throw fault("\(value) does not fit into an int", at: start)
        }
        return int
    }

    /// Reads how many bytes follow, and makes sure that they do.
    private mutating func readSize(_ bytes: RawSpan) throws(AvroFault) -> Int {
        let start = position
        let size = try readLong(bytes)
        guard size >= 0, size <= Int64(bytes.byteCount - position) else {
            throw fault(
                "it has \(size) bytes, but \(bytes.byteCount - position) are left", at: start)
        }
        return Int(size)
    }

    private func require(_ size: Int, _ bytes: RawSpan) throws(AvroFault) {
        guard size <= bytes.byteCount - position else {
            throw fault("it has \(size) bytes, but \(bytes.byteCount - position) are left")
        }
    }
}
