/// Counts user-perceived characters, without allocating a string.
enum Graphemes {
    /// The number of graphemes in a range of valid UTF-8.
    static func count(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int {
        if isPlain(bytes, start, end) { return end - start }
        let text = bytes.span.extracting(start..<end)
        guard let checked = try? UTF8Span(validating: text) else { return 0 }
        var iterator = checked.makeCharacterIterator()
        return iterator.skipForward(by: end - start)
    }

    /// Where to cut so that `count` remain, including `…`; nil if there are not more.
    static func cut(_ bytes: [UInt8], _ start: Int, _ end: Int, to count: Int) -> Int? {
        // Each has at least one byte.
        guard end - start > count else { return nil }
        if isPlain(bytes, start, end) { return start + count - 1 }
        let text = bytes.span.extracting(start..<end)
        guard let checked = try? UTF8Span(validating: text) else { return nil }
        var iterator = checked.makeCharacterIterator()
        _ = iterator.skipForward(by: count - 1)
        let cut = start + iterator.currentCodeUnitOffset
        _ = iterator.skipForward()
        return start + iterator.currentCodeUnitOffset < end ? cut : nil
    }

    /// True when every byte is a grapheme: ASCII without CR LF.
    private static func isPlain(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        for index in start..<end where bytes[index] >= 0x80 || bytes[index] == 0x0D {
            return false
        }
        return true
    }
}
