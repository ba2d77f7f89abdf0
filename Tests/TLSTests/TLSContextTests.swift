internal import TLS
internal import Testing

@Suite struct `A TLS context` {
    @Test func `names a missing file of trusted roots`() {
        let error = #expect(throws: TLSError.self) {
            try TLSContext.client(trustRoots: .file("/nowhere/ca.pem"))
        }
        #expect(error?.code == .badTrustRoots)
        #expect(error?.detail == "/nowhere/ca.pem: cannot read the file")
        #expect(error?.cause.contains("No such file") == true)
    }

    @Test func `rejects trusted roots without a certificate`() {
        let error = #expect(throws: TLSError.self) {
            try TLSContext.client(trustRoots: .pem(Array("hello".utf8)))
        }
        #expect(error?.code == .badTrustRoots)
    }

    @Test func `rejects trusted roots with a damaged certificate`() throws {
        let first = try CertificateAuthority.generate(name: "First").certificatePEM
        let second = Array("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n".utf8)
        let error = #expect(throws: TLSError.self) {
            try TLSContext.client(trustRoots: .pem(first + second))
        }
        #expect(error?.detail == "the trusted roots: certificate 2 is damaged")
    }

    @Test func `rejects a key that does not belong to the certificate`() throws {
        let authority = try CertificateAuthority.generate(name: "Test")
        let one = try authority.issue()
        let two = try authority.issue()
        let error = #expect(throws: TLSError.self) {
            try TLSContext.server(certificatePEM: one.certificatePEM, keyPEM: two.keyPEM)
        }
        #expect(error?.code == .badKey)
    }

    @Test func `rejects a server without a certificate`() throws {
        let key = try SigningKey.generate().privateKeyPEM
        let error = #expect(throws: TLSError.self) {
            try TLSContext.server(certificatePEM: [], keyPEM: key)
        }
        #expect(error?.code == .badCertificate)
    }
}

@Suite struct `A certificate authority` {
    @Test func `rejects the key of another`() throws {
        let one = try CertificateAuthority.generate(name: "One")
        let two = try CertificateAuthority.generate(name: "Two")
        let error = #expect(throws: TLSError.self) {
            try CertificateAuthority(certificatePEM: one.certificatePEM, keyPEM: two.keyPEM)
        }
        #expect(error?.code == .badKey)
    }

    @Test(arguments: ["a,DNS:b", "", "a b"])
    func `refuses to issue a certificate for an invalid host name`(name: String) throws {
        let authority = try CertificateAuthority.generate(name: "Test")
        let error = #expect(throws: TLSError.self) { try authority.issue(hostNames: [name]) }
        #expect(error?.code == .badHostName)
    }

    @Test func `issues valid certificates after it was stored`() throws {
        let first = try CertificateAuthority.generate(name: "Test")
        let again = try CertificateAuthority(
            certificatePEM: first.certificatePEM, keyPEM: first.keyPEM)
        let wire = try Wire(again, trusting: .pem(first.certificatePEM))
        wire.talk()
        #expect(wire.clientStands)
    }
}
