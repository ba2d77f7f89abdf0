/// What a commit records about starts of its partition that made no progress.
///
/// It precedes the completed offsets in the metadata, and is empty while all is well. `e3;` counts
/// three starts. `e4,sent;` says besides that the record at the committed offset may have been
/// sent. Unknown elements of the same form are skipped.
///
/// Older versions counted with `s3;`, also where nothing was in flight, and named records as in
/// `t500,1,sent;` or `w500,1;`. Of those no more than three starts count.
public struct StartMark: Equatable, Sendable {
    /// The most characters that it takes.
    public static let maxTextLength = 64
    /// Higher numbers of starts are not distinguished.
    public static let highestCount = 99
    /// The most starts that count of those that an older version has counted.
    static let maxOfOlderVersions = 3

    /// The number of starts without progress.
    public var starts: Int
    /// True when the record at the committed offset may have been sent.
    public var wasSent: Bool

    /// Creates a mark; without arguments, one that says nothing.
    public init(starts: Int = 0, wasSent: Bool = false) {
        self.starts = starts
        self.wasSent = wasSent
    }

    /// Reads the mark of a commit of the offset `next`. Whatever is not part of one is ignored.
    public init(metadata: String, next: Int64 = 0) {
        self.init()
        for element in Self.elements(of: metadata[...]) {
            let parts = element.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
            guard let number = parts.first.flatMap({ Int64($0) }), number >= 0 else { continue }
            let saysSent = parts.dropFirst().contains("sent")
            switch element.first {
            case "e":
                starts = Int(min(number, Int64(Self.highestCount)))
                wasSent = saysSent
            case "s": starts = Int(min(number, Int64(Self.maxOfOlderVersions)))
            case "t", "w": wasSent = wasSent || saysSent && number == next
            default: continue
            }
        }
    }

    /// The text that precedes the completed offsets; empty when there is nothing to say.
    public var text: String {
        guard starts > 0 || wasSent else { return "" }
        return "e\(min(starts, Self.highestCount))\(wasSent ? ",sent" : "");"
    }

    /// The rest of a commit's metadata: the completed offsets.
    static func remainder(of metadata: String) -> Substring {
        var rest = metadata[...]
        while let end = endOfElement(rest) { rest = rest[rest.utf8.index(after: end)...] }
        return rest
    }

    /// The elements that precede the completed offsets, in order.
    static func elements(of metadata: Substring) -> [Substring] {
        var found: [Substring] = []
        var rest = metadata
        while let end = endOfElement(rest) {
            found.append(rest[..<end])
            rest = rest[rest.utf8.index(after: end)...]
        }
        return found
    }

    /// Where the first element ends; nil when the completed offsets, or something foreign, follow.
    /// Those begin with `c`, a digit and a colon.
    private static func endOfElement(_ text: Substring) -> Substring.Index? {
        guard let first = text.utf8.first, first >= UInt8(ascii: "a"), first <= UInt8(ascii: "z")
        else { return nil }
        for index in text.utf8.indices.prefix(maxTextLength) {
            switch text.utf8[index] {
            case UInt8(ascii: ";"): return index
            case UInt8(ascii: ":"): return nil
            default: continue
            }
        }
        return nil
    }
}
