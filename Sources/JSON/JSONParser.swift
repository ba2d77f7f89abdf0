/// A single pass over JSON that fills a tape; nesting takes one bit per level.
///
/// ``readPlainMembers()`` reads what most texts consist of, and the functions here the rest, one
/// token at a time: they know every rule and every error.
@safe struct JSONParser {
    /// What comes next in the text.
    enum Context { case value, name, behindValue }

    let base: UnsafeRawPointer
    let end: Int
    var index = 0

    let nodes: UnsafeMutablePointer<JSONNode>
    let capacity: Int
    var count = 0

    /// The innermost open container, or -1; while it is open, its `next` is the enclosing one.
    private(set) var parent = -1
    private(set) var depth = 0
    /// The lowest bit is set when the innermost container is an object.
    private(set) var objects: UInt64 = 0
    /// False after white space between tokens, or an escape in a string.
    var isCompact = true
    /// True to accept half of a surrogate pair in an escape.
    var replacesLoneSurrogates = false

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

    /// Parses the whole text and returns what is wrong with it.
    mutating func run() -> JSONError? {
        do throws(JSONError) {
            if end >= 3, byte(0) == 0xEF, byte(1) == 0xBB, byte(2) == 0xBF {
                index = 3
            }
            var entry = Context.value
            while true {
                if entry == .name { entry = readPlainMembers() }
                switch entry {
                case .value: entry = try readValue()
                case .name: entry = try readName()
                case .behindValue where parent >= 0: entry = try finishValue()
                case .behindValue:
                    skipSpace()
                    guard index == end else { throw fault("unexpected content after the value") }
                    return nil
                }
            }
        } catch {
            return error
        }
    }

    /// Reads a scalar, or opens a container.
    private mutating func readValue() throws(JSONError) -> Context {
        switch try significantByte("a value is missing") {
        case UInt8(ascii: "\""): try readString()
        case UInt8(ascii: "{"):
            try open(.object)
            let byte = try significantByte("the object is not closed")
            guard byte == UInt8(ascii: "}") else { return .name }
            close()
        case UInt8(ascii: "["):
            try open(.array)
            let byte = try significantByte("the array is not closed")
            guard byte == UInt8(ascii: "]") else { return .value }
            close()
        case UInt8(ascii: "t"): try readWord("true", .boolean)
        case UInt8(ascii: "f"): try readWord("false", .boolean)
        case UInt8(ascii: "n"): try readWord("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
        default: throw fault("expected a value")
        }
        return .behindValue
    }

    /// After a value in a container: reads a comma, or closes the container.
    private mutating func finishValue() throws(JSONError) -> Context {
        let isObject = objects & 1 == 1
        let byte = try significantByte(
            isObject ? "the object is not closed" : "the array is not closed")
        if byte == UInt8(ascii: ",") {
            index &+= 1
            return isObject ? .name : .value
        }
        guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
            throw fault(isObject ? "expected ',' or '}'" : "expected ',' or ']'")
        }
        close()
        return .behindValue
    }

    private mutating func readName() throws(JSONError) -> Context {
        guard try significantByte("the object is not closed") == UInt8(ascii: "\"") else {
            throw fault("expected a quoted name")
        }
        try readString()
        guard try significantByte("the object is not closed") == UInt8(ascii: ":") else {
            throw fault("expected ':'")
        }
        index &+= 1
        return .value
    }

    private mutating func open(_ kind: JSONKind) throws(JSONError) {
        guard depth < JSONTape.depthLimit else { throw fault(JSONError.tooDeep) }
        begin(kind)
    }

    /// Reads the bracket at the start of a container.
    @inline(always)
    mutating func begin(_ kind: JSONKind) {
        depth &+= 1
        objects = objects << 1 | (kind == .object ? 1 : 0)
        append(kind, start: index, end: index)
        unsafe nodes[count &- 1].next = UInt32(truncatingIfNeeded: parent)
        parent = count &- 1
        index &+= 1
    }

    /// Reads the bracket at the end of the innermost container.
    @inline(always)
    mutating func close() {
        index &+= 1
        let outer = unsafe nodes[parent].next
        unsafe nodes[parent].end = UInt32(truncatingIfNeeded: index)
        unsafe nodes[parent].next = UInt32(truncatingIfNeeded: count)
        parent = Int(Int32(bitPattern: outer))
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
    private mutating func significantByte(_ message: StaticString) throws(JSONError) -> UInt8 {
        if index < end, case let byte = byte(index), byte > 0x20 { return byte }
        skipSpace()
        guard index < end else { throw Self.tooEarly(message, at: index) }
        return byte(index)
    }

    private mutating func skipSpace() {
        while index < end, Self.isSpace(byte(index)) {
            isCompact = false
            index &+= 1
        }
    }

    @inline(always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    // `load(fromByteOffset:as:)` would become a call.
    @inline(always)
    func byte(_ offset: Int) -> UInt8 {
        unsafe base.assumingMemoryBound(to: UInt8.self)[offset]
    }

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
