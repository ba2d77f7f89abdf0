internal import CNGHTTP2

// nghttp2 calls these functions during receive and serialise. Each looks up the state and the slot,
// and forwards to them.

/// Creates nghttp2's session of a client, with callbacks that use `state`.
func newClientSession(
    _ state: UnsafeMutablePointer<ClientState>, _ pool: UnsafeMutablePointer<BlockPool>
) -> OpaquePointer? {
    var callbacks: OpaquePointer?
    guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
    defer { unsafe nghttp2_session_callbacks_del(callbacks) }
    unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks, onHeader)
    unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onData)
    unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrame)
    unsafe nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, onFrameSent)
    unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onClose)
    var session: OpaquePointer?
    var memory = unsafe nghttp2_mem(pool)
    guard unsafe nghttp2_session_client_new3(&session, callbacks, state, nil, &memory) == 0 else {
        return nil
    }
    return unsafe session
}

/// A slot's index in the form nghttp2 stores: never null, so that null means "no slot".
func slotPointer(_ index: Int) -> UnsafeMutableRawPointer? {
    unsafe UnsafeMutableRawPointer(bitPattern: index + 1)
}

/// The index of a stream's slot.
func slotIndex(_ session: OpaquePointer?, _ stream: Int32) -> Int? {
    guard let data = unsafe nghttp2_session_get_stream_user_data(session, stream) else {
        return nil
    }
    return Int(bitPattern: data) - 1
}

private func state(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<ClientState>? {
    unsafe context?.assumingMemoryBound(to: ClientState.self)
}

private func onHeader(
    _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?,
    _ name: UnsafePointer<UInt8>?, _ nameLength: Int, _ value: UnsafePointer<UInt8>?,
    _ valueLength: Int, _ flags: UInt8, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let state = unsafe state(context), let frame = unsafe frame,
        let index = unsafe state.pointee.slot(of: frame.pointee.hd.stream_id, session)
    else { return 0 }
    let name = unsafe UnsafeBufferPointer(start: name, count: nameLength)
    let value = unsafe UnsafeBufferPointer(start: value, count: valueLength)
    unsafe state.pointee.take(field: name, value, of: index)
    return 0
}

private func onData(
    _ session: OpaquePointer?, _ flags: UInt8, _ stream: Int32, _ data: UnsafePointer<UInt8>?,
    _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let state = unsafe state(context),
        let index = unsafe state.pointee.slot(of: stream, session)
    else { return 0 }
    let bytes = unsafe UnsafeBufferPointer(start: data, count: count)
    unsafe state.pointee.take(body: bytes, of: index)
    return 0
}

private func onFrame(
    _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let state = unsafe state(context), let frame = unsafe frame else { return 0 }
    let header = unsafe frame.pointee.hd
    switch UInt32(header.type) {
    case NGHTTP2_HEADERS.rawValue, NGHTTP2_DATA.rawValue:
        guard header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0,
            let index = unsafe state.pointee.slot(of: header.stream_id, session)
        else { return 0 }
        unsafe state.pointee.responded(index)
        // After the response, the rest of the body is no longer needed.
        if unsafe state.pointee.waiting(index) > 0 {
            unsafe nghttp2_submit_rst_stream(
                session, noFlags, header.stream_id, NGHTTP2_NO_ERROR.rawValue)
        }
    case NGHTTP2_RST_STREAM.rawValue:
        guard let index = unsafe state.pointee.slot(of: header.stream_id, session) else {
            return 0
        }
        unsafe state.pointee.slots[index].wasReset = true
    case NGHTTP2_SETTINGS.rawValue where header.flags & ackFlag == 0:
        unsafe takeSettings(session, state, frame.pointee.settings)
    case NGHTTP2_GOAWAY.rawValue:
        unsafe takeGoAway(frame.pointee.goaway, state)
    case NGHTTP2_PING.rawValue where header.flags & ackFlag != 0:
        let opaque = unsafe frame.pointee.ping.opaque_data
        let bits = unsafe unsafeBitCast(opaque, to: UInt64.self)
        unsafe state.pointee.events.append(.other(.pong(UInt64(bigEndian: bits))))
    default: break
    }
    return 0
}

private let ackFlag = UInt8(NGHTTP2_FLAG_ACK.rawValue)

private func takeSettings(
    _ session: OpaquePointer?, _ state: UnsafeMutablePointer<ClientState>, _ frame: nghttp2_settings
) {
    for index in unsafe 0..<frame.niv {
        guard let entry = unsafe frame.iv?[index],
            UInt32(entry.settings_id) == NGHTTP2_SETTINGS_HEADER_TABLE_SIZE.rawValue
        else { continue }
        unsafe state.pointee.allowTable(Int(entry.value))
    }
    let limit = unsafe nghttp2_session_get_remote_settings(
        session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
    let streamLimit = limit == UInt32.max ? Int.max : Int(limit)
    unsafe state.pointee.streamLimit = streamLimit
    unsafe state.pointee.events.append(.other(.settings(streamLimit: streamLimit)))
}

private func takeGoAway(_ frame: nghttp2_goaway, _ state: UnsafeMutablePointer<ClientState>) {
    let debug = unsafe UnsafeBufferPointer(start: frame.opaque_data, count: frame.opaque_data_len)
    unsafe state.pointee.events.append(
        .other(
            .goAway(
                lastStream: frame.last_stream_id, code: frame.error_code,
                debug: Array(debug.prefix(4096)))))
}

private func onFrameSent(
    _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let state = unsafe state(context), let frame = unsafe frame,
        unsafe UInt32(frame.pointee.hd.type) == NGHTTP2_GOAWAY.rawValue
    else { return 0 }
    unsafe state.pointee.goAway.wasWritten(frame.pointee.goaway)
    return 0
}

private func onClose(
    _ session: OpaquePointer?, _ stream: Int32, _ code: UInt32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let state = unsafe state(context),
        let index = unsafe state.pointee.slot(of: stream, session)
    else { return 0 }
    unsafe state.pointee.closed(index, code: code)
    return 0
}

/// Copies the next piece of a request body that is being written.
func readRequestBody(
    _ session: OpaquePointer?, _ stream: Int32, _ out: UnsafeMutablePointer<UInt8>?,
    _ room: Int, _ flags: UnsafeMutablePointer<UInt32>?,
    _ source: UnsafeMutablePointer<nghttp2_data_source>?, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let state = unsafe state(context), let index = unsafe slotIndex(session, stream) else {
        return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    let (count, isEnd) = unsafe state.pointee.writeBody(
        of: index, into: UnsafeMutableRawBufferPointer(start: out, count: room))
    if isEnd { unsafe flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
    return count
}
