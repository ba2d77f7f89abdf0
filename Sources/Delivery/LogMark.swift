/// What a commit records about the log of its partition.
///
/// It precedes the completed offsets in the metadata, as a ``StartMark`` does: `n3;` says that the
/// topic had three partitions when the group began to read it, and `m1764187200000;` that the last
/// record below the committed offset has this time, in milliseconds since 1970. Commits of older
/// versions have neither.
public struct LogMark: Equatable, Sendable {
    /// The most characters that it takes.
    public static let maxTextLength = 32
    /// The longest number that is written: a later time is left out.
    private static let maxDigits = 15

    /// The number of partitions that the topic had when the group began to read it; nil if that is
    /// unknown.
    public var partitionCount: Int?
    /// The time of the last record below the committed offset, in milliseconds since 1970; nil if
    /// it is unknown, or says nothing since the times of the log go backwards.
    public var time: Int64?

    /// Creates a mark; without arguments, one that says nothing.
    public init(partitionCount: Int? = nil, time: Int64? = nil) {
        self.partitionCount = partitionCount
        self.time = time
    }

    /// Reads the mark of a commit's metadata. Whatever is not part of one is ignored.
    public init(metadata: String) {
        self.init()
        for element in StartMark.elements(of: metadata[...]) {
            guard let number = Int64(element.dropFirst()), number > 0 else { continue }
            switch element.first {
            case "n": partitionCount = Int(number)
            case "m": time = number
            default: continue
            }
        }
    }

    /// The text that precedes the completed offsets; empty when there is nothing to say.
    public var text: String {
        Self.element("n", partitionCount.map { Int64($0) }, digits: 10)
            + Self.element("m", time, digits: Self.maxDigits)
    }

    private static func element(_ name: String, _ number: Int64?, digits: Int) -> String {
        guard let number, number > 0, case let text = String(number), text.utf8.count <= digits
        else { return "" }
        return name + text + ";"
    }
}
