internal import COpenSSL

/// An owned OpenSSL key, private or public.
///
/// Sendable because OpenSSL counts references atomically and no function called here changes a key
/// after its creation.
@safe
struct KeyHandle: ~Copyable, @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership of one reference.
    init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// A new EC P-256 key.
    static func generateP256() throws(TLSError) -> KeyHandle {
        OpenSSLErrors.clear()
        guard let key = unsafe apns_generate_p256() else {
            throw .fromOpenSSL(.library, "no key could be generated")
        }
        return unsafe KeyHandle(owning: key)
    }

    /// Reads a private key of any kind, without ever prompting for a passphrase.
    ///
    /// `like` ends the sentence that says what is expected instead.
    static func privateKey(
        pem: [UInt8], passphrase: String? = nil, like: String = ", as Apple's AuthKey_….p8 is"
    ) throws(TLSError) -> KeyHandle {
        try checkLabel(of: pem, wanted: "it must be a PEM private key\(like)")
        let isEncrypted = isEncrypted(pem: pem)
        if isEncrypted, passphrase == nil {
            throw TLSError(
                .badKey, "the private key is encrypted; store it without a passphrase")
        }
        let bio = try MemoryBIO(pem)
        OpenSSLErrors.clear()
        // Without a callback, OpenSSL takes the last argument as the passphrase.
        let key = unsafe (passphrase ?? "").withCString { text in
            unsafe PEM_read_bio_PrivateKey(
                bio.pointer, nil, isEncrypted ? nil : noPassphrase,
                isEncrypted ? UnsafeMutableRawPointer(mutating: text) : nil)
        }
        guard let key = unsafe key else {
            throw isEncrypted
                ? .fromOpenSSL(.badPassphrase, "the passphrase does not decrypt the private key")
                : .fromOpenSSL(.badKey, "the private key is not readable: its PEM is damaged")
        }
        return unsafe KeyHandle(owning: key)
    }

    /// The string contains a private key.
    static func isPrivate(pem: [UInt8]) -> Bool { text(of: pem).contains("PRIVATE KEY-----") }

    private static func isEncrypted(pem: [UInt8]) -> Bool {
        let text = text(of: pem)
        return text.contains("BEGIN ENCRYPTED") || text.contains("Proc-Type: 4,ENCRYPTED")
    }

    private static func text(of pem: [UInt8]) -> String {
        String(decoding: pem.prefix(65_536), as: UTF8.self)
    }

    /// Reads a public key of any kind.
    static func publicKey(pem: [UInt8]) throws(TLSError) -> KeyHandle {
        let bio = try MemoryBIO(pem)
        OpenSSLErrors.clear()
        guard let key = unsafe PEM_read_bio_PUBKEY(bio.pointer, nil, noPassphrase, nil) else {
            throw .fromOpenSSL(
                .badKey, "not a PEM public key: it must start with -----BEGIN PUBLIC KEY-----")
        }
        return unsafe KeyHandle(owning: key)
    }

    /// Reports common mistakes with key files more clearly than OpenSSL would.
    private static func checkLabel(of pem: [UInt8], wanted: String) throws(TLSError) {
        let text = text(of: pem)
        if text.contains("PRIVATE KEY-----") { return }
        if text.contains("-----BEGIN CERTIFICATE") {
            throw TLSError(.badKey, "this is a certificate; \(wanted)")
        } else if text.contains("-----BEGIN PUBLIC KEY") {
            throw TLSError(.badKey, "this is a public key; \(wanted)")
        } else if pem.isEmpty {
            throw TLSError(.badKey, "the private key is empty; \(wanted)")
        } else {
            throw TLSError(.badKey, "no -----BEGIN PRIVATE KEY----- found; \(wanted)")
        }
    }

    /// Rejects any key but a valid EC P-256 key.
    func requireP256() throws(TLSError) {
        guard kind == "EC P-256" else {
            throw TLSError(
                .badKey, "the key type is \(kind); provider tokens need EC P-256 (ES256)")
        }
        OpenSSLErrors.clear()
        let check = unsafe EVP_PKEY_CTX_new(pointer, nil)
        defer { unsafe EVP_PKEY_CTX_free(check) }
        guard unsafe EVP_PKEY_public_check(check) == 1 else {
            throw .fromOpenSSL(.badKey, "the key is damaged: its public point is not on the curve")
        }
    }

    /// Checks that the private and public parts of the key match.
    func requirePair() throws(TLSError) {
        OpenSSLErrors.clear()
        let check = unsafe EVP_PKEY_CTX_new(pointer, nil)
        defer { unsafe EVP_PKEY_CTX_free(check) }
        guard unsafe EVP_PKEY_pairwise_check(check) == 1 else {
            throw .fromOpenSSL(
                .badKey, "the key is damaged: its private and public parts do not match")
        }
    }

    /// The kind of key as users know it: `EC P-256`, `RSA 2048`, `ED25519`.
    var kind: String {
        let name = unsafe EVP_PKEY_get0_type_name(pointer).map { unsafe String(cString: $0) }
        guard let name else { return "unknown" }
        guard name == "EC" else {
            return name.hasPrefix("RSA")
                ? "\(name) \(unsafe EVP_PKEY_get_bits(pointer))" : name
        }
        return "EC \(curve)"
    }

    private var curve: String {
        var buffer = [CChar](repeating: 0, count: 80)
        var length = 0
        let found = unsafe EVP_PKEY_get_group_name(pointer, &buffer, buffer.count, &length)
        guard found == 1 else { return "with explicit parameters" }
        let name = String(
            decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return switch name {
        case "prime256v1": "P-256"
        case "secp384r1": "P-384"
        case "secp521r1": "P-521"
        default: name
        }
    }

    /// The private key as PEM (PKCS #8).
    func privatePEM() throws(TLSError) -> [UInt8] {
        let bio = try MemoryBIO()
        OpenSSLErrors.clear()
        let written = unsafe PEM_write_bio_PKCS8PrivateKey(
            bio.pointer, pointer, nil, nil, 0, nil, nil)
        guard written == 1 else {
            throw .fromOpenSSL(.library, "cannot write the private key as PEM")
        }
        return bio.bytes
    }

    /// The public key as PEM.
    func publicPEM() throws(TLSError) -> [UInt8] {
        let bio = try MemoryBIO()
        OpenSSLErrors.clear()
        guard unsafe PEM_write_bio_PUBKEY(bio.pointer, pointer) == 1 else {
            throw .fromOpenSSL(.library, "cannot write the public key as PEM")
        }
        return bio.bytes
    }
}

/// Returns "no passphrase" where OpenSSL would prompt on the terminal.
private func noPassphrase(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int32, _ writing: Int32,
    _ context: UnsafeMutableRawPointer?
) -> Int32 { -1 }
