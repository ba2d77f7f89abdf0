internal import JSON

extension AvroSampleScalar {
    /// The bytes of a default, which schemas write otherwise than events: bytes as a string with a
    /// character for each, so that decimals and UUIDs of fixed size are strings, too.
    ///
    /// Source: Apache Avro 1.12, *Complex types*, `default`.
    func encodedDefault(of type: AvroNode, in schema: AvroSchema) -> [UInt8]? {
        guard type.kind.isBytes else { return encoded(as: type, in: schema) }
        guard case .text(let text) = self else { return nil }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        if type.kind == .bytes || type.kind == .decimalOfBytes {
            var sized: [UInt8] = []
            sized.appendLong(Int64(bytes.count))
            return sized + bytes
        }
        return bytes.count == Int(type.count) ? bytes : nil
    }
}

extension AvroSchema {
    /// The branch of a union that a default is of: the first one with values of its kind.
    func branch(of union: AvroNode, forDefault kind: JSONKind) -> Int? {
        (0..<Int(union.count)).first {
            let type = nodes[Int(branches[Int(union.first) + $0])]
            return type.kind.isBytes ? kind == .string : type.mayBe(kind)
        }
    }
}

extension AvroNode.Kind {
    /// True for types whose defaults are bytes.
    fileprivate var isBytes: Bool {
        switch self {
        case .bytes, .fixed, .decimalOfBytes, .decimalOfFixed, .uuidOfFixed: true
        default: false
        }
    }
}
