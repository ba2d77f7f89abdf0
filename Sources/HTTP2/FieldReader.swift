/// Iterates over the fields of a header block (RFC 7541, section 6).
@safe
struct FieldReader {
    private let block: UnsafeBufferPointer<UInt8>
    private var place = 0

    /// How each field is represented, up to the first error.
    static func read(_ block: UnsafeBufferPointer<UInt8>) -> HeaderRepresentations {
        var reader = unsafe FieldReader(block: block)
        var found = HeaderRepresentations()
        while reader.place < block.count {
            guard let representation = reader.next() else { break }
            if let representation { found.append(representation) }
        }
        return found
    }

    private init(block: UnsafeBufferPointer<UInt8>) { unsafe self.block = block }

    /// The next representation; `.some(nil)` for a table size update, nil at an error.
    private mutating func next() -> HeaderRepresentation?? {
        let first = unsafe block[place]
        if first & 0x80 != 0 {
            return integer(7) == nil ? nil : .some(HeaderRepresentation(.indexed))
        }
        if first & 0xE0 == 0x20 { return integer(5) == nil ? nil : .some(nil) }
        let isIncremental = first & 0x40 != 0
        let kind: HeaderRepresentation.Kind =
            isIncremental
            ? .incrementalIndexing : first & 0x10 != 0 ? .neverIndexed : .withoutIndexing
        guard let index = integer(isIncremental ? 6 : 4) else { return nil }
        var isNameHuffman = false
        if index == 0 {
            guard let isHuffman = text() else { return nil }
            isNameHuffman = isHuffman
        }
        guard let isValueHuffman = text() else { return nil }
        return HeaderRepresentation(
            kind, isNameIndexed: index != 0, isNameHuffman: isNameHuffman,
            isValueHuffman: isValueHuffman)
    }

    /// Skips a string; returns whether it is Huffman-encoded.
    private mutating func text() -> Bool? {
        guard unsafe place < block.count else { return nil }
        let isHuffman = unsafe block[place] & 0x80 != 0
        guard let length = integer(7), unsafe length <= block.count - place else { return nil }
        place += length
        return isHuffman
    }

    /// An integer with a prefix of this many bits (RFC 7541, 5.1).
    private mutating func integer(_ bits: UInt8) -> Int? {
        let limit = 1 << Int(bits) - 1
        var value = unsafe Int(block[place]) & limit
        place += 1
        guard value == limit else { return value }
        for shift in [0, 7, 14, 21] {
            guard unsafe place < block.count else { return nil }
            let byte = unsafe Int(block[place])
            place += 1
            value += (byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
