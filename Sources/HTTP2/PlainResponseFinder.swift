/// Finds plain responses in the bytes of a server, by following its frames.
///
/// It decides nothing about any other frame: nghttp2 receives those, and judges them. What it finds
/// is a whole HEADERS frame with END_STREAM and END_HEADERS that is neither padded nor inside
/// another header block, and whose fields leave the header table as it is.
struct PlainResponseFinder: ~Copyable {
    /// A frame with a plain response.
    struct Found {
        /// Where its header starts in the bytes.
        let start: Int
        let stream: Int32
        let response: PlainResponse
    }

    private enum Frame {
        static let headers: UInt8 = 1
        static let pushPromise: UInt8 = 5
        static let continuation: UInt8 = 9
        static let endHeaders: UInt8 = 0x4
        static let headLength = 9
        /// HEADERS with END_STREAM and END_HEADERS.
        static let wholeResponse: UInt64 = 0x0105
    }

    private var reader = PlainResponseReader()
    /// How many bytes are still to come of a frame that is not examined.
    private var rest = 0
    /// The beginning of a frame's header, and how many bytes of it have come.
    private var head: UInt64 = 0
    private var headCount = 0
    /// The frames of a header block have begun and not ended.
    private var isInsideBlock = false
    /// The index by which the peer's table knows the name `apns-id`; 0 if it is not known.
    private var nameIndex = 0

    /// nghttp2 has read a response with this `apns-id` from the frame found last.
    mutating func learn(_ found: Found, identifier: UInt128?) {
        guard found.response.nameIndex > 0, identifier == found.response.identifier else { return }
        nameIndex = found.response.nameIndex
    }

    /// True when the name of the response's only field is certain.
    func isCertain(_ found: Found) -> Bool {
        found.response.nameIndex == 0 || found.response.nameIndex == nameIndex
    }

    /// Moves `position` behind the next plain response; nil when there is none in the bytes.
    mutating func next(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> Found? {
        while position < bytes.count {
            let left = bytes.count &- position
            guard rest == 0, headCount == 0, left >= Frame.headLength else {
                unsafe passOn(bytes, &position)
                continue
            }
            let start = position
            let word = unsafe UInt64(
                bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            position &+= Frame.headLength
            if let found = unsafe find(word, bytes, start) {
                position &+= Int(word >> 40)
                return found
            }
            begin(word)
        }
        return nil
    }

    /// The plain response in a frame whose header starts with these eight bytes.
    private mutating func find(
        _ word: UInt64, _ bytes: UnsafeRawBufferPointer, _ start: Int
    ) -> Found? {
        let length = Int(word >> 40)
        let body = start &+ Frame.headLength
        guard word >> 24 & 0xFFFF == Frame.wholeResponse, !isInsideBlock,
            length <= bytes.count &- body
        else { return nil }
        let block = unsafe UnsafeRawBufferPointer(rebasing: bytes[body...])
        guard let response = unsafe reader.read(block, length: length) else { return nil }
        let stream = unsafe UInt32(truncatingIfNeeded: word << 8) | UInt32(bytes[start &+ 8])
        return Found(start: start, stream: Int32(bitPattern: stream), response: response)
    }

    /// A frame begins that is not examined.
    private mutating func begin(_ word: UInt64) {
        rest = Int(word >> 40)
        let type = UInt8(truncatingIfNeeded: word >> 32)
        guard type == Frame.headers || type == Frame.continuation || type == Frame.pushPromise
        else { return }
        isInsideBlock = UInt8(truncatingIfNeeded: word >> 24) & Frame.endHeaders == 0
        // The block may change the table.
        nameIndex = 0
    }

    /// Follows a frame that is not examined, or a header that arrives in pieces.
    private mutating func passOn(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) {
        guard rest == 0 else {
            let count = min(rest, bytes.count - position)
            rest -= count
            position += count
            return
        }
        if headCount < 8 { head = unsafe head << 8 | UInt64(bytes[position]) }
        headCount += 1
        position += 1
        guard headCount == Frame.headLength else { return }
        begin(head)
        (head, headCount) = (0, 0)
    }
}
