import Testing

@testable import TLS

@Suite struct `A server certificate that names its host` {
    /// Whether a client accepts it; `names` are its subject alternative names.
    private static func isAccepted(commonName: String, names: String?) throws -> Bool {
        let authority = try CertificateAuthority.generate(name: "Test Authority")
        let key = try KeyHandle.generateP256()
        let draft = try CertificateDraft(commonName: commonName, key: key, validFor: 86_400)
        try draft.add(.basicConstraints, "critical,CA:FALSE")
        try draft.add(.extendedKeyUsage, "serverAuth")
        if let names { try draft.add(.subjectAlternativeName, names) }
        let servers = try TLSContext.server(
            certificatePEM: try authority.sign(draft), keyPEM: try key.privatePEM(), alpn: ["h2"])
        let clients = try TLSContext.client(
            trustRoots: .pem(authority.certificatePEM), alpn: ["h2"])
        let wire = Wire(
            client: try TLSSession(client: clients, hostName: "api.example.com"),
            server: try TLSSession(server: servers))
        wire.talk()
        if !wire.clientStands { #expect(wire.clientError?.code == .hostNameMismatch) }
        return wire.clientStands
    }

    @Test func `as a subject alternative name is accepted`() throws {
        #expect(try Self.isAccepted(commonName: "Gateway", names: "DNS:api.example.com"))
    }

    @Test(arguments: [nil, "IP:127.0.0.1", "DNS:other.example.com"])
    func `only as the common name of its subject is rejected`(names: String?) throws {
        #expect(try !Self.isAccepted(commonName: "api.example.com", names: names))
    }
}
