internal import COpenSSL

/// HMAC-SHA256, RFC 2104: proves that bytes come from a holder of a key.
public enum MessageCode {
    /// The 32 bytes that a key yields for bytes.
    public static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        let isMade = unsafe HMAC(
            EVP_sha256(), key, Int32(clamping: key.count), bytes, bytes.count, &code, &length)
        precondition(unsafe isMade != nil && length == 32, "libcrypto must offer HMAC-SHA256")
        return code
    }
}
