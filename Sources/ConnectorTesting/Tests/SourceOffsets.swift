internal import YAML

/// Converts the lines and columns of YAML to byte offsets.
struct SourceOffsets {
    let bytes: [UInt8]
    /// The offset of the first byte of each line.
    private var starts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
        var index = starts[0]
        while index < bytes.count {
            let width = Self.lineBreak(bytes, at: index)
            index += max(1, width)
            if width > 0 { starts.append(index) }
        }
    }

    /// The offset of a position.
    func offset(of location: SourceLocation) -> Int {
        guard starts.indices.contains(location.line - 1) else { return bytes.count }
        var index = starts[location.line - 1]
        var column = 1
        while column < location.column, index < bytes.count {
            index += 1
            while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
            column += 1
        }
        return index
    }

    /// The offset after the last byte of a line, before its line break.
    func end(ofLine line: Int) -> Int {
        var index = starts.indices.contains(line - 1) ? starts[line - 1] : bytes.count
        while index < bytes.count, Self.lineBreak(bytes, at: index) == 0 { index += 1 }
        return index
    }

    /// True when a line contains only spaces.
    func isBlank(line: Int) -> Bool {
        guard starts.indices.contains(line - 1) else { return true }
        return bytes[starts[line - 1]..<end(ofLine: line)].allSatisfy { $0 == 0x20 }
    }

    /// The first line break in the text.
    var lineBreak: [UInt8] {
        let end = end(ofLine: 1)
        let width = end < bytes.count ? Self.lineBreak(bytes, at: end) : 0
        return width == 0 ? [0x0A] : Array(bytes[end..<end + width])
    }

    /// The length of the line break at an index in bytes; 0 when there is none.
    private static func lineBreak(_ bytes: [UInt8], at index: Int) -> Int {
        let rest = bytes[index...].prefix(3)
        if rest.starts(with: [0x0D, 0x0A]) { return 2 }
        if rest.first == 0x0A || rest.first == 0x0D { return 1 }
        if rest.starts(with: [0xC2, 0x85]) { return 2 }
        let isSeparator =
            rest.starts(with: [0xE2, 0x80, 0xA8]) || rest.starts(with: [0xE2, 0x80, 0xA9])
        return isSeparator ? 3 : 0
    }
}

extension SourceOffsets {
    /// True for a list in brackets or a map in braces.
    func isFlow(_ node: YAMLNode) -> Bool {
        let offset = offset(of: node.location)
        guard node.text == nil, offset < bytes.count else { return false }
        return bytes[offset] == UInt8(ascii: "[") || bytes[offset] == UInt8(ascii: "{")
    }

    /// The last line of a node, without the blank lines and comments that follow it.
    func lastLine(of node: YAMLNode) -> Int {
        switch node.kind {
        case .scalar: return lastLine(from: node.location, to: node.endLocation)
        case .sequence(let elements):
            guard !isFlow(node), let last = elements.last else { return node.endLocation.line }
            return lastLine(of: last)
        case .mapping(let entries):
            guard !isFlow(node), let last = entries.last else { return node.endLocation.line }
            return max(last.key.location.line, lastLine(of: last.value))
        }
    }

    /// A block after `|` or `>` ends where the next line begins.
    private func lastLine(from location: SourceLocation, to end: SourceLocation) -> Int {
        guard end.column == 1, end.line > location.line else { return end.line }
        var line = end.line - 1
        while line > location.line, isBlank(line: line) { line -= 1 }
        return line
    }
}
