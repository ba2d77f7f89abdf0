/// Names of members, among which those on a tape are looked up.
public struct JSONNames: Sendable {
    private let text: [UInt8]
    /// Where each name ends in `text`; the first one starts at 0.
    private let ends: [Int]

    /// Creates a list of names; no two are equal.
    public init(_ names: [String]) {
        var text: [UInt8] = []
        var ends: [Int] = []
        for name in names {
            text += Array(name.utf8)
            ends.append(text.count)
        }
        self.text = text
        self.ends = ends
    }

    /// The index of the name that a node contains; nil when it is none of them.
    public func index(
        of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan
    ) -> Int? {
        let place = tape[node]
        guard place.kind == .string else { return nil }
        precondition(place.end <= bytes.byteCount, "the bytes of another text")
        let found = unsafe text.withUnsafeBytes { text in
            unsafe bytes.withUnsafeBytes { unsafe find(place, text, $0) }
        }
        return found < 0 ? nil : found
    }

    /// The index of the name at a place; -1 when it is none of them.
    @inline(__always)
    private func find(
        _ place: JSONNode, _ text: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer
    ) -> Int {
        let length = Int(place.end &- place.start)
        var start = 0
        for index in ends.indices {
            let end = ends[index]
            // The length distinguishes most names without a backslash.
            if end &- start == length || place.hasEscapes,
                unsafe place.isText(.init(rebasing: text[start..<end]), in: bytes)
            {
                return index
            }
            start = end
        }
        return -1
    }
}
