/// The root certificates that a client trusts.
public enum TrustRoots: Equatable, Sendable {
    /// The operating system's roots.
    case system
    /// The certificates of a PEM file.
    case file(String)
    /// PEM certificates.
    case pem([UInt8])
}
