internal import COpenSSL

/// Decides, while the handshake continues, which client certificates a server accepts.
///
/// It sees every certificate twice at most: first by itself, which is how one that is known by its
/// fingerprint is accepted whatever its issuer and its dates are; then, when a chain to one of the
/// roots stands, with the fingerprints of that chain.
public final class ClientJudge: Sendable {
    /// What decides: the certificate, and the fingerprints of those that vouch for it.
    public typealias Decision =
        @Sendable (_ certificate: CertificateDescription, _ vouchers: [[UInt8]]) -> Bool

    /// The certificates that may vouch for clients, in PEM; never the system's.
    let rootsPEM: [UInt8]
    /// What decides.
    let accepts: Decision

    /// Names the certificates that may vouch for clients, if any, and what decides.
    public init(rootsPEM: [UInt8], accepts: @escaping Decision) {
        self.rootsPEM = rootsPEM
        self.accepts = accepts
    }

    /// The verdict about the client whose certificate OpenSSL is about to verify.
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

    /// The fingerprints of a chain's certificates, the client's own first.
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
        // In TLS 1.3 a client has ended its handshake before it can be refused, and old programs do
        // not listen to what comes afterwards: they would take their pushes for sent.
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
