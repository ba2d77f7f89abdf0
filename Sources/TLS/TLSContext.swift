internal import COpenSSL

/// What similar sessions share: trusted roots or a certificate, and the protocols.
///
/// Sendable because it does not change after its creation; any thread may then use OpenSSL's
/// context to create sessions.
@safe
public final class TLSContext: @unchecked Sendable {
    /// The owned OpenSSL context.
    let pointer: OpaquePointer
    /// The application protocols in the handshake's encoding, each preceded by its length.
    let protocols: ProtocolList
    /// True for a client context.
    let isClient: Bool
    /// Rejects a peer that offers no application protocol at all.
    let requiresProtocol: Bool
    /// The sessions that a client can resume; always empty on a server.
    let sessions = SessionStore()
    /// Decides which clients a server accepts; nil if OpenSSL alone decides.
    let judge: ClientJudge?

    private init(
        isClient: Bool, alpn: [String], requiresProtocol: Bool = true, judge: ClientJudge? = nil
    ) throws(TLSError) {
        let protocols = try ProtocolList(alpn)
        OpenSSLErrors.clear()
        let method = unsafe isClient ? TLS_client_method() : TLS_server_method()
        guard let context = unsafe SSL_CTX_new(method) else {
            throw .fromOpenSSL(.library, "no TLS context")
        }
        unsafe pointer = context
        self.protocols = protocols
        self.isClient = isClient
        self.requiresProtocol = requiresProtocol
        self.judge = judge
        try setRules()
    }

    deinit { unsafe SSL_CTX_free(pointer) }

    /// Creates a client context, which always verifies the chain and the host name, and presents a
    /// certificate if there is one.
    ///
    /// It keeps the newest sessions that servers offer, and resumes them: never under another
    /// host name, and no other context does. No data is ever sent early. `requiresTLS13` leaves
    /// TLS 1.2 out.
    public static func client(
        trustRoots: TrustRoots = .system, certificate: ClientCertificate? = nil,
        alpn: [String] = ["h2"], requiresTLS13: Bool = false
    ) throws(TLSError) -> TLSContext {
        let context = try TLSContext(isClient: true, alpn: alpn)
        if requiresTLS13 {
            _ = unsafe apns_ctx_set_minimum_version(context.pointer, TLS1_3_VERSION)
        }
        unsafe SSL_CTX_set_verify(context.pointer, SSL_VERIFY_PEER, nil)
        unsafe apns_ctx_hand_over_sessions(context.pointer, keepSession)
        try context.trust(trustRoots)
        if let certificate { try context.present(certificate.chainPEM, certificate.key) }
        let wire = context.protocols.bytes
        let length = UInt32(wire.count)
        if length > 0, unsafe SSL_CTX_set_alpn_protos(context.pointer, wire, length) != 0 {
            throw .fromOpenSSL(.library, "the application protocols were not accepted")
        }
        return context
    }

    /// The number of sessions that a client can resume now, over all hosts.
    public var savedSessions: Int { sessions.count }

    /// Creates a server context; the certificate may be followed by its chain.
    ///
    /// Without `requiresProtocol`, clients need not offer an application protocol; one that offers
    /// only others is always rejected. Each client gets `tickets` tickets, with which it may resume
    /// its session as long as this context exists.
    public static func server(
        certificatePEM: [UInt8], keyPEM: [UInt8], alpn: [String] = ["h2"],
        requiresProtocol: Bool = true, clientCertificates: ClientCertificatePolicy = .notAsked,
        tickets: Int = 2
    ) throws(TLSError) -> TLSContext {
        let context = try TLSContext(
            isClient: false, alpn: alpn, requiresProtocol: requiresProtocol)
        try context.present(certificatePEM, KeyHandle.privateKey(pem: keyPEM, like: ""))
        try context.ask(clientCertificates)
        context.offer(tickets: tickets)
        if !context.protocols.bytes.isEmpty {
            unsafe SSL_CTX_set_alpn_select_cb(
                context.pointer, selectProtocol, context.protocols.pointer)
        }
        return context
    }

    /// Creates a server context for legacy protocols: no application protocol, no tickets, and
    /// every client must present a certificate that `judge` accepts.
    public static func server(
        certificate: ClientCertificate, clients judge: ClientJudge
    ) throws(TLSError) -> TLSContext {
        let context = try TLSContext(isClient: false, alpn: [], judge: judge)
        try context.present(certificate.chainPEM, certificate.key)
        try context.ask(judge)
        context.offer(tickets: 0)
        return context
    }

    /// TLS 1.2 or newer; below 1.3 only the ciphers that HTTP/2 permits (RFC 9113, 9.2.2), and for
    /// clients of legacy protocols also those of systems of that era.
    private func setRules() throws(TLSError) {
        let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20" + (judge == nil ? "" : ":ECDHE+AES")
        guard unsafe apns_ctx_set_minimum_version(pointer, TLS1_2_VERSION) == 1,
            unsafe SSL_CTX_set_cipher_list(pointer, ciphers) == 1
        else { throw .fromOpenSSL(.library, "the TLS rules were not accepted") }
        unsafe apns_ctx_set_options(pointer)
        unsafe apns_ctx_disable_session_cache(pointer)
    }

    /// A server stores no sessions: the ticket contains the whole session.
    private func offer(tickets: Int) {
        let name = Array("apns-bridge".utf8)
        _ = unsafe SSL_CTX_set_session_id_context(pointer, name, UInt32(name.count))
        _ = unsafe SSL_CTX_set_num_tickets(pointer, tickets)
        if tickets == 0 { _ = unsafe SSL_CTX_set_options(pointer, apns_no_ticket()) }
    }

    /// Sets this side's certificate, followed by its chain, and its key.
    private func present(
        _ certificatePEM: [UInt8], _ key: borrowing KeyHandle
    ) throws(TLSError) {
        try present(certificatePEM)
        OpenSSLErrors.clear()
        guard unsafe SSL_CTX_use_PrivateKey(pointer, key.pointer) == 1 else {
            throw .fromOpenSSL(.badKey, "the private key does not belong to the certificate")
        }
    }

    private func present(_ certificatePEM: [UInt8]) throws(TLSError) {
        var isFirst = true
        let count = try CertificateHandle.forEach(in: certificatePEM) { certificate in
            defer { isFirst = false }
            return isFirst
                ? unsafe SSL_CTX_use_certificate(pointer, certificate.pointer) == 1
                : unsafe apns_ctx_add_chain_certificate(pointer, certificate.pointer) == 1
        }
        guard count > 0 else {
            throw TLSError(
                .badCertificate,
                "not a PEM certificate: it must start with -----BEGIN CERTIFICATE-----")
        }
    }
}
