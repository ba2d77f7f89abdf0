internal import TLS

/// A handshake in memory between a client that trusts the identity's authority and its server.
enum CertificateTrial {
    /// Throws the error that a client would report.
    static func run(_ identity: SimulatorIdentity, hostName: String) throws(TLSError) {
        var server = try TLSSession(
            server: try TLSContext.server(
                certificatePEM: identity.certificatePEM, keyPEM: identity.certificateKeyPEM))
        var client = try TLSSession(
            client: try TLSContext.client(trustRoots: .pem(identity.authorityPEM)),
            hostName: hostName)
        try client.start()
        while !client.isEstablished, client.hasOutput {
            try pass(from: &client, to: &server)
            try pass(from: &server, to: &client)
        }
    }

    private static func pass(
        from sender: inout TLSSession, to receiver: inout TLSSession
    ) throws(TLSError) {
        var failure: TLSError?
        while sender.hasOutput, failure == nil {
            sender.withOutput { bytes in
                do throws(TLSError) { try receiver.receive(bytes) } catch { failure = error }
                return bytes.byteCount
            }
        }
        if let failure { throw failure }
    }
}
