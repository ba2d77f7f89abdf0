internal import COpenSSL

/// An owned OpenSSL certificate.
///
/// Sendable because it never changes after its creation.
@safe
struct CertificateHandle: ~Copyable, @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership of one reference.
    init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    /// Reads the first certificate in a PEM string.
    init(pem: [UInt8]) throws(TLSError) {
        let bio = try MemoryBIO(pem)
        OpenSSLErrors.clear()
        guard let first = unsafe PEM_read_bio_X509(bio.pointer, nil, nil, nil) else {
            throw .fromOpenSSL(
                .badCertificate,
                "not a PEM certificate: it must start with -----BEGIN CERTIFICATE-----")
        }
        unsafe pointer = first
    }

    deinit { unsafe X509_free(pointer) }

    /// The certificate as PEM.
    func pem() throws(TLSError) -> [UInt8] {
        let bio = try MemoryBIO()
        OpenSSLErrors.clear()
        guard unsafe PEM_write_bio_X509(bio.pointer, pointer) == 1 else {
            throw .fromOpenSSL(.library, "cannot write the certificate as PEM")
        }
        return bio.bytes
    }

    /// The certificate contains this key.
    func belongs(to key: borrowing KeyHandle) -> Bool {
        defer { OpenSSLErrors.clear() }
        return unsafe X509_check_private_key(pointer, key.pointer) == 1
    }

    /// The certificates in a PEM string, without anything else.
    static func all(in pem: [UInt8]) throws(TLSError) -> [UInt8] {
        var certificates: [UInt8] = []
        _ = try forEach(in: pem) { certificate in
            guard let written = try? certificate.pem() else { return false }
            certificates += written
            return true
        }
        return certificates
    }

    /// Reads every certificate in a PEM string, in order; returns their number.
    static func forEach(
        in pem: [UInt8], _ body: (borrowing CertificateHandle) -> Bool
    ) throws(TLSError) -> Int {
        let bio = try MemoryBIO(pem)
        var count = 0
        OpenSSLErrors.clear()
        while let next = unsafe PEM_read_bio_X509(bio.pointer, nil, nil, nil) {
            let certificate = unsafe CertificateHandle(owning: next)
            guard body(certificate) else {
                throw .fromOpenSSL(.badCertificate, "certificate \(count + 1) is not usable")
            }
            count += 1
        }
        let end = OpenSSLErrors.lastCode
        guard OpenSSLErrors.reason(of: end) == PEM_R_NO_START_LINE else {
            throw .fromOpenSSL(.badCertificate, "certificate \(count + 1) is damaged")
        }
        OpenSSLErrors.clear()
        return count
    }
}
