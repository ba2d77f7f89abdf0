/// Determines, alongside nghttp2, how each field of a header block is represented.
///
/// nghttp2 only reports names and values. Nothing is rejected or decoded here: nghttp2 rejects
/// invalid HTTP/2, and the observer then reports nothing.
struct HeaderBlockObserver {
    private enum Frame {
        static let headers: UInt8 = 1
        static let continuation: UInt8 = 9
        static let endHeaders: UInt8 = 0x4
        static let padded: UInt8 = 0x8
        static let priority: UInt8 = 0x20
        static let headLength = 9
        static let longest = 16_384
    }

    private static let longestBlock = 65_536

    /// Bytes of the client's preface still to come.
    private var preface = 24
    /// Bytes still to come of a frame that is ignored.
    private var skipped = 0
    /// The beginning of an incomplete frame.
    private var partial: [UInt8] = []
    /// A header block without its END_HEADERS.
    private var block: [UInt8] = []
    private var finished: [(stream: Int32, representations: HeaderRepresentations)] = []
    private var next = 0

    /// Examines bytes before nghttp2 receives them.
    mutating func observe(_ bytes: UnsafeBufferPointer<UInt8>) {
        var place = min(preface, bytes.count)
        preface -= place
        while place < bytes.count {
            let rest = bytes.count - place
            if skipped > 0 {
                let count = min(skipped, rest)
                skipped -= count
                place += count
            } else if partial.isEmpty, rest >= Frame.headLength {
                let piece = unsafe UnsafeBufferPointer(rebasing: bytes[place...])
                place += unsafe takeWhole(piece)
            } else {
                place += unsafe collect(UnsafeBufferPointer(rebasing: bytes[place...]))
            }
        }
    }

    /// The representations of a block completed by the current bytes; blocks come in order.
    mutating func take(stream: Int32) -> HeaderRepresentations {
        while next < finished.count {
            let entry = finished[next]
            next += 1
            if entry.stream == stream { return entry.representations }
        }
        return HeaderRepresentations()
    }

    /// Discards blocks that nghttp2 did not report.
    mutating func forget() {
        guard !finished.isEmpty else { return }
        finished.removeAll(keepingCapacity: true)
        next = 0
    }

    /// Reads a frame whose header is complete, and returns how many bytes it examined.
    private mutating func takeWhole(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let length = unsafe Self.length(bytes)
        guard unsafe Self.holdsFields(bytes[3]), length <= Frame.longest else {
            skipped = Frame.headLength + length
            return 0
        }
        guard bytes.count >= Frame.headLength + length else { return unsafe collect(bytes) }
        unsafe take(frame: UnsafeBufferPointer(rebasing: bytes[..<(Frame.headLength + length)]))
        return Frame.headLength + length
    }

    /// Collects a frame that arrives in pieces.
    private mutating func collect(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var wanted = Frame.headLength
        if partial.count >= wanted {
            wanted += unsafe partial.withUnsafeBufferPointer { unsafe Self.length($0) }
        }
        let count = min(wanted - partial.count, bytes.count)
        unsafe partial.append(contentsOf: bytes[..<count])
        guard partial.count == wanted else { return count }
        let length = unsafe partial.withUnsafeBufferPointer { unsafe Self.length($0) }
        if !Self.holdsFields(partial[3]) || length > Frame.longest {
            skipped = length
            partial.removeAll(keepingCapacity: true)
        } else if partial.count == Frame.headLength + length {
            let frame = partial
            partial.removeAll(keepingCapacity: true)
            unsafe frame.withUnsafeBufferPointer { unsafe take(frame: $0) }
        }
        return count
    }

    private mutating func take(frame: UnsafeBufferPointer<UInt8>) {
        let type = unsafe frame[3]
        let flags = unsafe frame[4]
        var start = Frame.headLength
        var end = frame.count
        if type == Frame.headers {
            block.removeAll(keepingCapacity: true)
            if flags & Frame.padded != 0, start < end {
                end -= unsafe Int(frame[start])
                start += 1
            }
            if flags & Frame.priority != 0 { start += 5 }
        }
        guard start <= end else { return }
        let fragment = unsafe UnsafeBufferPointer(rebasing: frame[start..<end])
        let isWhole = flags & Frame.endHeaders != 0
        if isWhole, block.isEmpty {
            unsafe finish(Self.stream(frame), FieldReader.read(fragment))
            return
        }
        if block.count + fragment.count <= Self.longestBlock {
            unsafe block.append(contentsOf: fragment)
        }
        guard isWhole else { return }
        let representations = unsafe block.withUnsafeBufferPointer { unsafe FieldReader.read($0) }
        block.removeAll(keepingCapacity: false)
        unsafe finish(Self.stream(frame), representations)
    }

    private mutating func finish(_ stream: Int32, _ representations: HeaderRepresentations) {
        finished.append((stream, representations))
    }

    private static func holdsFields(_ type: UInt8) -> Bool {
        type == Frame.headers || type == Frame.continuation
    }

    private static func length(_ head: UnsafeBufferPointer<UInt8>) -> Int {
        unsafe Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
    }

    private static func stream(_ head: UnsafeBufferPointer<UInt8>) -> Int32 {
        unsafe Int32(head[5] & 0x7F) << 24 | Int32(head[6]) << 16 | Int32(head[7]) << 8
            | Int32(head[8])
    }
}
