/// Splits values of a text into pieces, which mostly are ranges of the text itself.
///
/// The callers collect the pieces in their own kinds of buffer.
enum JSONPieces {
    /// A string's content, unescaped.
    @inline(__always)
    static func ofText(
        _ string: JSONNode, in text: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        let inside = unsafe UnsafeRawBufferPointer(
            rebasing: text[Int(string.start)..<Int(string.end)])
        if string.hasEscapes {
            unsafe JSONText.decode(inside, body)
        } else {
            unsafe body(inside)
        }
    }

    /// A string's content as JSON: without quotation marks, with only the required escapes.
    @inline(__always)
    static func ofContent(
        _ string: JSONNode, in text: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        let inside = unsafe UnsafeRawBufferPointer(
            rebasing: text[Int(string.start)..<Int(string.end)])
        if string.hasEscapes {
            unsafe JSONText.decode(inside) { unsafe escaped($0, body) }
        } else {
            unsafe body(inside)
        }
    }

    /// A complete value as JSON without spaces; numbers stay as written.
    static func ofValue(
        _ node: Int, on tape: borrowing JSONTape, in text: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        let entry = tape[node]
        if entry.kind == .number || entry.kind == .boolean {
            return unsafe body(
                UnsafeRawBufferPointer(rebasing: text[Int(entry.start)..<Int(entry.end)]))
        }
        // A string's position excludes its quotation marks.
        let marks = entry.kind == .string ? 1 : 0
        var start = Int(entry.start) - marks
        let end = Int(entry.end) + marks
        if tape.isCompact { return unsafe body(.init(rebasing: text[start..<end])) }
        // What is written as it is forms one piece, up to the next space or escape.
        var position = start
        for inner in node..<Int(entry.next) {
            let token = tape[inner]
            guard token.kind == .string else { continue }
            // Between two strings there are only tokens, which contain no space.
            unsafe skipSpace(text, position..<Int(token.start), &start, body)
            position = Int(token.end)
            if token.hasEscapes {
                unsafe body(.init(rebasing: text[start..<Int(token.start)]))
                unsafe ofContent(token, in: text, body)
                start = position
            }
        }
        unsafe skipSpace(text, position..<end, &start, body)
        unsafe body(.init(rebasing: text[start..<end]))
    }

    /// Valid UTF-8 with the escapes that JSON requires.
    static func escaped(
        _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        var start = 0
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else {
                continue
            }
            unsafe body(UnsafeRawBufferPointer(rebasing: bytes[start..<index]))
            unsafe escape(byte, body)
            start = index + 1
        }
        unsafe body(UnsafeRawBufferPointer(rebasing: bytes[start...]))
    }

    private static func escape(_ byte: UInt8, _ body: (UnsafeRawBufferPointer) -> Void) {
        var letters: InlineArray<6, UInt8> = [UInt8(ascii: "\\"), byte, 0, 0, 0, 0]
        var count = 2
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): break
        case 0x08: letters[1] = UInt8(ascii: "b")
        case 0x09: letters[1] = UInt8(ascii: "t")
        case 0x0A: letters[1] = UInt8(ascii: "n")
        case 0x0C: letters[1] = UInt8(ascii: "f")
        case 0x0D: letters[1] = UInt8(ascii: "r")
        default:
            letters[1] = UInt8(ascii: "u")
            letters[2] = UInt8(ascii: "0")
            letters[3] = UInt8(ascii: "0")
            letters[4] = UInt8(ascii: "0") + byte >> 4
            let digit = byte & 15
            letters[5] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
            count = 6
        }
        unsafe withUnsafeBytes(of: &letters) { unsafe body(.init(rebasing: $0[..<count])) }
    }

    /// Ends a piece, which begins at `start`, before each space in a range.
    @inline(__always)
    private static func skipSpace(
        _ text: UnsafeRawBufferPointer, _ range: Range<Int>, _ start: inout Int,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        for index in range where unsafe text[index] <= 0x20 {
            if start < index { unsafe body(.init(rebasing: text[start..<index])) }
            start = index + 1
        }
    }
}
