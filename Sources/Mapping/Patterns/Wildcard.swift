/// A string in which `*` matches any string, including an empty one.
///
/// The pieces between the stars are searched from left to right with the algorithm of Knuth, Morris
/// and Pratt: the time is linear in the length of the string.
struct Wildcard: Sendable {
    /// An error in a wildcard; `offset` counts its characters from 0.
    struct Fault: Error {
        var offset: Int
        var message: String
        var remedy: String
    }

    /// The strings between the stars, unescaped; never empty.
    private var pieces: [Piece] = []
    private var startsOpen = false
    private var endsOpen = false

    private struct Piece: Sendable {
        var bytes: [UInt8]
        /// The length of the longest prefix of the piece that ends before or at each byte.
        var borders: [Int32]

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            borders = Borders.of(bytes)
        }
    }

    /// Parses a wildcard: `\*` is a star, `\\` a backslash, and two stars must not be adjacent.
    init(_ text: String) throws(Fault) {
        let characters = Array(text.unicodeScalars)
        var piece: [UInt8] = []
        var index = 0
        while index < characters.count {
            defer { index += 1 }
            if characters[index] == "*" {
                guard index + 1 == characters.count || characters[index + 1] != "*" else {
                    throw Fault(
                        offset: index, message: "'**' in a wildcard",
                        remedy: "write a single '*': it matches any string")
                }
                if index == 0 { startsOpen = true }
                if index == characters.count - 1 { endsOpen = true }
                if !piece.isEmpty { pieces.append(Piece(piece)) }
                piece = []
                continue
            }
            if characters[index] == "\\" {
                guard index + 1 < characters.count,
                    "*\\".unicodeScalars.contains(characters[index + 1])
                else {
                    throw Fault(
                        offset: index, message: "a '\\' that is not followed by '*' or '\\'",
                        remedy: "write \\\\ for a backslash, \\* for an asterisk")
                }
                index += 1
            }
            piece.append(contentsOf: Array(String(characters[index]).utf8))
        }
        if !piece.isEmpty { pieces.append(Piece(piece)) }
    }

    /// True when the wildcard matches all of `text`.
    func matches(_ text: [UInt8]) -> Bool {
        if pieces.isEmpty { return startsOpen || text.isEmpty }
        var (first, last) = (0, pieces.count)
        var (start, end) = (0, text.count)
        if !startsOpen {
            guard stands(0, in: text, at: 0) else { return false }
            start = pieces[0].bytes.count
            first = 1
            if last == 1 { return endsOpen || start == end }
        }
        if !endsOpen {
            let count = pieces[last - 1].bytes.count
            guard end - count >= start, stands(last - 1, in: text, at: end - count) else {
                return false
            }
            end -= count
            last -= 1
        }
        while first < last {
            guard let found = find(first, in: text, from: start, to: end) else { return false }
            start = found
            first += 1
        }
        return true
    }

    private func stands(_ piece: Int, in text: [UInt8], at start: Int) -> Bool {
        guard text.count - start >= pieces[piece].bytes.count else { return false }
        for index in pieces[piece].bytes.indices
        where text[start + index] != pieces[piece].bytes[index] {
            return false
        }
        return true
    }

    /// The end of the first occurrence of a piece between `start` and `end`.
    private func find(_ piece: Int, in text: [UInt8], from start: Int, to end: Int) -> Int? {
        let count = pieces[piece].bytes.count
        var length = 0
        var index = start
        while index < end {
            while length > 0, text[index] != pieces[piece].bytes[length] {
                length = Int(pieces[piece].borders[length - 1])
            }
            if text[index] == pieces[piece].bytes[length] { length += 1 }
            index += 1
            if length == count { return index }
        }
        return nil
    }
}

/// What the search of Knuth, Morris and Pratt knows about a string before it starts.
enum Borders {
    /// For each byte the length of the longest prefix of the string that ends there, other than the
    /// string itself.
    static func of(_ bytes: [UInt8]) -> [Int32] {
        var borders: [Int32] = Array(repeating: 0, count: bytes.count)
        var length = 0
        for index in bytes.indices.dropFirst() {
            while length > 0, bytes[index] != bytes[length] {
                length = Int(borders[length - 1])
            }
            if bytes[index] == bytes[length] { length += 1 }
            borders[index] = Int32(length)
        }
        return borders
    }
}
