internal import CNGHTTP2

// nghttp2 calls these functions during receive and serialise. Each looks up the state and the slot,
// and forwards to them.

/// Creates nghttp2's session of a server, with callbacks that use `state`.
func newServerSession(
    _ state: UnsafeMutablePointer<ServerState>, _ pool: UnsafeMutablePointer<BlockPool>
) -> OpaquePointer? {
    var callbacks: OpaquePointer?
    guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
    defer { unsafe nghttp2_session_callbacks_del(callbacks) }
    unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, onBegin)
    unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks, onHeader)
    unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onData)
    unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrame)
    unsafe nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, onFrameSent)
    unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onClose)
    var option: OpaquePointer?
    guard unsafe nghttp2_option_new(&option) == 0 else { return nil }
    defer { unsafe nghttp2_option_del(option) }
    unsafe nghttp2_option_set_no_closed_streams(option, 1)
    unsafe nghttp2_option_set_no_auto_window_update(option, 1)
    var session: OpaquePointer?
    var memory = unsafe nghttp2_mem(pool)
    guard
        unsafe nghttp2_session_server_new3(&session, callbacks, state, option, &memory) == 0
    else { return nil }
    return unsafe session
}

private func state(_ context: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<ServerState>? {
    unsafe context?.assumingMemoryBound(to: ServerState.self)
}

private func onBegin(
    _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?,
    _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let state = unsafe state(context), let frame = unsafe frame?.pointee,
        unsafe UInt32(frame.hd.type) == NGHTTP2_HEADERS.rawValue,
        unsafe frame.headers.cat == NGHTTP2_HCAT_REQUEST
    else { return 0 }
    let index = unsafe state.pointee.open(stream: frame.hd.stream_id)
    return unsafe nghttp2_session_set_stream_user_data(
        session, frame.hd.stream_id, slotPointer(index))
}

private func onHeader(
    _ session: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?,
    _ name: UnsafePointer<UInt8>?, _ nameLength: Int, _ value: UnsafePointer<UInt8>?,
    _ valueLength: Int, _ flags: UInt8, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let state = unsafe state(context), let stream = unsafe frame?.pointee.hd.stream_id,
        let index = unsafe stream == state.pointee.receiving.stream
            ? state.pointee.receiving.index : slotIndex(session, stream)
    else { return 0 }
    let name = unsafe UnsafeBufferPointer(start: name, count: nameLength)
    let value = unsafe UnsafeBufferPointer(start: value, count: valueLength)
    let isTaken = unsafe state.pointee.take(field: name, value, of: index)
    return isTaken ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
}

private func onData(
    _ session: OpaquePointer?, _ flags: UInt8, _ stream: Int32, _ data: UnsafePointer<UInt8>?,
    _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let state = unsafe state(context), let index = unsafe slotIndex(session, stream) else {
        return 0
    }
    let bytes = unsafe UnsafeBufferPointer(start: data, count: count)
    unsafe state.pointee.take(body: bytes, of: index)
    if unsafe !state.pointee.withholdsWindow {
        _ = unsafe nghttp2_session_consume(session, stream, count)
    }
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
            let index = unsafe slotIndex(session, header.stream_id)
        else { return 0 }
        unsafe state.pointee.slots[index].hasEnded = true
        unsafe state.pointee.finished(index)
    case NGHTTP2_PING.rawValue, NGHTTP2_SETTINGS.rawValue:
        guard header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) == 0 else { return 0 }
        unsafe state.pointee.acknowledged += 1
    case NGHTTP2_RST_STREAM.rawValue:
        let code = unsafe frame.pointee.rst_stream.error_code
        unsafe state.pointee.events.append(.reset(stream: header.stream_id, code: code))
    case NGHTTP2_GOAWAY.rawValue:
        unsafe state.pointee.events.append(.goAway(code: frame.pointee.goaway.error_code))
    default: break
    }
    return 0
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
    guard let state = unsafe state(context), let index = unsafe slotIndex(session, stream) else {
        return 0
    }
    unsafe state.pointee.closed(index)
    return 0
}

/// Copies the next piece of a response body.
func readResponseBody(
    _ session: OpaquePointer?, _ stream: Int32, _ out: UnsafeMutablePointer<UInt8>?,
    _ room: Int, _ flags: UnsafeMutablePointer<UInt32>?,
    _ source: UnsafeMutablePointer<nghttp2_data_source>?, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let state = unsafe state(context), let index = unsafe slotIndex(session, stream) else {
        return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
    let out = unsafe UnsafeMutableBufferPointer(start: out, count: room)
    let piece = unsafe state.pointee.readResponse(of: index, into: out)
    if piece.isHeldBack { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
    if piece.isLast { unsafe flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
    return piece.count
}
