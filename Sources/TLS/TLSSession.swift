internal import COpenSSL

/// One TLS connection as a byte machine: bytes in, bytes out, no socket.
///
/// It owns OpenSSL's session, and two memory buffers that stand in for the network.
@safe
public struct TLSSession: ~Copyable {
    /// The most plaintext in one TLS record.
    public static let maxRecord = 16_384
    /// The approximate size of a record besides its plaintext.
    private static let recordOverhead = 64
    let pointer: OpaquePointer
    private let buffers: UnsafeMutablePointer<TLSBuffers>
    private let plaintext: UnsafeMutableRawBufferPointer
    /// Kept alive because the handshake reads its protocol list.
    let context: TLSContext
    /// The name that the server's certificate must match; nil on a server.
    let hostName: ServerName?
    /// Receives new sessions; nil on a server.
    private let keeper: SessionKeeper?
    private var failure: TLSError?
    private var isClosed = false
    private var peerHasClosed = false

    /// The handshake is complete; nothing can be written before.
    public private(set) var isEstablished = false
    /// The application protocol that both sides agreed on.
    public private(set) var negotiatedProtocol: String?

    /// Creates a client session, which accepts only a server with a certificate for `hostName`.
    public init(client context: TLSContext, hostName: String) throws(TLSError) {
        precondition(context.isClient, "a client's session needs a client's context")
        try self.init(context, try ServerName(hostName))
        unsafe SSL_set_connect_state(pointer)
        if let keeper { resume(keeper) }
    }

    /// Offers the newest session for this host, which the server may decline.
    private func resume(_ keeper: SessionKeeper) {
        unsafe apns_ssl_set_data(pointer, Unmanaged.passUnretained(keeper).toOpaque())
        guard let saved = context.sessions.take(keeper.host) else { return }
        _ = unsafe SSL_set_session(pointer, saved.pointer)
        OpenSSLErrors.clear()
    }

    /// The handshake resumed an earlier session instead of verifying everything again.
    public var isResumed: Bool { unsafe isEstablished && SSL_session_reused(pointer) == 1 }

    /// Creates a server session.
    public init(server context: TLSContext) throws(TLSError) {
        precondition(!context.isClient, "a server's session needs a server's context")
        try self.init(context, nil)
        unsafe SSL_set_accept_state(pointer)
    }

    private init(_ context: TLSContext, _ hostName: ServerName?) throws(TLSError) {
        OpenSSLErrors.clear()
        guard let session = unsafe SSL_new(context.pointer) else {
            throw .fromOpenSSL(.library, "no memory for a TLS session")
        }
        let buffers = UnsafeMutablePointer<TLSBuffers>.allocate(capacity: 1)
        unsafe buffers.initialize(to: TLSBuffers())
        guard let bio = unsafe TLSBufferMethod.shared.bio(over: buffers),
            hostName.map({ unsafe Self.require($0, of: session) }) ?? true
        else {
            unsafe SSL_free(session)
            unsafe buffers.deinitialize(count: 1)
            unsafe buffers.deallocate()
            throw .fromOpenSSL(.badHostName, "OpenSSL rejected the host name")
        }
        unsafe SSL_set_bio(session, bio, bio)
        unsafe pointer = session
        unsafe self.buffers = unsafe buffers
        unsafe plaintext = .allocate(byteCount: Self.maxRecord, alignment: 16)
        self.context = context
        self.hostName = hostName
        keeper = hostName.map { SessionKeeper(context.sessions, host: $0.text.lowercased()) }
    }

