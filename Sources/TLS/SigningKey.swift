/// An EC P-256 private key that signs provider tokens (ES256).
///
/// It can be used from any thread.
public final class SigningKey: Sendable {
    private let key: KeyHandle

    /// Reads a private key from PEM, such as Apple's `AuthKey_….p8`.
    public convenience init(pem: [UInt8]) throws(TLSError) {
        let key = try KeyHandle.privateKey(pem: pem)
        try key.requireP256()
        try key.requirePair()
        self.init(key)
    }

    private init(_ key: consuming KeyHandle) { self.key = key }

    /// Generates a new key.
    public static func generate() throws(TLSError) -> SigningKey {
        SigningKey(try KeyHandle.generateP256())
    }

    /// Signs bytes; the signature is r and s, 32 bytes each, and deterministic (RFC 6979).
    public func sign(_ bytes: [UInt8]) throws(TLSError) -> [UInt8] {
        try ECDSASignature.sign(bytes, with: key)
    }

    /// The key as PEM (PKCS #8), as in Apple's `.p8` files.
    public var privateKeyPEM: [UInt8] {
        get throws(TLSError) { try key.privatePEM() }
    }

    /// The key that verifies this one's signatures.
    public var publicKey: VerifyingKey {
        get throws(TLSError) { try VerifyingKey(pem: key.publicPEM()) }
    }
}
