/// A response of the most common form: a status of 200, an `apns-id` that is a UUID, and nothing
/// else, in one header block that leaves the header table as it is.
struct PlainResponse {
    let identifier: UInt128
    /// The index of the field's name in the peer's table; 0 when the name is spelled out.
    let nameIndex: Int
}

/// Reads header blocks of plain responses (RFC 7541, section 6), and recognises all others by
/// their first bytes.
@safe
struct PlainResponseReader: ~Copyable {
    /// The longest block of this form: two indices, the name, two lengths and 36 characters.
    static let maxLength = 64
    private static let slack = HexadecimalCodes.slack
    private static let status200: UInt8 = 0x88

    private var codes = HexadecimalCodes()
    /// A copy of a block that ends too close to the end of the received bytes.
    private let copy: UnsafeMutableRawPointer

    init() {
        unsafe copy = .allocate(byteCount: Self.maxLength + Self.slack, alignment: 16)
        unsafe copy.initializeMemory(
            as: UInt8.self, repeating: 0, count: Self.maxLength + Self.slack)
    }

    deinit { unsafe copy.deallocate() }

    /// Reads the block that `bytes` starts with; nil for any other response.
    mutating func read(_ bytes: UnsafeRawBufferPointer, length: Int) -> PlainResponse? {
        guard length >= 8, length <= Self.maxLength, let start = bytes.baseAddress else {
            return nil
        }
        guard unsafe bytes[0] == Self.status200 else { return nil }
        guard bytes.count < length + Self.slack else {
            return unsafe read(start, length)
        }
        unsafe copy.copyMemory(from: start, byteCount: length)
        return unsafe read(UnsafeRawPointer(copy), length)
    }

    private mutating func read(_ block: UnsafeRawPointer, _ length: Int) -> PlainResponse? {
        let first = unsafe block.load(fromByteOffset: 1, as: UInt8.self)
        // A literal field that does not enter the table, without indexing or never indexed.
        guard first < 0x20 else { return nil }
        var (index, position) = (Int(first & 0x0F), 2)
        if index == 0x0F {
            let more = unsafe block.load(fromByteOffset: 2, as: UInt8.self)
            guard more < 0x80 else { return nil }
            (index, position) = (0x0F + Int(more), 3)
        } else if index == 0 {
            position += unsafe Self.lengthOfName(block + 2)
            guard position > 2 else { return nil }
        }
        guard position + 2 < length else { return nil }
        let head = unsafe block.load(fromByteOffset: position, as: UInt8.self)
        let text = unsafe UnsafeRawBufferPointer(
            start: block + position + 1, count: length - position - 1)
        guard Int(head & 0x7F) == text.count else { return nil }
        let isHuffman = head & 0x80 != 0
        guard
            let number = unsafe isHuffman
                ? codes.number(text) : UUIDText.number(text.bindMemory(to: UInt8.self))
        else { return nil }
        return PlainResponse(identifier: number, nameIndex: index)
    }

    /// The length of the string if it is `apns-id`, plain or in Huffman's code; otherwise 0.
    private static func lengthOfName(_ text: UnsafeRawPointer) -> Int {
        let word = unsafe UInt64(bigEndian: text.loadUnaligned(as: UInt64.self))
        if word == 0x07_61_70_6E_73_2D_69_64 { return 8 }
        return word >> 16 == 0x85_1D_75_21_63_49 ? 6 : 0
    }
}
