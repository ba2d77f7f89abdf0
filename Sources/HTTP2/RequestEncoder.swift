internal import CNGHTTP2

/// Writes the header block of a push (RFC 7541), in reused memory.
///
/// Values that a connection repeats are in the peer's table and take one byte: host, provider
/// token, push type, priority and topic. A value that is new each time is written as the index of
/// its name plus the plain characters: they are not looked up in any table, and Huffman coding
/// would cost more than the bytes it saves. As Apple requires, `apns-id`, `apns-expiration` and
/// `apns-collapse-id` are added to the table once, for their names, and never again.
///
/// Functions called for each push are `mutating`, here and in the table, even if they change
/// nothing: methods that only borrow would copy fixed-size arrays.
@safe
struct RequestEncoder: ~Copyable {
    /// Room for the longest fields, including names and lengths.
    private static let capacity = 8192 + 1024
    private let block: UnsafeMutablePointer<UInt8>
    private var used = 0
    private var table = FieldTable()
    private var constants = InlineArray<9, ConstantField>(repeating: ConstantField())

    init() { unsafe block = .allocate(capacity: Self.capacity) }

    deinit { unsafe block.deallocate() }

    /// The block written last.
    var bytes: UnsafeBufferPointer<UInt8> {
        mutating get { unsafe UnsafeBufferPointer(start: block, count: used) }
    }

    /// The peer allows a table of this size from now on.
    mutating func allowTable(_ bytes: Int) { table.allow(bytes) }

    /// The block written last is not sent: the table starts over.
    mutating func forget() { table.forget() }

    /// Writes a request's fields in the order they are sent. If it throws, nothing has changed.
    mutating func encode(_ request: borrowing HTTP2Request) throws(HTTP2Error) {
        try check(request)
        used = 0
        putTableSizes()
        put(3, 7, 0x80)  // :method: POST
        put(7, 7, 0x80)  // :scheme: https
        putNew(.path, request.path, entersTable: false, prefix: 0x00)
        putConstant(.authority, request.authority)
        putConstant(.authorization, request.authorization)
        putNew(request.channelID.isEmpty ? .identifier : .requestID, request.identifier)
        putConstant(.pushType, request.pushType)
        // A single digit is almost always 0, "do not store". It takes one byte when indexed.
        if request.expiration.count == 1 {
            putConstant(.expiration, request.expiration)
        } else {
            putNew(.expiration, request.expiration)
        }
        putConstant(.priority, request.priority)
        putConstant(.topic, request.topic)
        putNew(.collapseID, request.collapseID)
        putNew(.channelID, request.channelID)
    }

    /// Writes a request's fields as they are, and adds none to the table. If it throws, nothing has
    /// changed.
    mutating func encode(_ request: borrowing HTTP2AnyRequest) throws(HTTP2Error) {
        try request.check()
        used = 0
        putTableSizes()
        for field in request.allFields {
            put(0, 4, 0x10)
            let name = [UInt8](field.name.utf8)
            unsafe name.withUnsafeBufferPointer { unsafe put($0) }
            unsafe field.value.withUnsafeBufferPointer { unsafe put($0) }
        }
    }

    /// A block begins with the table's new sizes, if they have changed.
    private mutating func putTableSizes() {
        guard let sizes = table.takeSizes() else { return }
        if let least = sizes.least { put(least, 5, 0x20) }
        put(sizes.now, 5, 0x20)
    }

    /// Checks that all values are valid in a request; unchanged values only once.
    private mutating func check(_ request: borrowing HTTP2Request) throws(HTTP2Error) {
        var length = 0
        var isGood = HeaderFieldCheck.isGood(request.path, &length)
        isGood = HeaderFieldCheck.isGood(request.identifier, &length) && isGood
        isGood = HeaderFieldCheck.isGood(request.expiration, &length) && isGood
        isGood = HeaderFieldCheck.isGood(request.collapseID, &length) && isGood
        isGood = HeaderFieldCheck.isGood(request.channelID, &length) && isGood
        isGood = isGoodConstant(.authority, request.authority, &length) && isGood
        isGood = isGoodConstant(.authorization, request.authorization, &length) && isGood
        isGood = isGoodConstant(.pushType, request.pushType, &length) && isGood
        isGood = isGoodConstant(.priority, request.priority, &length) && isGood
        isGood = isGoodConstant(.topic, request.topic, &length) && isGood
        guard isGood, length <= HeaderFieldCheck.maxLength else { throw request.fault }
    }

    private mutating func isGoodConstant(
        _ field: RequestField, _ value: [UInt8], _ length: inout Int
    ) -> Bool {
        guard constants[Int(field.rawValue)].holds(value) else {
            return HeaderFieldCheck.isGood(value, &length)
        }
        length += value.count
        return true
    }

    /// A field whose value recurs: it is added to the table.
    private mutating func putConstant(_ field: RequestField, _ value: [UInt8]) {
        guard !value.isEmpty else { return }
        let position = Int(field.rawValue)
        if constants[position].version == table.version, constants[position].holds(value) {
            return put(constants[position].index, 7, 0x80)
        }
        if let index = table.whole(field, value) {
            constants[position].found(value, at: index, version: table.version)
            return put(index, 7, 0x80)
        }
        guard table.takes(field, value) else {
            // Intermediaries must not add a secret to their tables either.
            return putLiteral(field, value, 4, field == .authorization ? 0x10 : 0x00)
        }
        putLiteral(field, value, 6, 0x40)
        table.add(field, value)
    }

    /// A field whose value never recurs: it is only added to the table while its name is missing.
    private mutating func putNew(
        _ field: RequestField, _ value: [UInt8], entersTable: Bool = true, prefix: UInt8 = 0x10
    ) {
        guard !value.isEmpty else { return }
        guard entersTable, table.name(of: field) == nil, table.takes(field, value) else {
            return putLiteral(field, value, 4, prefix)
        }
        putLiteral(field, value, 6, 0x40)
        table.add(field, value)
    }

    private mutating func putLiteral(
        _ field: RequestField, _ value: [UInt8], _ bits: UInt8, _ prefix: UInt8
    ) {
        if let index = field.staticIndex ?? table.name(of: field) {
            put(index, bits, prefix)
        } else {
            put(0, bits, prefix)
            let name = field.name
            unsafe put(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        }
        unsafe value.withUnsafeBufferPointer { unsafe put($0) }
    }

    /// A string as it is, after its length.
    private mutating func put(_ text: UnsafeBufferPointer<UInt8>) {
        put(text.count, 7, 0x00)
        precondition(text.count <= Self.capacity - used, "the fields were found short enough")
        if let start = text.baseAddress {
            unsafe (block + used).update(from: start, count: text.count)
        }
        used += text.count
    }

    /// An integer after the first bits of its first byte (RFC 7541, 5.1).
    private mutating func put(_ number: Int, _ bits: UInt8, _ prefix: UInt8) {
        precondition(used <= Self.capacity - 8, "the fields were found short enough")
        let maximum = 1 << Int(bits) - 1
        guard number >= maximum else { return put(prefix | UInt8(truncatingIfNeeded: number)) }
        putLong(number, maximum, prefix)
    }

    private mutating func putLong(_ number: Int, _ maximum: Int, _ prefix: UInt8) {
        put(prefix | UInt8(truncatingIfNeeded: maximum))
        var rest = number - maximum
        while rest >= 128 {
            put(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        put(UInt8(truncatingIfNeeded: rest))
    }

    private mutating func put(_ byte: UInt8) {
        unsafe block[used] = byte
        used += 1
    }
}
