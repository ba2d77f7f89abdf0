internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

// libmicrohttpd calls these on its thread. At file level, so that they are not isolated to an
// actor.

/// Called with the first line of each request, before its target is decoded.
let targetThunk:
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?
    ) -> UnsafeMutableRawPointer? = { _, target, _ in
        let length = unsafe target.map { unsafe String(cString: $0).utf8.count } ?? 0
        let exchange = AdminExchange(targetLength: length)
        return unsafe Unmanaged.passRetained(exchange).toOpaque()
    }

/// Called once after the header fields, then for each part of the body, then at its end, and once
/// more when a response that took a while is there.
let responseThunk: MHD_AccessHandlerCallback = {
    context, connection, url, method, version, data, size, own in
    guard let context = unsafe context, let connection = unsafe connection, let url = unsafe url,
        let method = unsafe method, let version = unsafe version, let size = unsafe size,
        let reference = unsafe own?.pointee
    else { return .NO }
    let controller = unsafe Unmanaged<AdminController>.fromOpaque(context).takeUnretainedValue()
    unsafe controller.clients.noteActivity(mhd_socket(connection))
    let exchange = unsafe Unmanaged<AdminExchange>.fromOpaque(reference).takeUnretainedValue()
    if exchange.begin() {
        let head = unsafe RequestHead(
            method: method, url, exchange.targetLength, version, of: connection)
        if let refusal = RequestFraming.refusal(of: head) {
            return unsafe Connection.queue(refusal, on: connection)
        }
        let length = unsafe Connection.length(of: connection)
        return length > controller.bodyLimit
            ? unsafe Connection.queue(controller.tooLong, on: connection) : .YES
    }
    if let response = exchange.reply.withLock({ $0 }) {
        return unsafe Connection.queue(response, on: connection)
    }
    if unsafe size.pointee > 0 {
        unsafe Connection.take(data, size.pointee, into: exchange, limit: controller.bodyLimit)
        unsafe size.pointee = 0
        // A client that continues for this long is not waiting for a response.
        return exchange.received > controller.bodyLimit * 16 ? .NO : .YES
    }
    if exchange.received > controller.bodyLimit {
        return unsafe Connection.queue(controller.tooLong, on: connection)
    }
    let request = unsafe AdminRequest(
        method: String(cString: method), path: String(cString: url),
        query: Connection.values(.GET_ARGUMENT_KIND, of: connection),
        headers: Connection.values(.HEADER_KIND, of: connection, lowercase: true),
        body: exchange.body)
    switch controller.router.reply(to: request) {
    case .now(let response):
        if response.status < 400 { unsafe controller.clients.serve(mhd_socket(connection)) }
        return unsafe Connection.queue(response, on: connection)
    case .later(let work):
        unsafe controller.clients.serve(mhd_socket(connection))
        guard unsafe controller.deferred.await(exchange, on: connection, work) else {
            return unsafe Connection.queue(AdminController.stopping, on: connection)
        }
        return .YES
    }
}

/// Called when a connection starts and when it ends.
let connectionThunk: MHD_NotifyConnectionCallback = { context, connection, _, what in
    guard let context = unsafe context, let connection = unsafe connection else { return }
    let controller = unsafe Unmanaged<AdminController>.fromOpaque(context).takeUnretainedValue()
    let socket = unsafe mhd_socket(connection)
    let isNew = what == .CONNECTION_NOTIFY_STARTED
    guard isNew else { return controller.clients.remove(socket) }
    var address = [UInt8](repeating: 0, count: 16)
    let length = unsafe mhd_address(connection, &address)
    let dropped = controller.clients.add(socket, address: Array(address[..<Int(length)]))
    // The daemon notices the end of the connection, and closes the socket.
    if let dropped { _ = shutdown(dropped, Int32(SHUT_RDWR)) }
}

/// Called when a request is over, for any reason.
let completedThunk: MHD_RequestCompletedCallback = { _, _, own, _ in
    guard let own = unsafe own, let reference = unsafe own.pointee else { return }
    unsafe Unmanaged<AdminExchange>.fromOpaque(reference).release()
    unsafe own.pointee = nil
}

/// Called for each header field or query parameter.
private let collectThunk: MHD_KeyValueIterator = { context, _, key, value in
    guard let context = unsafe context, let key = unsafe key else { return .YES }
    let values = unsafe context.assumingMemoryBound(to: [String: String].self)
    unsafe values.pointee[String(cString: key)] =
        unsafe value.map { unsafe String(cString: $0) }
        ?? ""
    return .YES
}

/// libmicrohttpd's functions for a connection.
enum Connection {
    /// Header fields or query parameters by name.
    static func values(
        _ kind: MHD_ValueKind, of connection: OpaquePointer, lowercase: Bool = false
    ) -> [String: String] {
        var values: [String: String] = [:]
        unsafe withUnsafeMutablePointer(to: &values) {
            _ = unsafe MHD_get_connection_values(connection, kind, collectThunk, $0)
        }
        guard lowercase else { return values }
        return Dictionary(values.map { ($0.lowercased(), $1) }) { $1 }
    }

    /// The value of `content-length`, or 0.
    static func length(of connection: OpaquePointer) -> Int {
        let text = unsafe MHD_lookup_connection_value(
            connection, .HEADER_KIND, "content-length")
        return unsafe text.flatMap { unsafe Int(String(cString: $0)) } ?? 0
    }

    /// Keeps a part of a body, up to the limit.
    static func take(
        _ data: UnsafePointer<CChar>?, _ count: Int, into exchange: AdminExchange, limit: Int
    ) {
        let bytes = unsafe UnsafeRawBufferPointer(start: data, count: count)
        exchange.take(count, limit: limit) { unsafe $0.append(contentsOf: bytes) }
    }

    /// Queues a response; it is sent after the handler has returned.
    static func queue(_ response: AdminResponse, on connection: OpaquePointer) -> MHD_Result {
        let made = unsafe response.body.withUnsafeBytes {
            unsafe mhd_response($0.count, $0.baseAddress)
        }
        guard let made = unsafe made else { return .NO }
        defer { unsafe MHD_destroy_response(made) }
        let always = ["cache-control": "no-store", "x-content-type-options": "nosniff"]
        for (name, value) in always.merging(response.headers, uniquingKeysWith: { $1 }) {
            _ = unsafe MHD_add_response_header(made, name, value)
        }
        return unsafe MHD_queue_response(connection, UInt32(response.status), made)
    }
}
