internal import COpenSSL

/// ES256: OpenSSL uses DER, and RFC 7518 requires the 64 bytes of r and s.
enum ECDSASignature {
    private static let half = 32

    /// Signs bytes according to RFC 6979, so that the same bytes have the same signature in every
    /// process; returns r and s.
    static func sign(_ bytes: [UInt8], with key: borrowing KeyHandle) throws(TLSError) -> [UInt8] {
        OpenSSLErrors.clear()
        let context = unsafe EVP_MD_CTX_new()
        defer { unsafe EVP_MD_CTX_free(context) }
        let sha256 = unsafe EVP_sha256()
        var signing: OpaquePointer?
        guard unsafe EVP_DigestSignInit(context, &signing, sha256, nil, key.pointer) == 1 else {
            throw failure
        }
        switch unsafe apns_sign_without_chance(signing) {
        case 0: return try signHere(bytes, with: key)
        case 1: break
        default: throw failure
        }
        var der = [UInt8](repeating: 0, count: Int(unsafe EVP_PKEY_get_size(key.pointer)))
        var length = der.count
        guard unsafe EVP_DigestSign(context, &der, &length, bytes, bytes.count) == 1,
            let raw = raw(fromDER: Array(der.prefix(length)))
        else { throw failure }
        return raw
    }

    /// The same for OpenSSL before 3.2, which can only sign with a random nonce.
    private static func signHere(
        _ bytes: [UInt8], with key: borrowing KeyHandle
    ) throws(TLSError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        var raw = [UInt8](repeating: 0, count: 2 * half)
        let sha256 = unsafe EVP_sha256()
        guard unsafe EVP_Digest(bytes, bytes.count, &digest, nil, sha256, nil) == 1,
            unsafe apns_sign_rfc6979(key.pointer, digest, &raw) == 1
        else { throw failure }
        return raw
    }

    private static var failure: TLSError {
        .fromOpenSSL(.library, "the token could not be signed")
    }

    /// Verifies a DER signature; false for anything that is not one.
    static func verify(_ bytes: [UInt8], der: [UInt8], with key: borrowing KeyHandle) -> Bool {
        OpenSSLErrors.clear()
        let context = unsafe EVP_MD_CTX_new()
        defer {
            unsafe EVP_MD_CTX_free(context)
            OpenSSLErrors.clear()
        }
        let sha256 = unsafe EVP_sha256()
        guard unsafe EVP_DigestVerifyInit(context, nil, sha256, nil, key.pointer) == 1 else {
            return false
        }
        return unsafe EVP_DigestVerify(context, der, der.count, bytes, bytes.count) == 1
    }

    /// The 64 bytes r and s of a DER signature.
    static func raw(fromDER der: [UInt8]) -> [UInt8]? {
        var raw = [UInt8](repeating: 0, count: 2 * half)
        let isRead = unsafe der.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            guard let signature = unsafe d2i_ECDSA_SIG(nil, &start, buffer.count) else {
                return false
            }
            defer { unsafe ECDSA_SIG_free(signature) }
            return unsafe raw.withUnsafeMutableBufferPointer { out in
                guard let r = out.baseAddress else { return false }
                let size = Int32(half)
                return unsafe BN_bn2binpad(ECDSA_SIG_get0_r(signature), r, size) == size
                    && BN_bn2binpad(ECDSA_SIG_get0_s(signature), r + half, size) == size
            }
        }
        return isRead ? raw : nil
    }

    /// The DER encoding of 64 bytes r and s; nil for any other length.
    static func der(fromRaw raw: [UInt8]) -> [UInt8]? {
        guard raw.count == 2 * half else { return nil }
        let body = integer(raw[..<half]) + integer(raw[half...])
        return [0x30, UInt8(body.count)] + body
    }

    /// A non-negative number as a DER INTEGER.
    private static func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = Array(bytes.drop { $0 == 0 })
        if digits.isEmpty || digits[0] >= 0x80 { digits.insert(0, at: 0) }
        return [0x02, UInt8(digits.count)] + digits
    }
}
