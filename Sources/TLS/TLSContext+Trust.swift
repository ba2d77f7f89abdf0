internal import COpenSSL
internal import Glibc

extension TLSContext {
    /// Asks clients for certificates, if the policy says so.
    func ask(_ policy: ClientCertificatePolicy) throws(TLSError) {
        guard let roots = policy.roots else { return }
        var mode = SSL_VERIFY_PEER
        if case .demanded = policy { mode |= SSL_VERIFY_FAIL_IF_NO_PEER_CERT }
        unsafe SSL_CTX_set_verify(pointer, mode, nil)
        try trust(roots)
    }

    /// Loads the roots that every peer's chain must end in. A server that sends their names shows
    /// its clients which certificates it accepts.
    func trust(_ roots: TrustRoots, isNamed: Bool = true) throws(TLSError) {
        OpenSSLErrors.clear()
        switch roots {
        case .system:
            guard unsafe SSL_CTX_set_default_verify_paths(pointer) == 1 else {
                throw .fromOpenSSL(.badTrustRoots, "cannot read the system's trusted roots")
            }
        case .file(let path):
            try trust(pem: try Self.contents(of: path), origin: path, isNamed)
        case .pem(let bytes):
            try trust(pem: bytes, origin: "the trusted roots", isNamed)
        }
    }

    /// A certificate that the user specifies is trusted as it is, root or not.
    private func trust(pem: [UInt8], origin: String, _ isNamed: Bool) throws(TLSError) {
        let store = unsafe SSL_CTX_get_cert_store(pointer)
        let count: Int
        do throws(TLSError) {
            count = try CertificateHandle.forEach(in: pem) { certificate in
                // A server sends the names of its roots to clients that must choose a certificate.
                if !isClient, isNamed {
                    _ = unsafe SSL_CTX_add_client_CA(pointer, certificate.pointer)
                }
                return unsafe X509_STORE_add_cert(store, certificate.pointer) == 1
            }
        } catch {
            let code = error.code == .resources ? error.code : .badTrustRoots
            throw TLSError(code, "\(origin): \(error.detail)", cause: error.cause)
        }
        guard count > 0 else {
            throw TLSError(
                .badTrustRoots,
                "\(origin): no certificate found; it must contain -----BEGIN CERTIFICATE----- (PEM)"
            )
        }
        _ = unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
    }

    private static func contents(of path: String) throws(TLSError) -> [UInt8] {
        // Opening a device can act, and reading a pipe can take for ever.
        var status = stat()
        guard unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw TLSError(.badTrustRoots, "\(path): it is not a regular file")
        }
        guard let file = unsafe BIO_new_file(path, "r") else {
            throw .fromOpenSSL(.badTrustRoots, "\(path): cannot read the file")
        }
        defer { _ = unsafe BIO_free(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while case let count = unsafe BIO_read(file, &piece, Int32(piece.count)), count > 0 {
            bytes += piece.prefix(Int(count))
            guard bytes.count <= 1 << 20 else {
                throw TLSError(.badTrustRoots, "\(path): too large for a CA file (over 1 MiB)")
            }
        }
        return bytes
    }
}

/// The root certificates that a client trusts.
public enum TrustRoots: Equatable, Sendable {
    /// The operating system's roots.
    case system
    /// The certificates of a PEM file.
    case file(String)
    /// PEM certificates.
    case pem([UInt8])
}
