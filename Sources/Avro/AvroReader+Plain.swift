internal import Encoding
internal import JSON

/// What most records consist of.
extension AvroReader {
    /// Reads fields of a record from one on, as long as they are plain. The index is then that of
    /// the first that is not, or that is wrong, whose fault is found elsewhere; true if its name
    /// has been written.
    mutating func readPlainFields(
        _ fields: Range<Int>, _ index: inout Int, _ bytes: RawSpan, _ schema: AvroSchema
    ) -> Bool {
        precondition(
            fields.lowerBound <= index && index < fields.upperBound
                && fields.upperBound <= schema.fields.count, "fields of the schema")
        return unsafe schema.fields.withUnsafeBufferPointer { table in
            unsafe schema.texts.withUnsafeBytes { texts in
                unsafe bytes.withUnsafeBytes { bytes in
                    guard let table = table.baseAddress, let texts = texts.baseAddress,
                        let input = bytes.baseAddress
                    else { return false }
                    var isNamed = false
                    text.appendPlainMembers(&tape, limit: Self.textLimit) { members in
                        let run = unsafe AvroPlainFields(
                            field: table + index, first: table + fields.lowerBound,
                            last: table + fields.upperBound, texts: texts,
                            input: input.assumingMemoryBound(to: UInt8.self), end: bytes.count,
                            position: position, members: members)
                        let end = unsafe AvroPlainFields.read(run, schema.symbols, &times)
                        (index, position) = unsafe (end.field - table, end.position)
                        isNamed = unsafe end.isNamed
                        return unsafe end.members
                    }
                    return isNamed
                }
            }
        }
    }
}

/// A run of plain fields: numbers, strings, symbols, short decimals, and milliseconds.
@unsafe private struct AvroPlainFields {
    /// The next field, the first one of the record, and the end of its fields.
    var field: UnsafePointer<AvroField>
    let first: UnsafePointer<AvroField>
    let last: UnsafePointer<AvroField>
    let texts: UnsafeRawPointer
    let input: UnsafePointer<UInt8>
    let end: Int
    var position: Int
    var members: PlainMembers
    /// True when the name of the next field has been written.
    var isNamed = false

    /// Reads with a copy: its address is not taken, so that it stays in registers.
    @inline(never)
    static func read(
        _ run: AvroPlainFields, _ symbols: [AvroText], _ times: inout TimestampWriter
    ) -> AvroPlainFields {
        var run = unsafe run
        while unsafe run.field < run.last, unsafe run.writeName() {
            guard unsafe run.readValue(symbols, &times) else {
                unsafe run.isNamed = true
                break
            }
            unsafe run.field += 1
        }
        return unsafe run
    }

    @inline(__always)
    private mutating func writeName() -> Bool {
        let name = unsafe field.pointee.text
        let comma = unsafe field == first ? 0 : 1
        let size = name.count &+ comma &+ 1
        guard unsafe members.hasRoom(for: size) else { return false }
        let start = unsafe members.count &+ comma
        let end = unsafe members.write(
            texts + (Int(name.start) &- comma), count: size, at: members.count)
        unsafe members.commit(
            .string, from: start &+ 1, to: end &- 2, hasEscapes: name.hasEscapes, count: end)
        return true
    }

    /// Reads a value; false, and nothing is read, if it is not plain.
    @inline(__always)
    private mutating func readValue(
        _ symbols: [AvroText], _ times: inout TimestampWriter
    ) -> Bool {
        let type = unsafe field.pointee.type
        switch type.kind {
        case .int, .long, .string, .symbol, .decimalOfBytes, .millis: break
        default: return false
        }
        // The number is the value, or says where it is.
        guard unsafe members.hasRoom(for: 0), let (number, next) = unsafe readNumber() else {
            return false
        }
        switch type.kind {
        case .int, .long: return unsafe writeNumber(number, isInt: type.kind == .int, next)
        case .millis: return unsafe writeTime(times.characters(milliseconds: number), next)
        case .symbol:
            guard number >= 0, number < Int64(type.count) else { return false }
            return unsafe writeSymbol(symbols[Int(type.first) &+ Int(number)], next)
        default:
            guard number >= 0, unsafe number <= Int64(end &- next) else { return false }
            let bytes = unsafe UnsafeRawBufferPointer(start: input + next, count: Int(number))
            return type.kind == .string
                ? unsafe writeString(bytes, next) : unsafe writeDecimal(bytes, type.scale, next)
        }
    }

    /// A number of at most nine bytes, and the offset behind it; nil if it is longer or not whole.
    @inline(__always)
    private func readNumber() -> (Int64, Int)? {
        var next = unsafe position
        guard unsafe next < end else { return nil }
        var bits = unsafe UInt64(input[next])
        next &+= 1
        if bits >= 0x80 {
            bits &= 0x7F
            var shift: UInt64 = 7
            while true {
                guard unsafe next < end, shift < 63 else { return nil }
                let byte = unsafe UInt64(input[next])
                next &+= 1
                bits |= (byte & 0x7F) &<< shift
                if byte < 0x80 { break }
                shift &+= 7
            }
        }
        return (Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1), next)
    }

    @inline(__always)
    private mutating func writeNumber(_ number: Int64, isInt: Bool, _ next: Int) -> Bool {
        guard !isInt || number == Int64(Int32(truncatingIfNeeded: number)),
            let end = unsafe members.write(number: number, at: members.count)
        else { return false }
        unsafe members.commit(.number, from: members.count, to: end, count: end)
        unsafe position = next
        return true
    }

    /// Writes a decimal of at most four bytes.
    @inline(__always)
    private mutating func writeDecimal(
        _ bytes: UnsafeRawBufferPointer, _ scale: Int32, _ next: Int
    ) -> Bool {
        guard bytes.count > 0, bytes.count <= 4 else { return false }
        var number = unsafe Int64(Int8(bitPattern: bytes[0]))
        for index in 1..<bytes.count { number = unsafe number << 8 | Int64(bytes[index]) }
        guard let end = unsafe members.write(number: number, scale: Int(scale), at: members.count)
        else { return false }
        unsafe members.commit(.number, from: members.count, to: end, count: end)
        unsafe position = next &+ bytes.count
        return true
    }

    @inline(__always)
    private mutating func writeTime(_ text: (UInt64, UInt64, UInt64)?, _ next: Int) -> Bool {
        guard let text else { return false }
        let end = unsafe members.write(characters: text, at: members.count)
        unsafe commitString(upTo: end)
        unsafe position = next
        return true
    }

    @inline(__always)
    private mutating func writeSymbol(_ symbol: AvroText, _ next: Int) -> Bool {
        guard unsafe members.hasRoom(for: symbol.count) else { return false }
        let end = unsafe members.write(
            texts + Int(symbol.start), count: symbol.count, at: members.count)
        unsafe commitString(upTo: end, hasEscapes: symbol.hasEscapes)
        unsafe position = next
        return true
    }

    @inline(__always)
    private mutating func writeString(_ content: UnsafeRawBufferPointer, _ next: Int) -> Bool {
        guard unsafe members.hasRoom(for: content.count),
            let end = unsafe members.write(plain: content, at: members.count)
        else { return false }
        unsafe commitString(upTo: end)
        unsafe position = next &+ content.count
        return true
    }

    @inline(__always)
    private mutating func commitString(upTo end: Int, hasEscapes: Bool = false) {
        unsafe members.commit(
            .string, from: members.count &+ 1, to: end &- 1, hasEscapes: hasEscapes, count: end)
    }
}
