internal import COpenSSL

/// PKCS#12: a certificate, its chain and its private key in one file with a passphrase.
enum PKCS12 {
    /// The content of such a file, as PEM.
    struct Content {
        /// The certificate, followed by its chain.
        var certificatePEM: [UInt8]
        /// Its private key.
        var keyPEM: [UInt8]
    }

    /// Reads a file.
    static func read(_ bytes: [UInt8], passphrase: String?) throws(TLSError) -> Content {
        let library = try LegacyLibrary()
        let bio = try MemoryBIO(bytes)
        OpenSSLErrors.clear()
        var file = unsafe PKCS12_init_ex(NID_pkcs7_data, library.pointer, nil)
        defer { unsafe PKCS12_free(file) }
        guard unsafe file != nil, unsafe d2i_PKCS12_bio(bio.pointer, &file) != nil else {
            throw .fromOpenSSL(
                .badCertificate, "this is neither PEM nor a valid PKCS#12 file (.p12)")
        }
        try unsafe check(passphrase, opens: file)
        var key: OpaquePointer?
        var leaf: OpaquePointer?
        var chain: OpaquePointer?
        let isRead = unsafe PKCS12_parse(file, passphrase ?? "", &key, &leaf, &chain)
        defer { unsafe apns_chain_free(chain) }
        let keyHandle = unsafe key.map { unsafe KeyHandle(owning: $0) }
        let leafHandle = unsafe leaf.map { unsafe CertificateHandle(owning: $0) }
        guard isRead == 1 else {
            throw .fromOpenSSL(
                .badCertificate,
                library.hasLegacy
                    ? "the PKCS#12 file cannot be decrypted"
                    : "the PKCS#12 file cannot be decrypted: it uses old ciphers, and OpenSSL's "
                        + "legacy provider is not installed")
        }
        guard let leafHandle else {
            throw TLSError(
                .badCertificate, "the PKCS#12 file does not contain a certificate with its key")
        }
        guard let keyHandle else {
            throw TLSError(.badKey, "the PKCS#12 file does not contain a private key")
        }
        var pem = try leafHandle.pem()
        let count = unsafe apns_chain_count(chain)
        for index in 0..<count {
            guard let next = unsafe apns_chain_at(chain, index), unsafe X509_up_ref(next) == 1
            else { continue }
            pem += try unsafe CertificateHandle(owning: next).pem()
        }
        return Content(certificatePEM: pem, keyPEM: try keyHandle.privatePEM())
    }

    private static func check(
        _ passphrase: String?, opens file: OpaquePointer?
    ) throws(TLSError) {
        guard unsafe PKCS12_mac_present(file) == 1 else { return }
        let text = passphrase ?? ""
        if unsafe PKCS12_verify_mac(file, text, -1) == 1 { return }
        if text.isEmpty, unsafe PKCS12_verify_mac(file, nil, 0) == 1 { return }
        OpenSSLErrors.clear()
        throw TLSError(
            .badPassphrase,
            text.isEmpty
                ? "the PKCS#12 file requires a passphrase"
                : "the passphrase does not decrypt the PKCS#12 file")
    }

    /// Writes a file, with modern ciphers or with those of Apple's Keychain Access.
    static func write(
        certificatePEM: [UInt8], key: borrowing KeyHandle, passphrase: String,
        oldCiphers: Bool
    ) throws(TLSError) -> [UInt8] {
        let library = try LegacyLibrary()
        let leaf = try CertificateHandle(pem: certificatePEM)
        let chain = unsafe apns_chain_new()
        defer { unsafe apns_chain_free(chain) }
        var isFirst = true
        _ = try CertificateHandle.forEach(in: certificatePEM) { certificate in
            defer { isFirst = false }
            if isFirst { return true }
            return unsafe apns_chain_append(chain, certificate.pointer) == 1
        }
        OpenSSLErrors.clear()
        let file = unsafe PKCS12_create_ex(
            passphrase, "push", key.pointer, leaf.pointer, chain,
            oldCiphers ? NID_pbe_WithSHA1And3_Key_TripleDES_CBC : 0,
            oldCiphers ? NID_pbe_WithSHA1And40BitRC2_CBC : 0, 0, 0, 0, library.pointer, nil)
        defer { unsafe PKCS12_free(file) }
        let bio = try MemoryBIO()
        guard unsafe file != nil, unsafe i2d_PKCS12_bio(bio.pointer, file) == 1 else {
            throw .fromOpenSSL(.library, "cannot write the PKCS#12 file")
        }
        return bio.bytes
    }
}
