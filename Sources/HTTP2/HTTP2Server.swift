internal import CNGHTTP2

/// A server's HTTP/2 connection as a byte machine: bytes in, bytes out, no socket.
///
/// It can be as strict as Apple's servers, and as uncooperative.
@safe
public struct HTTP2Server: ~Copyable {
    private let state: UnsafeMutablePointer<ServerState>
    private var session: Session
    private var fields = ResponseFields()

    /// Creates a connection; the SETTINGS are ready to be sent.
    public init(settings: HTTP2ServerSettings = HTTP2ServerSettings()) {
        let state = UnsafeMutablePointer<ServerState>.allocate(capacity: 1)
        unsafe state.initialize(to: ServerState(settings: settings))
        unsafe self.state = unsafe state
        session = unsafe Session { unsafe newServerSession(state, $0) }
        var entries = [
            entry(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, settings.headerTableSize),
            entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, settings.streamWindow),
            entry(NGHTTP2_SETTINGS_MAX_FRAME_SIZE, settings.maxFrameSize),
            entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, settings.maxHeaderListSize),
        ]
        if let limit = settings.streamLimit {
            entries.append(entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limit))
        }
        announce(entries)
    }

    deinit {
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    private mutating func announce(_ entries: [nghttp2_settings_entry]) {
        let count = entries.count
        let result = unsafe nghttp2_submit_settings(session.pointer, noFlags, entries, count)
        precondition(
            result != NGHTTP2_ERR_INVALID_ARGUMENT.rawValue, "settings must be what HTTP/2 permits")
        session.check(result)
    }

    /// Receives bytes from the client; take the events afterwards, even if it throws.
    ///
    /// If it throws, send once more: the output contains the reason for the client.
    public mutating func receive(_ bytes: RawSpan) throws(HTTP2Error) {
        if let failure = session.failure { throw failure }
        unsafe bytes.withUnsafeBytes { unsafe session.receive($0) }
        if session.output.count < Session.comfortableOutput { serialise() }
        if let failure = session.failure { throw failure }
    }

    /// Writes all frames that may be sent, and detects that nghttp2 has given up on the client.
    private mutating func serialise() {
        unsafe session.serialise()
        if let violation = unsafe state.pointee.goAway.violation { session.fail(violation) }
    }

    /// The next event, oldest first.
    public mutating func nextEvent() -> HTTP2ServerEvent? {
        unsafe state.pointee.nextEvent()
    }

    /// Returns the request announced by the last event, in exchange for `request`'s memory.
    ///
    /// Take it before receiving more; the previous content of `request` is lost.
    public mutating func take(_ request: inout HTTP2ServerRequest) {
        unsafe state.pointee.requests.exchange(&request)
    }

    /// Calls `body` with all pending output, contiguously, and discards it.
    public mutating func send(_ body: (RawSpan) -> Void) throws(HTTP2Error) {
        let hadFailed = session.failure != nil
        serialise()
        session.flush(body)
        if let failure = session.failure, !hadFailed { throw failure }
    }

    /// Output is pending.
    public var wantsToSend: Bool { session.wantsToSend }

    /// The number of open requests: started and not completely responded to.
    public var openStreams: Int { unsafe state.pointee.openStreams }

    /// How many of the client's frames required an acknowledgement: PING and SETTINGS.
    public var acknowledgements: Int { unsafe state.pointee.acknowledged }

    /// Responds to a request, even an unfinished one; throws when its stream is not open.
    ///
    /// Half a response consists of its fields and half of the body, and never ends its stream.
    public mutating func respond(
        stream: Int32, status: Int, fields list: [(String, [UInt8])] = [], body: [UInt8] = [],
        isHalf: Bool = false
    ) throws(HTTP2Error) {
        if let failure = session.failure { throw failure }
        guard let index = unsafe slotIndex(session.pointer, stream),
            unsafe !state.pointee.slots[index].hasResponse
        else { throw HTTP2Error(.noSuchStream, "stream \(stream) is not waiting for a response") }
        fields.fill(status: status, list)
        unsafe state.pointee.slots[index].response = body
        unsafe state.pointee.slots[index].isHalf = isHalf
        let pointer = unsafe session.pointer
        let result = unsafe fields.withList { list, count in
            var provider = unsafe nghttp2_data_provider(
                source: nghttp2_data_source(fd: 0), read_callback: readResponseBody)
            return unsafe withUnsafePointer(to: &provider) { provider in
                unsafe nghttp2_submit_response(
                    pointer, stream, list, count, body.isEmpty && !isHalf ? nil : provider)
            }
        }
        guard result == 0 else { throw .fromLibrary(result) }
        unsafe state.pointee.slots[index].hasResponse = true
    }

    /// The request has not been received completely.
    public func isUnfinished(stream: Int32) -> Bool {
        guard let index = unsafe slotIndex(session.pointer, stream) else { return false }
        return unsafe !state.pointee.slots[index].hasEnded
    }

    /// Resets a stream with an HTTP/2 error code, after earlier responses are written.
    public mutating func reset(stream: Int32, code: UInt32) {
        serialise()
        guard session.failure == nil else { return }
        session.check(unsafe nghttp2_submit_rst_stream(session.pointer, noFlags, stream, code))
    }

    /// Sends GOAWAY: no stream above `lastStream` is processed.
    ///
    /// Without `lastStream`, all requests received so far are still processed; `Int32.max`
    /// announces a second, final GOAWAY.
    public mutating func goAway(lastStream: Int32? = nil, code: UInt32 = 0, debug: [UInt8] = []) {
        serialise()
        guard session.failure == nil else { return }
        let last =
            unsafe lastStream ?? nghttp2_session_get_last_proc_stream_id(session.pointer)
        let result = unsafe nghttp2_submit_goaway(
            session.pointer, noFlags, last, code, debug, debug.count)
        precondition(
            result != NGHTTP2_ERR_INVALID_ARGUMENT.rawValue,
            "a client's streams have odd numbers, and debug data is at most 16 KB")
        if result == 0 { unsafe state.pointee.goAway.expect() }
        session.check(result)
        // From here on nghttp2 ignores new streams: none above `last` may be processed.
        serialise()
    }

    /// Announces a new limit on open streams.
    public mutating func changeStreamLimit(_ limit: Int) {
        guard session.failure == nil else { return }
        announce([entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limit)])
    }

    /// Announces a new window size for streams.
    public mutating func changeStreamWindow(_ bytes: Int) {
        guard session.failure == nil else { return }
        announce([entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, bytes)])
    }

    /// Bodies consume the window, which is not restored until ``restoreWindow()``.
    public var withholdsWindow: Bool {
        get { unsafe state.pointee.withholdsWindow }
        set { unsafe state.pointee.withholdsWindow = newValue }
    }

    /// Restores the window that bodies have consumed, if that is not automatic.
    public mutating func restoreWindow() {
        guard session.failure == nil else { return }
        restoreWindow(of: 0, unsafe state.pointee.usedWindow)
        unsafe state.pointee.usedWindow = 0
        for index in unsafe state.pointee.slots.indices {
            let stream = unsafe state.pointee.slots[index].stream
            guard stream != 0 else { continue }
            restoreWindow(of: stream, unsafe state.pointee.slots[index].usedWindow)
            unsafe state.pointee.slots[index].usedWindow = 0
        }
    }

    private mutating func restoreWindow(of stream: Int32, _ bytes: Int) {
        guard bytes > 0 else { return }
        session.check(
            unsafe nghttp2_submit_window_update(
                session.pointer, noFlags, stream, Int32(clamping: bytes)))
    }

    /// Sends a PING.
    public mutating func ping(_ opaque: UInt64) { session.ping(opaque) }
}

private func entry(_ id: nghttp2_settings_id, _ value: Int) -> nghttp2_settings_entry {
    nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: UInt32(clamping: value))
}

/// An event on a server's connection.
public enum HTTP2ServerEvent: Sendable {
    /// A complete request has arrived: take it from the server now.
    case request(stream: Int32)
    /// The client cancelled a request.
    case reset(stream: Int32, code: UInt32)
    /// The client is closing.
    case goAway(code: UInt32)
}
