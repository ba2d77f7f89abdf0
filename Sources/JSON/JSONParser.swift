/// A single pass over JSON that fills a tape; nesting takes one bit per level.
@safe struct JSONParser: ~Copyable {
    let base: UnsafeRawPointer
    let end: Int
    var index = 0

    let nodes: UnsafeMutablePointer<JSONNode>
    let capacity: Int
    var count = 0

    /// The innermost open container; while it is open, its `next` is the enclosing one.
    private var parent = Int.max
    private var depth = 0
    /// The lowest bit is set when the innermost container is an object.
    private var objects: UInt64 = 0

    /// The most values that a text of this length can contain.
    ///
    /// Each is next to a comma, a colon or a bracket that belongs to no other value, except for
    /// those still open at the end of a truncated text.
    static func capacity(for byteCount: Int) -> Int { byteCount / 2 + JSONTape.depthLimit + 2 }

    /// Parses `buffer` into memory for `capacity` nodes, which must suffice for its length.
    init(
        _ buffer: UnsafeRawBufferPointer, nodes: UnsafeMutablePointer<JSONNode>, capacity: Int
    ) {
        // An empty buffer may have no address; it is never read.
        unsafe base = buffer.baseAddress ?? UnsafeRawPointer(nodes)
        end = buffer.count
        unsafe self.nodes = unsafe nodes
        self.capacity = capacity
    }

    // Rarely called functions are static: a parser whose address is never taken stays in registers.

    /// Parses the whole text and returns what is wrong with it.
    @inline(always)
    mutating func run() -> JSONError? {
        do throws(JSONError) {
            if end >= 3, byte(0) == 0xEF, byte(1) == 0xBB, byte(2) == 0xBF {
                index = 3
            }
            repeat { try readValue() } while try !finishValues()
            return nil
        } catch {
            return error
        }
    }

    /// Reads a scalar, or opens containers down to the first scalar or empty container.
    @inline(always)
    private mutating func readValue() throws(JSONError) {
        while true {
            switch try significantByte("a value is missing") {
            case UInt8(ascii: "\""):
                index &+= 1
                return try readString()
            case UInt8(ascii: "{"):
                try open(.object)
                if try significantByte("the object is not closed") == UInt8(ascii: "}") {
                    return close()
                }
                try readName()
            case UInt8(ascii: "["):
                try open(.array)
                if try significantByte("the array is not closed") == UInt8(ascii: "]") {
                    return close()
                }
            case UInt8(ascii: "t"): return try readWord("true", .boolean)
            case UInt8(ascii: "f"): return try readWord("false", .boolean)
            case UInt8(ascii: "n"): return try readWord("null", .null)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                return try readNumber()
            default: throw fault("expected a value")
            }
        }
    }

    /// After a value: closes containers; true at the end of the text, false before another value.
    @inline(always)
    private mutating func finishValues() throws(JSONError) -> Bool {
        while parent != Int.max {
            let isObject = objects & 1 == 1
            let byte = try significantByte(
                isObject ? "the object is not closed" : "the array is not closed")
            if byte == UInt8(ascii: ",") {
                index &+= 1
                if isObject { try readName() }
                return false
            }
            guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                throw fault(isObject ? "expected ',' or '}'" : "expected ',' or ']'")
            }
            close()
        }
        skipSpace()
        guard index == end else { throw fault("unexpected content after the value") }
        return true
    }

    @inline(always)
    private mutating func readName() throws(JSONError) {
        guard try significantByte("the object is not closed") == UInt8(ascii: "\"") else {
            throw fault("expected a quoted name")
        }
        index &+= 1
        try readString()
        guard try significantByte("the object is not closed") == UInt8(ascii: ":") else {
            throw fault("expected ':'")
        }
        index &+= 1
    }

    @inline(always)
    private mutating func open(_ kind: JSONKind) throws(JSONError) {
        guard depth < JSONTape.depthLimit else { throw fault("nested deeper than 64 levels") }
        depth &+= 1
        objects = objects << 1 | (kind == .object ? 1 : 0)
        append(kind, start: index, end: index)
        unsafe nodes[count &- 1].next = UInt32(truncatingIfNeeded: parent)
        parent = count &- 1
        index &+= 1
    }

    @inline(always)
    private mutating func close() {
        index &+= 1
        let outer = unsafe nodes[parent].next
        unsafe nodes[parent].end = UInt32(truncatingIfNeeded: index)
        unsafe nodes[parent].next = UInt32(truncatingIfNeeded: count)
        parent = outer == UInt32.max ? Int.max : Int(outer)
        depth &-= 1
        // The 64th level shifted nothing out: there is no 65th.
        objects >>= 1
    }

    /// Appends a node without children.
    @inline(always)
    mutating func append(_ kind: JSONKind, start: Int, end: Int, hasEscapes: Bool = false) {
        precondition(count < capacity, "room for every value of the text")
        unsafe (nodes + count).initialize(
            to: JSONNode(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: count &+ 1), kind: kind, hasEscapes: hasEscapes))
        count &+= 1
    }

    /// Skips white space and returns the next byte; `message` is the error if there is none.
    @inline(always)
    private mutating func significantByte(_ message: StaticString) throws(JSONError) -> UInt8 {
        if index < end, case let byte = byte(index), byte > 0x20 { return byte }
        skipSpace()
        guard index < end else { throw Self.tooEarly(message, at: index) }
        return byte(index)
    }

    @inline(always)
    private mutating func skipSpace() {
        while index < end {
            let byte = byte(index)
            guard byte <= 0x20 else { return }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            index &+= 1
        }
    }

    // `load(fromByteOffset:as:)` would become a call.
    @inline(always)
    func byte(_ offset: Int) -> UInt8 {
        unsafe base.assumingMemoryBound(to: UInt8.self)[offset]
    }

    @inline(always)
    func fault(_ message: StaticString) -> JSONError { Self.fault(message, at: index) }

    @inline(never)
    static func fault(_ message: StaticString, at offset: Int) -> JSONError {
        JSONError(offset: offset, message: message.description)
    }

    @inline(never)
    static func tooEarly(_ what: StaticString, at offset: Int) -> JSONError {
        JSONError(offset: offset, message: "unexpected end: \(what)")
    }
}
