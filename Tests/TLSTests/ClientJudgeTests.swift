import TLS
import Testing

@Suite struct `A server with its own check of clients` {
    let authority: CertificateAuthority
    let other: CertificateAuthority

    init() throws {
        authority = try CertificateAuthority.generate(name: "Ours")
        other = try CertificateAuthority.generate(name: "Theirs")
    }

    /// A client, and a server that admits only clients that `judge` accepts.
    private func wire(_ client: CertificateAuthority.Issued?, _ judge: ClientJudge) throws -> Wire {
        let issued = try authority.issue()
        let server = try TLSContext.server(
            certificate: ClientCertificate(pem: issued.certificatePEM, keyPEM: issued.keyPEM),
            clients: judge)
        let certificate = try client.map {
            try ClientCertificate(pem: $0.certificatePEM, keyPEM: $0.keyPEM)
        }
        let context = try TLSContext.client(
            trustRoots: .pem(authority.certificatePEM), certificate: certificate, alpn: [])
        let wire = Wire(
            client: try TLSSession(client: context, hostName: "localhost"),
            server: try TLSSession(server: server))
        wire.talk()
        return wire
    }

    @Test func `accepts a known fingerprint, whatever its issuer and dates`() throws {
        let issued = try other.issueClient(bundleID: "com.example.shop", validFor: -3600)
        let known = try CertificateDescription.all(inPEM: issued.certificatePEM)[0].fingerprint
        let wire = try wire(
            issued, ClientJudge(rootsPEM: []) { one, _ in one.fingerprint == known })
        #expect(wire.serverStands)
        #expect(wire.peerCertificate?.bundleID == "com.example.shop")
        #expect(wire.server.peerVouchers.isEmpty)
    }

    @Test func `sees the issuer of a certificate`() throws {
        let issued = try authority.issueClient(bundleID: "com.example.shop")
        let root = try CertificateDescription.all(inPEM: authority.certificatePEM)[0].fingerprint
        let wire = try wire(
            issued, ClientJudge(rootsPEM: authority.certificatePEM) { $1.contains(root) })
        #expect(wire.serverStands)
        #expect(wire.server.peerVouchers.last == root)
    }

    @Test func `rejects a certificate of an unknown authority in the handshake`() throws {
        let issued = try other.issueClient(bundleID: "com.example.shop")
        let wire = try wire(
            issued, ClientJudge(rootsPEM: authority.certificatePEM) { !$1.isEmpty })
        #expect(!wire.serverStands && !wire.clientStands)
        #expect(wire.serverError?.code == .untrustedPeer)
        #expect(wire.clientError?.code == .refusedByPeer)
    }

    @Test func `rejects an unwanted client in the handshake even if its chain is valid`() throws {
        let issued = try authority.issueClient(bundleID: "com.example.shop")
        let wire = try wire(
            issued, ClientJudge(rootsPEM: authority.certificatePEM) { _, _ in false })
        #expect(wire.serverError?.code == .untrustedPeer)
        #expect(wire.clientError?.code == .refusedByPeer)
    }

    @Test func `rejects a client without a certificate`() throws {
        let wire = try wire(nil, ClientJudge(rootsPEM: authority.certificatePEM) { _, _ in true })
        #expect(wire.serverError?.code == .untrustedPeer)
    }

    @Test func `rejects an expired certificate of a trusted root`() throws {
        let issued = try authority.issueClient(bundleID: "com.example.shop", validFor: -3600)
        let wire = try wire(
            issued, ClientJudge(rootsPEM: authority.certificatePEM) { !$1.isEmpty })
        #expect(wire.serverError?.code == .untrustedPeer)
    }
}
