/// The certificates that a client trusts to vouch for a server.
public enum TrustRoots: Equatable, Sendable {
    /// The roots of the operating system.
    case system
    /// The certificates of a PEM file.
    case file(String)
    /// Certificates in PEM.
    case pem([UInt8])
}
