/// What all sessions of one kind share: trusted roots or a certificate, and the protocols.
public final class TLSContext: Sendable {
    /// Makes the context of clients, which always verify the chain and the host name.
    public static func client(
        trustRoots: TrustRoots = .system, alpn: [String] = ["h2"]
    ) throws(TLSError) -> TLSContext { TLSContext() }

    /// Makes the context of a server; the certificate may be followed by its chain.
    public static func server(
        certificatePEM: [UInt8], keyPEM: [UInt8], alpn: [String] = ["h2"]
    ) throws(TLSError) -> TLSContext { TLSContext() }
}
