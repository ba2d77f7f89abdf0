/// An EC P-256 public key that verifies ES256 signatures.
///
/// Any thread may verify.
public final class VerifyingKey: Sendable {
    private let key: KeyHandle

    /// Reads a public key in PEM.
    public convenience init(pem: [UInt8]) throws(TLSError) {
        let key = try KeyHandle.publicKey(pem: pem)
        try key.requireP256()
        self.init(key)
    }

    private init(_ key: consuming KeyHandle) { self.key = key }

    /// The key in PEM.
    public var pem: [UInt8] {
        get throws(TLSError) { try key.publicPEM() }
    }

    /// Tells whether a signature (r and s of 32 bytes each, or DER) belongs to bytes.
    public func verify(_ bytes: [UInt8], signature: [UInt8]) -> Bool {
        if let der = ECDSASignature.der(fromRaw: signature),
            ECDSASignature.verify(bytes, der: der, with: key)
        {
            return true
        }
        return ECDSASignature.verify(bytes, der: signature, with: key)
    }
}
