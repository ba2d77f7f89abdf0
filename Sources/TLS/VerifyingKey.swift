/// An EC P-256 public key that verifies ES256 signatures.
///
/// It can be used from any thread.
public final class VerifyingKey: Sendable {
    private let key: KeyHandle

    /// Reads a public key from PEM.
    public convenience init(pem: [UInt8]) throws(TLSError) {
        let key = try KeyHandle.publicKey(pem: pem)
        try key.requireP256()
        self.init(key)
    }

    private init(_ key: consuming KeyHandle) { self.key = key }

    /// The key as PEM.
    public var pem: [UInt8] {
        get throws(TLSError) { try key.publicPEM() }
    }

    /// Verifies a signature of bytes (r and s of 32 bytes each, or DER).
    public func verify(_ bytes: [UInt8], signature: [UInt8]) -> Bool {
        if let der = ECDSASignature.der(fromRaw: signature),
            ECDSASignature.verify(bytes, der: der, with: key)
        {
            return true
        }
        return ECDSASignature.verify(bytes, der: signature, with: key)
    }
}
