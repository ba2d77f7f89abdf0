/// An EC P-256 private key that signs provider tokens (ES256).
public final class SigningKey: Sendable {
    /// Reads a private key in PEM, as in Apple's `AuthKey_….p8`.
    public init(pem: [UInt8]) throws(TLSError) {}

    /// Makes a new key.
    public static func generate() throws(TLSError) -> SigningKey { try SigningKey(pem: []) }

    /// Signs bytes; the signature is r and s, 32 bytes each.
    public func sign(_ bytes: [UInt8]) throws(TLSError) -> [UInt8] { [] }

    /// The key in PEM (PKCS #8), as in Apple's `.p8` files.
    public var privateKeyPEM: [UInt8] { get throws(TLSError) { [] } }

    /// The key that verifies what this one signs.
    public var publicKey: VerifyingKey { get throws(TLSError) { try VerifyingKey(pem: []) } }
}
