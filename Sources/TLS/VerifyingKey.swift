/// An EC P-256 public key that verifies ES256 signatures.
public final class VerifyingKey: Sendable {
    /// Reads a public key in PEM.
    public init(pem: [UInt8]) throws(TLSError) {}

    /// The key in PEM.
    public var pem: [UInt8] { get throws(TLSError) { [] } }

    /// Tells whether a signature (r and s of 32 bytes each, or DER) belongs to bytes.
    public func verify(_ bytes: [UInt8], signature: [UInt8]) -> Bool { false }
}
