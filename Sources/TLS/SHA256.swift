internal import COpenSSL

/// The hash function SHA-256.
public enum SHA256 {
    /// Hashes bytes into 32 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] { unsafe hash(bytes.span.bytes) }

    /// Hashes borrowed bytes into 32 bytes.
    public static func hash(_ bytes: RawSpan) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let isHashed = unsafe bytes.withUnsafeBytes { buffer in
            unsafe EVP_Digest(
                buffer.baseAddress, buffer.count, &digest, nil, EVP_sha256(), nil)
        }
        precondition(isHashed == 1, "libcrypto must offer SHA-256")
        return digest
    }
}
