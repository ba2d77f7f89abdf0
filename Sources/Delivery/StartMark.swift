/// What a commit records about starts of its partition that made no progress.
///
/// It precedes the completed offsets in the metadata, and is empty while all is well. `s3;` counts
/// three starts. `t500,1,sent;` says that the record at offset 500 is being tried alone, that one
/// earlier crash happened while it was, and that it may have been sent; with `w` for `t` it waits
/// and is not being tried. Unknown elements of the same form are skipped.
public struct StartMark: Equatable, Sendable {
    /// The most characters that it takes.
    public static let maxTextLength = 64
    /// The most records that it can name.
    public static let maxSuspects = 2
    /// Higher numbers of starts and crashes are not told apart.
    static let highestCount = 99

    /// The number of starts without progress.
    public var starts: Int
    /// The records that may be what crashes the worker, in the order of their offsets.
    public var suspects: [SuspectRecord]

    /// Creates a mark; without arguments, one that says nothing.
    public init(starts: Int = 0, suspects: [SuspectRecord] = []) {
        self.starts = starts
        self.suspects = suspects
    }

    /// Reads the mark of a commit's metadata. Whatever is not part of one is ignored.
    public init(metadata: String) {
        self.init()
        for element in Self.elements(of: metadata[...]) {
            let numbers = element.dropFirst()
            switch element.first {
            case "s": starts = Int(numbers).map { min(max(0, $0), Self.highestCount) } ?? starts
            case "t", "w":
                guard let suspect = SuspectRecord(element), suspects.count < Self.maxSuspects
                else { continue }
                suspects.append(suspect)
            default: continue
            }
        }
        suspects.sort { $0.offset < $1.offset }
    }

    /// The text that precedes the completed offsets; empty when there is nothing to say.
    public var text: String {
        let count = min(starts, Self.highestCount)
        return (count > 0 ? "s\(count);" : "")
            + suspects.prefix(Self.maxSuspects).map(\.text).joined()
    }

    /// The rest of a commit's metadata: the completed offsets.
    static func rest(of metadata: String) -> Substring {
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

/// A record that may be what crashes the worker.
public struct SuspectRecord: Equatable, Sendable {
    /// Its offset.
    public var offset: Int64
    /// The crashes that happened while it was being tried.
    public var crashes: Int
    /// True while it is being tried: a crash now counts.
    public var isBeingTried: Bool
    /// True when it may have been sent.
    public var wasSent: Bool

    /// Creates a suspect.
    public init(offset: Int64, crashes: Int = 0, isBeingTried: Bool, wasSent: Bool = false) {
        self.offset = offset
        self.crashes = crashes
        self.isBeingTried = isBeingTried
        self.wasSent = wasSent
    }

    init?(_ element: Substring) {
        let parts = element.dropFirst().split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count >= 2, let offset = Int64(parts[0]), let crashes = Int(parts[1]),
            offset >= 0, crashes >= 0
        else { return nil }
        self.init(
            offset: offset, crashes: min(crashes, StartMark.highestCount),
            isBeingTried: element.first == "t", wasSent: parts.dropFirst(2).contains("sent"))
    }

    var text: String {
        let count = min(crashes, StartMark.highestCount)
        return "\(isBeingTried ? "t" : "w")\(offset),\(count)\(wasSent ? ",sent" : "");"
    }
}
