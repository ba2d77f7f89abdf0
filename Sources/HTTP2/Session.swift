internal import CNGHTTP2

/// An owned nghttp2 session, with its output.
@safe
struct Session: ~Copyable {
    /// Beyond this much pending output nothing more is written until some is sent, so that
    /// nghttp2's own limits on what a peer can provoke apply.
    static let comfortableOutput = 1 << 16
    let pointer: OpaquePointer
    private let pool: UnsafeMutablePointer<BlockPool>
    /// True for a session that encodes header blocks itself instead of nghttp2.
    private let writesOwnFields: Bool
    private(set) var output = OutputBuffer()
    /// Nothing was requested of nghttp2, and nothing arrived, since everything was written: there
    /// is nothing more to write.
    private(set) var isWritten = false
    /// Why the session cannot continue; afterwards nghttp2 is only called to free it.
    private(set) var failure: HTTP2Error?

    /// Takes ownership of the session that `begin` creates, with its own memory pool.
    init(
        writesOwnFields: Bool = false,
        _ begin: (UnsafeMutablePointer<BlockPool>) -> OpaquePointer?
    ) {
        let pool = UnsafeMutablePointer<BlockPool>.allocate(capacity: 1)
        unsafe pool.initialize(to: BlockPool())
        guard let pointer = unsafe begin(pool) else {
            preconditionFailure("memory must suffice for one more session")
        }
        unsafe self.pool = unsafe pool
        unsafe self.pointer = unsafe pointer
        self.writesOwnFields = writesOwnFields
    }

    deinit {
        unsafe nghttp2_session_del(pointer)
        unsafe pool.deinitialize(count: 1)
        unsafe pool.deallocate()
    }

    /// Records the first reason why the session cannot continue.
    mutating func fail(_ error: HTTP2Error) {
        if failure == nil { failure = error }
    }

    /// Receives bytes from the peer; callbacks run meanwhile.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        isWritten = false
        let result = unsafe nghttp2_session_mem_recv(
            pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        if result < 0 { fail(.fromLibrary(Int32(result))) }
    }

    /// Receives an RST_STREAM frame with NO_ERROR, as if the peer had sent it.
    mutating func receiveReset(of stream: Int32) {
        let (high, low) = UInt64(UInt32(bitPattern: stream)).quotientAndRemainder(dividingBy: 256)
        // Length 4, type 3, no flags, the stream, and error code 0.
        let words = (UInt64(0x0000_0403_0000_0000 | high).bigEndian, UInt64(low << 56).bigEndian)
        unsafe withUnsafeBytes(of: words) { bytes in
            unsafe receive(UnsafeRawBufferPointer(rebasing: bytes[..<13]))
        }
    }

    /// Writes every frame that may be sent now; callbacks run meanwhile. False when `block`, the
    /// fields of a request, was not written.
    ///
    /// With a block everything else must have been written: the request's end is the last frame.
    @discardableResult
    mutating func serialise(_ block: UnsafeBufferPointer<UInt8>? = nil) -> Bool {
        guard failure == nil else { return false }
        var block = unsafe block
        let isRequest = unsafe block != nil
        var bytes: UnsafePointer<UInt8>?
        while case let count = unsafe nghttp2_session_mem_send(pointer, &bytes), count != 0 {
            guard count > 0, let bytes = unsafe bytes else {
                fail(.fromLibrary(Int32(count)))
                return false
            }
            if writesOwnFields, unsafe Self.isFrame(NGHTTP2_HEADERS, bytes, count) {
                guard let fields = unsafe block else {
                    fail(HTTP2Error(.library, "nghttp2 wrote a request when none was given to it"))
                    return false
                }
                unsafe write(bytes, fields)
                unsafe block = nil
            } else {
                unsafe output.append(bytes, count: count)
            }
            if isRequest, unsafe block == nil && Self.endsStream(bytes, count) { break }
        }
        isWritten = true
        return unsafe block == nil
    }

    private static let frameHeader = 9

    /// True for a frame of this type.
    private static func isFrame(
        _ type: nghttp2_frame_type, _ bytes: UnsafePointer<UInt8>, _ count: Int
    ) -> Bool {
        unsafe count >= frameHeader && UInt32(bytes[3]) == type.rawValue
    }

    /// True for the last frame of a request.
    private static func endsStream(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        guard unsafe isFrame(NGHTTP2_DATA, bytes, count) || isFrame(NGHTTP2_HEADERS, bytes, count)
        else { return false }
        return unsafe bytes[4] & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
    }

    /// Writes a HEADERS frame with replaced fields.
    private mutating func write(
        _ frame: UnsafePointer<UInt8>, _ fields: UnsafeBufferPointer<UInt8>
    ) {
        unsafe output.append(frame, count: Self.frameHeader)
        output.setLength(ofFrameAt: output.count - Self.frameHeader, to: fields.count)
        if let start = fields.baseAddress {
            unsafe output.append(start, count: fields.count)
        }
    }

    /// Calls `body` with the output.
    mutating func flush(_ body: (RawSpan) -> Void) { output.flush(body) }

    /// Output is pending, or nghttp2 has frames to write.
    var wantsToSend: Bool {
        if output.count > 0 { return true }
        return failure == nil ? unsafe nghttp2_session_want_write(pointer) != 0 : false
    }

    /// Records a lack of memory in a call that submits a frame.
    mutating func check(_ result: Int32) {
        isWritten = false
        if result == NGHTTP2_ERR_NOMEM.rawValue { fail(.fromLibrary(result)) }
    }

    /// Submits a PING.
    mutating func ping(_ opaque: UInt64) {
        guard failure == nil else { return }
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: opaque >> UInt64(56 - 8 * $0)) }
        check(unsafe nghttp2_submit_ping(pointer, noFlags, bytes))
    }
}

/// The flags of a frame without flags.
let noFlags = UInt8(NGHTTP2_FLAG_NONE.rawValue)

extension HTTP2Error {
    /// The meaning of an nghttp2 error code.
    static func fromLibrary(_ code: Int32) -> HTTP2Error {
        let words = unsafe String(cString: nghttp2_strerror(code))
        return switch code {
        case NGHTTP2_ERR_FLOODED.rawValue:
            HTTP2Error(
                .flooded, "the peer floods the connection with frames that require responses")
        case NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue:
            HTTP2Error(.protocolViolation, "the client does not speak HTTP/2: \(words)")
        default: HTTP2Error(.library, "nghttp2: \(words)")
        }
    }
}
