internal import CNGHTTP2

/// A client's HTTP/2 connection as a byte machine: bytes in, bytes out, no socket.
///
/// Call ``canSubmit(bodyBytes:)`` before each request: a submitted request is written immediately,
/// headers and body, so that nothing queues inside and no request waits for another's flow-control
/// window. If the window of a new stream is smaller than the body, the rest waits for that stream's
/// window, with its share of the connection's window reserved.
@safe
public struct HTTP2Client: ~Copyable {
    /// Beyond this many unsent bytes no requests are accepted.
    private static let timeout = 1 << 20
    let state: UnsafeMutablePointer<ClientState>
    var session: Session
    var finder = PlainResponseFinder()
    let findsPlainResponses: Bool
    /// Outside, because a call that only borrows a value copies the fixed-size arrays in it.
    private let encoder: UnsafeMutablePointer<RequestEncoder>

    /// Creates a connection; the preface and the SETTINGS are ready to be sent.
    ///
    /// The first request uses the odd stream ID `firstStream`.
    public init(firstStream: Int32 = 1) {
        self.init(firstStream: firstStream, findsPlainResponses: true)
    }

    /// With `findsPlainResponses` false nghttp2 reads all responses.
    package init(firstStream: Int32 = 1, findsPlainResponses: Bool) {
        self.findsPlainResponses = findsPlainResponses
        let state = UnsafeMutablePointer<ClientState>.allocate(capacity: 1)
        unsafe state.initialize(to: ClientState())
        var session = unsafe Session(writesOwnFields: true) { unsafe newClientSession(state, $0) }
        session.check(unsafe nghttp2_session_set_next_stream_id(session.pointer, firstStream))
        var entry = nghttp2_settings_entry(
            settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0)
        session.check(unsafe nghttp2_submit_settings(session.pointer, noFlags, &entry, 1))
        let encoder = UnsafeMutablePointer<RequestEncoder>.allocate(capacity: 1)
        unsafe encoder.initialize(to: RequestEncoder())
        unsafe self.encoder = unsafe encoder
        unsafe self.state = unsafe state
        self.session = session
    }

