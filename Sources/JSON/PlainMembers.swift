/// Appends plain members of an object to a text and to its tape at once: names, integers of at most
/// sixteen digits, and strings that need no escapes.
///
/// It is a copy of where both end, so that it stays in registers. What is written counts once it is
/// committed; whoever writes makes sure that there is room.
@safe public struct PlainMembers {
    /// What a member takes at most besides its name and the content of a string: marks, digits, and
    /// what is written at once although fewer bytes count.
    @usableFromInline static let margin = 64

    @usableFromInline let text: UnsafeMutableRawPointer
    @usableFromInline let room: Int
    @usableFromInline let nodes: UnsafeMutablePointer<JSONNode>
    @usableFromInline let nodeRoom: Int
    /// The number of bytes.
    public var count: Int
    @usableFromInline var used: Int

    @inlinable @inline(__always)
    init(
        _ text: UnsafeMutableRawPointer, _ count: Int, room: Int,
        _ nodes: UnsafeMutablePointer<JSONNode>, _ used: Int, room nodeRoom: Int
    ) {
        unsafe self.text = unsafe text
        self.room = room
        unsafe self.nodes = unsafe nodes
        self.nodeRoom = nodeRoom
        self.count = count
        self.used = used
    }

    /// True when there is room for a member whose name and string have so many bytes together.
    @inlinable @inline(__always)
    public func hasRoom(for bytes: Int) -> Bool {
        bytes <= room &- count &- Self.margin && used &+ 2 <= nodeRoom
    }

    /// Writes so many bytes, which go on for sixteen behind them, and returns where they end.
    @inlinable @inline(__always)
    public func write(_ bytes: UnsafeRawPointer, count: Int, at offset: Int) -> Int {
        var index = 0
        repeat {
            let piece = unsafe bytes.loadUnaligned(
                fromByteOffset: index, as: SIMD2<UInt64>.self)
            unsafe text.storeBytes(
                of: piece, toByteOffset: offset &+ index, as: SIMD2<UInt64>.self)
            index &+= 16
        } while index < count
        return offset &+ count
    }

    /// Writes a string with its quotation marks and returns the offset behind it; nil if it is not
    /// plain.
    @inlinable @inline(__always)
    public func write(plain content: UnsafeRawBufferPointer, at offset: Int) -> Int? {
        let target = unsafe text + offset
        guard unsafe Bytes.copyPlain(content, to: target + 1) else { return nil }
        let end = content.count &+ 1
        unsafe target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        unsafe target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: end, as: UInt8.self)
        return offset &+ end &+ 1
    }

    /// Writes a number and returns the offset behind it; nil if it has more than sixteen digits.
    @inlinable @inline(__always)
    public func write(number: Int64, at offset: Int) -> Int? {
        var offset = offset
        let magnitude = number.magnitude
        if number < 0 {
            unsafe text.storeBytes(of: UInt8(ascii: "-"), toByteOffset: offset, as: UInt8.self)
            offset &+= 1
        }
        guard magnitude < 100_000_000 else {
            let (front, back) = magnitude.quotientAndRemainder(dividingBy: 100_000_000)
            guard front < 100_000_000 else { return nil }
            offset = write(digits: eightDigits(front), at: offset)
            write(word: eightDigits(back) | 0x3030_3030_3030_3030, at: offset)
            return offset &+ 8
        }
        return write(digits: eightDigits(magnitude), at: offset)
    }

    /// Writes a number of at most eight digits, of which at most seven are behind its point; nil
    /// for others.
    @inlinable @inline(__always)
    public func write(number: Int64, scale: Int, at offset: Int) -> Int? {
        let magnitude = number.magnitude
        guard magnitude < 100_000_000, scale > 0, scale < 8 else { return nil }
        var offset = offset
        if number < 0 {
            unsafe text.storeBytes(of: UInt8(ascii: "-"), toByteOffset: offset, as: UInt8.self)
            offset &+= 1
        }
        let values = eightDigits(magnitude)
        let digits = values | 0x3030_3030_3030_3030
        // Zeros in front are left out, but not the one in front of the point.
        let zeros = min(7 &- scale, values.trailingZeroBitCount &>> 3)
        write(word: digits &>> UInt64(8 &* zeros), at: offset)
        offset &+= 8 &- scale &- zeros
        unsafe text.storeBytes(of: UInt8(ascii: "."), toByteOffset: offset, as: UInt8.self)
        write(word: digits &>> UInt64(8 &* (8 &- scale)), at: offset &+ 1)
        return offset &+ 1 &+ scale
    }

    /// Writes 24 characters, eight in each number, as a string, and returns the offset behind it.
    @inlinable @inline(__always)
    public func write(characters: (UInt64, UInt64, UInt64), at offset: Int) -> Int {
        let mark = UInt64(UInt8(ascii: "\""))
        write(word: mark, at: offset)
        write(word: characters.0, at: offset &+ 1)
        write(word: characters.1, at: offset &+ 9)
        write(word: characters.2, at: offset &+ 17)
        write(word: mark, at: offset &+ 25)
        return offset &+ 26
    }

    @inlinable @inline(__always)
    func write(digits: UInt64, at offset: Int) -> Int {
        let zeros = min(7, digits.trailingZeroBitCount &>> 3)
        write(word: (digits | 0x3030_3030_3030_3030) &>> UInt64(8 &* zeros), at: offset)
        return offset &+ 8 &- zeros
    }

    @inlinable @inline(__always)
    func write(word: UInt64, at offset: Int) {
        unsafe text.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
    }

    /// Counts a name or a value that has been written, up to an offset; for a string these are the
    /// offsets of its content.
    @inlinable @inline(__always)
    public mutating func commit(
        _ kind: JSONKind, from start: Int, to end: Int, hasEscapes: Bool = false, count: Int
    ) {
        unsafe (nodes + used).initialize(
            to: JSONNode(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: used &+ 1), kind: kind, hasEscapes: hasEscapes))
        used &+= 1
        self.count = count
    }
}

extension ByteBuffer {
    /// Calls `body` with the ends of the text, which may have so many bytes afterwards, and of its
    /// tape.
    @inlinable @inline(__always)
    public mutating func appendPlainMembers(
        _ tape: inout JSONTape, limit: Int, _ body: (PlainMembers) -> PlainMembers
    ) {
        let start = unsafe room(512) - used
        if tape.capacity &- tape.used < 16 { tape.grow() }
        let members = unsafe body(
            PlainMembers(
                start, used, room: min(capacity, limit), tape.nodes, tape.used,
                room: tape.capacity))
        used = members.count
        tape.used = members.used
    }
}
