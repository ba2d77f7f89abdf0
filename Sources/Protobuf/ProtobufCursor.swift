internal import JSON

/// Reads what stands in front of a message: which one it is.
struct ProtobufCursor {
    /// The deepest nesting of messages in a file.
    private static let depthLimit = 64
    /// The longest name of a message.
    private static let nameLimit = 1 << 12

    var position: Int

    /// Reads how many indexes there are, and those; a zero stands for the first message. Some
    /// producers write them as unsigned numbers.
    mutating func readIndexes(
        _ bytes: RawSpan, areSigned: Bool = true, into indexes: inout [Int32]
    ) throws(ProtobufFault) {
        indexes.removeAll(keepingCapacity: true)
        let start = position
        let count = try readIndex(bytes, isSigned: areSigned)
        guard count != 0 else { return indexes.append(0) }
        guard count > 0, count <= Int64(Self.depthLimit) else {
            throw ProtobufFault(
                byte: start, message: "\(count) is not the number of a message's indexes")
        }
        for _ in 0..<count {
            let start = position
            let index = try readIndex(bytes, isSigned: areSigned)
            guard let index = Int32(exactly: index) else {
                throw ProtobufFault(
                    byte: start, message: "the schema has no message at [\(index)]")
            }
            indexes.append(index)
        }
    }

    /// Reads Apicurio's `Ref`: its size, and a message whose first field is a name.
    mutating func readName(_ bytes: RawSpan) throws(ProtobufFault) -> [UInt8] {
        let start = position
        let size = try readNumber(bytes)
        guard size <= UInt64(bytes.byteCount - position), size <= UInt64(Self.nameLimit) else {
            throw ProtobufFault(byte: start, message: "it does not begin with a message's name")
        }
        let end = position + Int(size)
        var name: [UInt8] = []
        while position < end {
            let field = try readNumber(bytes)
            guard field & 7 == 2, field >> 3 > 0 else {
                throw ProtobufFault(
                    byte: start, message: "it does not begin with a message's name")
            }
            let size = try readNumber(bytes)
            guard position <= end, size <= UInt64(end - position) else {
                throw ProtobufFault(
                    byte: start, message: "it does not begin with a message's name")
            }
            if field >> 3 == 1 {
                name.replace(with: bytes.extracting(position..<position + Int(size)))
            }
            position += Int(size)
        }
        guard position == end, !name.isEmpty else {
            throw ProtobufFault(byte: start, message: "it does not begin with a message's name")
        }
        return name
    }

    /// A number; if it is signed, its lowest bit is its sign.
    private mutating func readIndex(
        _ bytes: RawSpan, isSigned: Bool
    ) throws(ProtobufFault) -> Int64 {
        let bits = try readNumber(bytes)
        guard isSigned else { return Int64(clamping: bits) }
        return Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
    }

    /// Seven bits of each byte, the lowest first.
    private mutating func readNumber(_ bytes: RawSpan) throws(ProtobufFault) -> UInt64 {
        let start = position
        var bits: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            guard position < bytes.byteCount else {
                throw ProtobufFault(byte: position, message: "the record ends too early")
            }
            let byte = bytes.byte(at: position)
            guard shift < 63 || byte <= 1 else {
                throw ProtobufFault(byte: start, message: "a number has more than 64 bits")
            }
            position += 1
            bits |= UInt64(byte & 0x7F) << shift
            guard byte >= 0x80 else { return bits }
            shift += 7
        }
    }
}
