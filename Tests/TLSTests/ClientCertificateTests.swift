internal import Encoding
internal import TLS
internal import Testing

@Suite struct `A client certificate` {
    let authority: CertificateAuthority

    init() throws { authority = try CertificateAuthority.generate(name: "Test Authority") }

    @Test func `is rejected with the key of another`() throws {
        let one = try authority.issueClient(bundleID: "com.example.shop")
        let two = try authority.issueClient(bundleID: "com.example.pay")
        let error = #expect(throws: TLSError.self) {
            try ClientCertificate(pem: one.certificatePEM, keyPEM: two.keyPEM)
        }
        #expect(error?.code == .badKey)
        #expect(error?.detail.contains("Apple Push Services: com.example.shop") == true)
    }

    @Test func `is rejected without a key`() throws {
        let issued = try authority.issueClient(bundleID: "com.example.shop")
        let error = #expect(throws: TLSError.self) {
            try ClientCertificate(contents: issued.certificatePEM)
        }
        #expect(error?.detail == "the private key of the certificate is missing")
    }

    @Test(arguments: [nil, "", "wrong"])
    func `in PKCS#12 is rejected without the right passphrase`(passphrase: String?) throws {
        let issued = try authority.issueClient(bundleID: "com.example.shop")
        let file = try issued.pkcs12(passphrase: "secret")
        let error = #expect(throws: TLSError.self) {
            try ClientCertificate(contents: file, passphrase: passphrase)
        }
        #expect(error?.code == .badPassphrase)
        #expect(
            error?.description
                == (passphrase == "wrong"
                    ? "the passphrase does not decrypt the PKCS#12 file"
                    : "the PKCS#12 file requires a passphrase"))
    }

    @Test func `that is not a certificate file is reported as such`() {
        let error = #expect(throws: TLSError.self) {
            try ClientCertificate(contents: [0x30, 0x03, 1, 2, 3])
        }
        #expect(error?.detail == "this is neither PEM nor a valid PKCS#12 file (.p12)")
        let text = #expect(throws: TLSError.self) {
            try ClientCertificate(contents: Array("hello".utf8))
        }
        #expect(text?.detail.contains("-----BEGIN CERTIFICATE-----") == true)
    }

    @Test func `in PKCS#12 does not accept a separate key`() throws {
        let issued = try authority.issueClient(bundleID: "com.example.shop")
        let error = #expect(throws: TLSError.self) {
            try ClientCertificate(
                contents: issued.pkcs12(passphrase: "secret"), keyPEM: issued.keyPEM)
        }
        #expect(error?.detail.contains("PKCS#12, which includes its key") == true)
    }

    @Test func `never crashes on a damaged file`() throws {
        let issued = try authority.issueClient(
            bundleID: "com.example.shop", apnsTopics: ["com.example.shop"])
        let pem = issued.certificatePEM + issued.keyPEM
        let file = try issued.pkcs12(passphrase: "s")
        var random = SeededGenerator(seed: 7)
        for _ in 0..<500 { _ = try? ClientCertificate(contents: random.damage(pem)) }
        for _ in 0..<30 {
            _ = try? ClientCertificate(contents: random.damage(file), passphrase: "s")
        }
    }

    @Test(arguments: [false, true])
    func `is read from PKCS#12, even as Keychain Access writes it`(isOld: Bool) throws {
        let issued = try authority.issueClient(bundleID: "com.example.shop")
        let file = try issued.pkcs12(passphrase: "secret", withOldCiphers: isOld)
        let certificate = try ClientCertificate(contents: file, passphrase: "secret")
        #expect(certificate.description.bundleID == "com.example.shop")
    }

    @Test func `is read together with its key, or separately`() throws {
        let issued = try authority.issueClient(bundleID: "com.example.shop")
        let one = try ClientCertificate(contents: issued.keyPEM + issued.certificatePEM)
        let two = try ClientCertificate(contents: issued.certificatePEM, keyPEM: issued.keyPEM)
        #expect(one.description == two.description)
    }

    @Test func `with an encrypted key needs the right passphrase`() throws {
        let missing = #expect(throws: TLSError.self) {
            try ClientCertificate(contents: EncryptedKey.pem)
        }
        #expect(missing?.detail.contains("the private key is encrypted") == true)
        let wrong = #expect(throws: TLSError.self) {
            try ClientCertificate(contents: EncryptedKey.pem, passphrase: "wrong")
        }
        #expect(wrong?.code == .badPassphrase)
        let right = try ClientCertificate(contents: EncryptedKey.pem, passphrase: "secret")
        #expect(right.description.subject == "CN = encrypted")
    }

    @Test func `names its topics, its environments and its period of validity`() throws {
        let topics = ["com.example.shop", "com.example.shop.voip", "com.example.shop.complication"]
        let issued = try authority.issueClient(
            bundleID: "com.example.shop", apnsTopics: topics, isForDevelopment: false,
            validFor: 1000)
        let certificate = try ClientCertificate(
            pem: issued.certificatePEM, keyPEM: issued.keyPEM
        ).description
        #expect(certificate.bundleID == "com.example.shop")
        #expect(certificate.apnsTopics == topics)
        #expect(certificate.isForProduction && !certificate.isForDevelopment)
        #expect(certificate.notAfter - certificate.notBefore == 86_400 + 1000)
        #expect(certificate.issuer == "CN = Test Authority")
        #expect(certificate.allows(apnsTopic: "com.example.shop.voip"))
        #expect(!certificate.allows(apnsTopic: "com.example.pay"))
    }

    @Test func `without a list of topics is for its bundle identifier alone`() throws {
        let issued = try authority.issueClient(bundleID: "com.example.shop")
        let certificate = try ClientCertificate(
            pem: issued.certificatePEM, keyPEM: issued.keyPEM
        ).description
        #expect(certificate.apnsTopics == ["com.example.shop"])
        #expect(certificate.isForDevelopment && certificate.isForProduction)
    }

    @Test func `may have more topics than a single length byte can count`() throws {
        let topics = (0..<40).map { "com.example.some.long.name.number\($0)" }
        let issued = try authority.issueClient(bundleID: "com.example.shop", apnsTopics: topics)
        let certificate = try ClientCertificate(
            pem: issued.certificatePEM, keyPEM: issued.keyPEM
        ).description
        #expect(certificate.apnsTopics == topics)
    }
}

