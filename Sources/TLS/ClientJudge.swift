internal import COpenSSL

/// Decides, during the handshake, which client certificates a server accepts.
///
/// It sees every certificate at most twice: first on its own, so that one known by its fingerprint
/// is accepted whatever its issuer and dates are; then, if it chains to one of the roots, with the
/// fingerprints of that chain.
public final class ClientJudge: Sendable {
    /// Decides about a certificate, given the fingerprints of its chain.
    public typealias Decision =
        @Sendable (_ certificate: CertificateDescription, _ vouchers: [[UInt8]]) -> Bool

    /// The certificates that may sign client certificates, as PEM; never the system's.
    let rootsPEM: [UInt8]
    /// Makes the decision.
    let accepts: Decision

    /// Sets the certificates that may sign client certificates, if any, and the decision.
    public init(rootsPEM: [UInt8], accepts: @escaping Decision) {
        self.rootsPEM = rootsPEM
        self.accepts = accepts
    }

    /// Decides about the client certificate that OpenSSL is about to verify.
    func verify(_ store: OpaquePointer) -> Bool {
        guard let leaf = unsafe X509_STORE_CTX_get0_cert(store),
            let certificate = try? unsafe CertificateDescription(leaf)
        else { return false }
        if accepts(certificate, []) {
            unsafe X509_STORE_CTX_set_error(store, X509_V_OK)
            return true
        }
        guard unsafe X509_verify_cert(store) == 1 else { return false }
        let vouchers = unsafe Self.fingerprints(of: X509_STORE_CTX_get0_chain(store))
        if accepts(certificate, vouchers) { return true }
        unsafe X509_STORE_CTX_set_error(store, X509_V_ERR_APPLICATION_VERIFICATION)
        return false
    }

    /// The fingerprints of the certificates in a chain, the client's own first.
    static func fingerprints(of chain: OpaquePointer?) -> [[UInt8]] {
        unsafe (0..<apns_chain_count(chain)).compactMap { index in
            unsafe apns_chain_at(chain, index).flatMap {
                try? unsafe CertificateDescription($0).fingerprint
            }
        }
    }
}

extension TLSContext {
    /// Asks every client for a certificate that `judge` accepts.
    func ask(_ judge: ClientJudge) throws(TLSError) {
        let mode = SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
        unsafe SSL_CTX_set_verify(pointer, mode, nil)
        // In TLS 1.3 a client finishes its handshake before it can be rejected, and old programs do
        // not read what follows: they would consider their pushes sent.
        unsafe apns_ctx_prefer_tls12(pointer)
        if !judge.rootsPEM.isEmpty { try trust(.pem(judge.rootsPEM), isNamed: false) }
        unsafe SSL_CTX_set_cert_verify_callback(
            pointer,
            { store, raw in
                guard let store = unsafe store, let raw = unsafe raw else { return 0 }
                let judge = unsafe Unmanaged<ClientJudge>.fromOpaque(raw).takeUnretainedValue()
                return unsafe judge.verify(store) ? 1 : 0
            }, Unmanaged.passUnretained(judge).toOpaque())
    }
}