    deinit {
        // Marked as shut down, so that OpenSSL sends nothing and does not call the session bad.
        unsafe SSL_set_quiet_shutdown(pointer, 1)
        unsafe SSL_set_shutdown(pointer, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        unsafe SSL_free(pointer)
        unsafe buffers.deinitialize(count: 1)
        unsafe buffers.deallocate()
        unsafe plaintext.deallocate()
    }

    private static func require(_ host: ServerName, of session: OpaquePointer) -> Bool {
        let rules = unsafe SSL_get0_param(session)
        if host.isAddress {
            return unsafe X509_VERIFY_PARAM_set1_ip_asc(rules, host.text) == 1
        }
        // Only subject alternative names count (RFC 9110, 4.3.4).
        let flags = UInt32(
            X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)
        unsafe X509_VERIFY_PARAM_set_hostflags(rules, flags)
        guard unsafe X509_VERIFY_PARAM_set1_host(rules, host.text, 0) == 1 else { return false }
        return unsafe apns_ssl_set_server_name(session, host.text) == 1
    }

    /// Writes the client's first message; does nothing on a server.
    public mutating func start() throws(TLSError) {
        if hostName != nil { try driveHandshake() }
    }

    /// Receives bytes from the peer and drives the handshake; call `read` afterwards.
    ///
    /// If it throws, send the pending output: an alert with the reason for the peer.
    public mutating func receive(_ ciphertext: RawSpan) throws(TLSError) {
        if let failure { throw failure }
        guard ciphertext.byteCount > 0, !peerHasClosed else { return }
        unsafe ciphertext.withUnsafeBytes { unsafe buffers.pointee.input.append($0) }
        if !isEstablished { try driveHandshake() }
    }

    private mutating func driveHandshake() throws(TLSError) {
        if let failure { throw failure }
        guard !isEstablished else { return }
        OpenSSLErrors.clear()
        let result = unsafe SSL_do_handshake(pointer)
        guard result == 1 else {
            let reason = unsafe SSL_get_error(pointer, result)
            if reason == SSL_ERROR_WANT_READ { return }
            // Whatever the reason, the next attempt makes a full handshake.
            if let keeper { context.sessions.forget(keeper.host) }
            throw fail(handshakeFailure())
        }
        negotiatedProtocol = agreedProtocol()
        guard
            negotiatedProtocol != nil || context.protocols.bytes.isEmpty
                || !context.requiresProtocol
        else {
            throw fail(
                TLSError(.noCommonProtocol, "\(peerName) does not offer HTTP/2 (ALPN h2)"))
        }
        isEstablished = true
    }

    /// Records that the session cannot continue: OpenSSL's session must not be used again.
    private mutating func fail(_ error: TLSError) -> TLSError {
        failure = error
        return error
    }

    /// Calls `body` with all received plaintext, in pieces of at most 16 KB.
    ///
    /// Returns false when the peer has closed its side.
    public mutating func read(_ body: (RawSpan) -> Void) throws(TLSError) -> Bool {
        if let failure { throw failure }
        guard isEstablished, !peerHasClosed else { return !peerHasClosed }
        OpenSSLErrors.clear()
        let start = unsafe plaintext.baseAddress
        while true {
            let count = unsafe SSL_read(pointer, start, Int32(Self.maxRecord))
            guard count > 0 else { return try endOfRead(count) }
            unsafe body(UnsafeRawBufferPointer(rebasing: plaintext[..<Int(count)]).bytes)
        }
    }

    private mutating func endOfRead(_ result: Int32) throws(TLSError) -> Bool {
        switch unsafe SSL_get_error(pointer, result) {
        case SSL_ERROR_WANT_READ: return true
        case SSL_ERROR_ZERO_RETURN:
            peerHasClosed = true
            return false
        default: throw fail(connectionFailure())
        }
    }

    /// Encrypts plaintext and appends it to the output.
    public mutating func write(_ plaintext: RawSpan) throws(TLSError) {
        if let failure { throw failure }
        guard isEstablished, !isClosed else {
            throw TLSError(
                .notReady, isClosed ? "this side is closed" : "the handshake is not over")
        }
        guard plaintext.byteCount > 0 else { return }
        let records = plaintext.byteCount / Self.maxRecord + 1
        unsafe buffers.pointee.output.reserve(
            plaintext.byteCount + records * Self.recordOverhead)
        OpenSSLErrors.clear()
        let isWritten = unsafe plaintext.withUnsafeBytes { bytes in
            var count = 0
            return unsafe SSL_write_ex(pointer, bytes.baseAddress, bytes.count, &count) == 1
        }
        guard isWritten else { throw fail(connectionFailure()) }
    }

    /// Ciphertext is ready to be sent.
    public var hasOutput: Bool { unsafe buffers.pointee.output.count > 0 }

    /// Calls `body` with the pending ciphertext; `body` returns how many bytes of it were sent.
    public mutating func withOutput(_ body: (RawSpan) -> Int) {
        let waiting = unsafe buffers.pointee.output.waiting
        guard unsafe !waiting.isEmpty else { return }
        let taken = unsafe body(waiting.bytes)
        unsafe buffers.pointee.output.drop(taken)
    }

    /// Closes our side: appends a close_notify to the output.
    public mutating func close() {
        guard isEstablished, !isClosed, failure == nil else { return }
        isClosed = true
        OpenSSLErrors.clear()
        _ = unsafe SSL_shutdown(pointer)
        OpenSSLErrors.clear()
    }
}