@Suite struct `A server that asks for client certificates` {
    let authority: CertificateAuthority

    init() throws { authority = try CertificateAuthority.generate(name: "Test Authority") }

    private func wire(
        _ policy: ClientCertificatePolicy, _ issued: CertificateAuthority.Issued?
    ) throws -> Wire {
        let certificate = try issued.map {
            try ClientCertificate(pem: $0.certificatePEM, keyPEM: $0.keyPEM)
        }
        let wire = try Wire(authority, certificate: certificate, policy: policy)
        wire.talk()
        return wire
    }

    @Test func `rejects one from an unknown authority`() throws {
        let stranger = try CertificateAuthority.generate(name: "Stranger")
        let wire = try wire(
            .asked(.pem(authority.certificatePEM)), stranger.issueClient(bundleID: "com.example"))
        #expect(wire.serverError?.code == .untrustedPeer)
        #expect(wire.serverError?.detail.contains("issued by CN = Stranger") == true)
        #expect(wire.peerCertificate == nil)
    }

    @Test func `rejects an expired one`() throws {
        let wire = try wire(
            .asked(.pem(authority.certificatePEM)),
            authority.issueClient(bundleID: "com.example", validFor: -60))
        #expect(wire.serverError?.detail.contains("certificate has expired") == true)
    }

    @Test func `rejects a client without a required one, and both know why`() throws {
        let wire = try wire(.demanded(.pem(authority.certificatePEM)), nil)
        #expect(wire.serverError?.detail.hasSuffix("presented no certificate") == true)
        let error = #expect(throws: TLSError.self) { _ = try wire.client.readAll() }
        #expect(error?.detail.contains("the peer requires a client certificate") == true)
    }

    @Test func `accepts a client without an optional one`() throws {
        let wire = try wire(.asked(.pem(authority.certificatePEM)), nil)
        #expect(wire.clientStands && wire.serverStands)
        #expect(wire.peerCertificate == nil)
    }

    @Test func `reports whose certificate it is`() throws {
        let wire = try wire(
            .demanded(.pem(authority.certificatePEM)),
            authority.issueClient(bundleID: "com.example.shop"))
        #expect(wire.clientStands && wire.serverStands)
        #expect(wire.peerCertificate?.bundleID == "com.example.shop")
    }
}
