internal import CNGHTTP2

/// A server's HTTP/2 connection as a byte machine: bytes in, bytes out, no socket.
///
/// It can be as strict as Apple's servers, and as difficult.
@safe
public struct HTTP2Server: ~Copyable {
    private let state: UnsafeMutablePointer<ServerState>
    private var session: Session
    private var fields = ResponseFields()

    /// Begins a connection; the settings wait to be sent.
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

    /// Takes bytes from the client; ask for the events afterwards, even when it throws.
    ///
    /// When it throws, send once more: the client is told why.
    public mutating func receive(_ bytes: RawSpan) throws(HTTP2Error) {
        if let failure = session.failure { throw failure }
        unsafe bytes.withUnsafeBytes { buffer in
            unsafe state.pointee.observer.observe(buffer.bindMemory(to: UInt8.self))
        }
        session.receive(bytes)
        unsafe state.pointee.observer.forget()
        if session.output.count < Session.comfortableOutput { serialise() }
        if let failure = session.failure { throw failure }
    }

    /// Writes what may go out, and notices when nghttp2 gives the client up.
    private mutating func serialise() {
        unsafe session.serialise()
        if let violation = unsafe state.pointee.farewell.violation { session.fail(violation) }
    }

    /// The next thing that happened, oldest first.
    public mutating func nextEvent() -> HTTP2ServerEvent? {
        unsafe state.pointee.nextEvent()
    }

    /// Gives out the request that the last event has announced, for another one's memory.
    ///
    /// Take it before more is received; what `request` held before is forgotten.
    public mutating func take(_ request: inout HTTP2ServerRequest) {
        unsafe state.pointee.requests.exchange(&request)
    }

    /// Lends everything that waits to be sent, in one piece, and forgets it.
    public mutating func send(_ body: (RawSpan) -> Void) throws(HTTP2Error) {
        let hadFailed = session.failure != nil
        serialise()
        session.lend(body)
        if let failure = session.failure, !hadFailed { throw failure }
    }

    /// There is something to send.
    public var wantsToSend: Bool { session.wantsToSend }

    /// How many requests are open: begun and not yet answered as a whole.
    public var openStreams: Int { unsafe state.pointee.openStreams }

    /// How many frames of the client have asked for an acknowledgement: PING and SETTINGS.
    public var acknowledgements: Int { unsafe state.pointee.acknowledged }

    /// Answers a request, even one that has not ended; throws when its stream is not open.
    ///
    /// Of half a response the fields and half of the body are sent, and its stream never ends.
    public mutating func respond(
        stream: Int32, status: Int, fields list: [(String, [UInt8])] = [], body: [UInt8] = [],
        isHalf: Bool = false
    ) throws(HTTP2Error) {
        if let failure = session.failure { throw failure }
        guard let index = unsafe slotIndex(session.pointer, stream),
            unsafe !state.pointee.slots[index].isAnswered
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
        unsafe state.pointee.slots[index].isAnswered = true
    }

    /// The client has not come to the end of a request yet.
    public func isUnfinished(stream: Int32) -> Bool {
        guard let index = unsafe slotIndex(session.pointer, stream) else { return false }
        return unsafe !state.pointee.slots[index].hasEnded
    }

    /// Resets a stream with an HTTP/2 error code, after what was answered before.
    public mutating func reset(stream: Int32, code: UInt32) {
        serialise()
        guard session.failure == nil else { return }
        session.check(unsafe nghttp2_submit_rst_stream(session.pointer, noFlags, stream, code))
    }

    /// Tells the client to go: nothing above `lastStream` is processed.
    ///
    /// Without `lastStream`, what has come so far is still answered; `Int32.max` announces a
    /// second, final GOAWAY.
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
        if result == 0 { unsafe state.pointee.farewell.expect() }
        session.check(result)
    }

    /// Announces another limit on open streams.
    public mutating func changeStreamLimit(_ limit: Int) {
        guard session.failure == nil else { return }
        announce([entry(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limit)])
    }

    /// Announces another window of streams.
    public mutating func changeStreamWindow(_ bytes: Int) {
        guard session.failure == nil else { return }
        announce([entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, bytes)])
    }

    /// Bodies use up the window, and nothing is returned until ``restoreWindow()``.
    public var withholdsWindow: Bool {
        get { unsafe state.pointee.withholdsWindow }
        set { unsafe state.pointee.withholdsWindow = newValue }
    }

    /// Gives back the window that bodies have used, when that is not done by itself.
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

    /// Asks for a pong.
    public mutating func ping(_ opaque: UInt64) { session.ping(opaque) }
}

private func entry(_ id: nghttp2_settings_id, _ value: Int) -> nghttp2_settings_entry {
    nghttp2_settings_entry(settings_id: Int32(id.rawValue), value: UInt32(clamping: value))
}
