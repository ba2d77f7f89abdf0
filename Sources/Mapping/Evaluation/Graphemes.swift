/// Counts user-perceived characters, without allocating a string.
enum Graphemes {
    /// About how many bytes of a text are read for each character that is to remain. One with more
    /// marks belongs to no language and is not kept.
    private static let bytesOfOne = 128

    /// How many bytes of a JSON string are read to cut it to this many characters.
    static func window(of count: Int, hasEscapes: Bool) -> Int {
        (min(count, 1 << 20) + 1) * bytesOfOne * (hasEscapes ? 3 : 1)
    }

    /// The number of graphemes in a range of valid UTF-8.
    static func count(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int {
        if isPlain(bytes, start, end) { return end - start }
        let text = bytes.span.extracting(start..<end)
        guard let checked = try? UTF8Span(validating: text) else { return 0 }
        var iterator = checked.makeCharacterIterator()
        return iterator.skipForward(by: end - start)
    }

    /// Where to cut so that at most `count` remain, including `…`; nil if there are not more.
    /// Unless the text is whole, it goes on behind `end`.
    static func cut(
        _ bytes: [UInt8], _ start: Int, _ end: Int, to count: Int, isWhole: Bool
    ) -> Int? {
        // Each has at least one byte.
        guard end - start > count else { return nil }
        if isPlain(bytes, start, end) { return start + count - 1 }
        let text = bytes.span.extracting(start..<end)
        guard let checked = try? UTF8Span(validating: text) else { return nil }
        var iterator = checked.makeCharacterIterator()
        var last = start
        for _ in 0..<count {
            let next = start + iterator.currentCodeUnitOffset
            guard iterator.skipForward(by: 1) == 1 else { break }
            last = next
        }
        return isWhole && start + iterator.currentCodeUnitOffset == end ? nil : last
    }

    /// True when every byte is a grapheme: ASCII without CR LF.
    private static func isPlain(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        for index in start..<end where bytes[index] >= 0x80 || bytes[index] == 0x0D {
            return false
        }
        return true
    }
}