    deinit {
        unsafe encoder.deinitialize(count: 1)
        unsafe encoder.deallocate()
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// Writes all frames that may be sent, and detects that nghttp2 has given up on the peer.
    mutating func serialise() {
        unsafe session.serialise()
        if let violation = unsafe state.pointee.goAway.violation { session.fail(violation) }
    }

    /// Writes a request; its events carry `tag`.
    ///
    /// If it throws ``HTTP2Error/Code/noRoom``, ``HTTP2Error/Code/badField`` or
    /// ``HTTP2Error/Code/fieldsTooLong``, nothing was written and the connection remains usable.
    public mutating func submit(
        _ request: borrowing HTTP2Request, tag: Int
    ) throws(HTTP2Error) {
        try submit(request, body: request.body, tag: tag)
    }

    /// Writes a request with another body than its own.
    public mutating func submit(
        _ request: borrowing HTTP2Request, body: borrowing [UInt8], tag: Int
    ) throws(HTTP2Error) {
        try prepare(bodyBytes: body.count)
        try unsafe encoder.pointee.encode(request)
        let index = unsafe state.pointee.open(tag: tag, firstByte: session.output.position)
        unsafe body.withUnsafeBytes { body in unsafe write(body, slot: index) }
        if let failure = session.failure { throw failure }
    }

    /// Writes a request with any method and fields; otherwise like the other ones.
    public mutating func submit(
        _ request: borrowing HTTP2AnyRequest, tag: Int
    ) throws(HTTP2Error) {
        try prepare(bodyBytes: request.body.count)
        try unsafe encoder.pointee.encode(request)
        let index = unsafe state.pointee.open(tag: tag, firstByte: session.output.position)
        unsafe state.pointee.slots[index].maxBody = request.maxResponse
        unsafe request.body.withUnsafeBytes { body in unsafe write(body, slot: index) }
        if let failure = session.failure { throw failure }
    }

    /// Checks that there is room for a request, and writes everything else first.
    private mutating func prepare(bodyBytes: Int) throws(HTTP2Error) {
        if let failure = session.failure { throw failure }
        guard canSubmit(bodyBytes: bodyBytes) else {
            throw HTTP2Error(.noRoom, "no room for one more request of this size now")
        }
        if !session.isWritten {
            serialise()
            if let failure = session.failure { throw failure }
        }
        guard let limits = unsafe state.pointee.takeTableLimits() else { return }
        unsafe encoder.pointee.allowTable(limits.least)
        unsafe encoder.pointee.allowTable(limits.last)
    }

    /// Writes the encoded fields, and as much of the body as the stream's window allows.
    private mutating func write(_ body: UnsafeRawBufferPointer, slot index: Int) {
        unsafe state.pointee.outgoing = unsafe body
        unsafe state.pointee.outgoingSlot = index
        defer {
            unsafe state.pointee.outgoing = nothing
            unsafe state.pointee.outgoingSlot = -1
        }
        let stream = unsafe beginStream(slot: index, hasBody: !body.isEmpty)
        guard stream > 0 else {
            unsafe state.pointee.release(index)
            return session.fail(.fromLibrary(stream))
        }
        unsafe state.pointee.slots[index].stream = stream
        if unsafe !session.serialise(encoder.pointee.bytes) { unsafe encoder.pointee.forget() }
        if let violation = unsafe state.pointee.goAway.violation { session.fail(violation) }
        guard unsafe state.pointee.slots[index].stream == stream,
            unsafe !state.pointee.outgoing.isEmpty
        else { return }
        unsafe state.pointee.keepRest(index)
    }

    /// Submits a request without fields to nghttp2: ``RequestEncoder`` writes them.
    private func beginStream(slot index: Int, hasBody: Bool) -> Int32 {
        var provider = unsafe nghttp2_data_provider(
            source: nghttp2_data_source(fd: 0), read_callback: readRequestBody)
        return unsafe withUnsafePointer(to: &provider) { provider in
            unsafe nghttp2_submit_request(
                session.pointer, nil, nil, 0, hasBody ? provider : nil, slotPointer(index))
        }
    }

    private mutating func reset(_ stream: Int32, _ code: UInt32) {
        session.check(unsafe nghttp2_submit_rst_stream(session.pointer, noFlags, stream, code))
    }

    /// Events are available; any call may add some.
    public var hasEvents: Bool { unsafe !state.pointee.events.isEmpty }

    /// The next event, oldest first.
    public mutating func nextEvent() -> HTTP2ClientEvent? {
        unsafe state.pointee.events.take()?.event
    }

    /// Takes the next event if it is the most common one, a 200 with nothing but an identifier. Any
    /// other event stays for ``nextEvent()``.
    public mutating func nextAccepted() -> (tag: Int, identifier: UInt128?)? {
        guard case .accepted(let tag, let identifier)? = unsafe state.pointee.events.first else {
            return nil
        }
        unsafe state.pointee.events.removeFirst()
        return (tag, identifier)
    }

    /// Calls `body` with all pending output, contiguously, and discards it.
    public mutating func send(_ body: (RawSpan) -> Void) throws(HTTP2Error) {
        let hadFailed = session.failure != nil
        serialise()
        unsafe state.pointee.passedBytes = session.output.position
        session.flush(body)
        if let failure = session.failure, !hadFailed { throw failure }
    }

    /// Output is pending.
    public var wantsToSend: Bool { session.wantsToSend }

    /// How many bytes of output are pending.
    public var pendingBytes: Int { session.output.count }

    /// How many streams the peer allows now; nil before its SETTINGS, `Int.max` without a limit.
    public var peerStreamLimit: Int? { unsafe state.pointee.streamLimit }

    /// The number of requests that wait for their responses.
    public var openStreams: Int { unsafe state.pointee.openStreams }

    /// How many bytes of new bodies the connection's flow-control window allows now.
    public var windowForBodies: Int {
        guard session.failure == nil else { return 0 }
        let window = unsafe Int(nghttp2_session_get_remote_window_size(session.pointer))
        return unsafe max(0, window - state.pointee.waitingBytes)
    }

    /// How many more requests the stream IDs suffice for: they end at 2^31 - 1.
    public var streamsLeft: Int {
        let next = unsafe Int(nghttp2_session_get_next_stream_id(session.pointer))
        return max(0, (Int(Int32.max) - next) / 2 + 1)
    }

    /// The stream of the request submitted last.
    public var lastStream: Int32 {
        Int32(clamping: unsafe Int(nghttp2_session_get_next_stream_id(session.pointer)) - 2)
    }

    /// The number of frames queued inside nghttp2: none, except briefly.
    package var queuedFrames: Int {
        unsafe Int(nghttp2_session_get_outbound_queue_size(session.pointer))
    }

    /// Whether requests can be submitted, now or later; false once either side is closing.
    public var acceptsRequests: Bool {
        guard session.failure == nil, unsafe !state.pointee.goAway.isSent else { return false }
        return unsafe nghttp2_session_check_request_allowed(session.pointer) != 0
    }

    /// Whether the peer allows another open request; false before its first SETTINGS.
    public var hasFreeStream: Bool {
        unsafe state.pointee.streamLimit.map { unsafe state.pointee.openStreams < $0 } ?? false
    }

    /// Whether a request with a body of this size can be written now, as far as its own stream's
    /// window allows.
    public func canSubmit(bodyBytes: Int) -> Bool {
        guard hasFreeStream, session.output.count <= Self.timeout, acceptsRequests else {
            return false
        }
        return bodyBytes <= windowForBodies
    }

    /// Sends a PING, to check that the peer is alive.
    public mutating func ping(_ opaque: UInt64) { session.ping(opaque) }

    /// Sends GOAWAY; open requests continue.
    public mutating func goAway() {
        guard session.failure == nil, unsafe !state.pointee.goAway.isSent else { return }
        unsafe state.pointee.goAway.expect()
        session.check(
            unsafe nghttp2_submit_goaway(
                session.pointer, noFlags, 0, NGHTTP2_NO_ERROR.rawValue, nil, 0))
    }

    /// Cancels a request, after which it has no further events.
    ///
    /// Returns what is known about it: not processed if its body was not sent completely. Nil when
    /// it is not open.
    @discardableResult
    public mutating func cancel(tag: Int) -> HTTP2StreamFailure? {
        let found = unsafe state.pointee.slots.firstIndex {
            $0.stream != 0 && $0.tag == tag && !$0.hasResponse
        }
        guard let index = found else { return nil }
        let stream = unsafe state.pointee.slots[index].stream
        let code = NGHTTP2_CANCEL.rawValue
        let mayBeProcessed = unsafe state.pointee.mayBeProcessed(index)
        // No callback may find the slot any more.
        unsafe state.pointee.slots[index].stream = 0
        if session.failure == nil {
            _ = unsafe nghttp2_session_set_stream_user_data(session.pointer, stream, nil)
            reset(stream, code)
            serialise()
        }
        unsafe state.pointee.release(index)
        return mayBeProcessed ? .reset(code: code) : .notProcessed
    }

    /// Abandons the connection: lists every open request, and whether it was sent completely.
    public mutating func abandon(_ body: (_ tag: Int, _ wasSent: Bool) -> Void) {
        session.fail(HTTP2Error(.ended, "the connection was abandoned"))
        for index in unsafe state.pointee.slots.indices {
            let slot = unsafe state.pointee.slots[index]
            guard slot.stream != 0 else { continue }
            let wasSent = unsafe state.pointee.mayBeProcessed(index)
            unsafe state.pointee.release(index)
            if !slot.hasResponse { body(slot.tag, wasSent) }
        }
    }
}
