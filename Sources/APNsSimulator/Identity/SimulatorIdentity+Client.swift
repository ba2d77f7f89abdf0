public import TLS

extension SimulatorIdentity {
    /// A client certificate with its key, and the authority that has signed it.
    struct IssuedClient {
        var authorityPEM: [UInt8]
        /// The certificate and its key.
        var pem: [UInt8]

        /// A client as it is stored.
        init(authorityPEM: [UInt8], pem: [UInt8]) {
            self.authorityPEM = authorityPEM
            self.pem = pem
        }

        /// A client that an authority has just issued.
        init(_ issued: CertificateAuthority.Issued, by authority: CertificateAuthority) {
            self.init(
                authorityPEM: authority.certificatePEM,
                pem: issued.certificatePEM + issued.keyPEM)
        }

        /// The certificate as Keychain Access exports it (`.p12`).
        func pkcs12() throws(TLSError) -> [UInt8] {
            try CertificateAuthority.Issued(certificatePEM: pem, keyPEM: pem)
                .pkcs12(passphrase: SimulatorIdentity.certificatePassphrase)
        }
    }

    /// The topics of the client certificate, as in Apple's certificates.
    static let clientTopics = ["", ".voip", ".complication"].map { defaultBundleID + $0 }

    /// Issues the client certificate for the default app, with an authority that is then
    /// discarded.
    ///
    /// It is valid for both environments, like Apple's *Apple Push Services* certificates.
    static func issueClient() throws(TLSError) -> IssuedClient {
        let authority = try CertificateAuthority.generate(name: "APNs simulator, clients")
        let issued = try authority.issueClient(
            bundleID: defaultBundleID, apnsTopics: clientTopics, validFor: clientValidity)
        return IssuedClient(issued, by: authority)
    }

    /// Issues another client certificate.
    static func issueClient(
        _ certificate: FurtherCertificate
    ) throws(TLSError) -> IssuedClient {
        // Its name differs, so that each client finds the authority of its own certificate.
        let authority = try CertificateAuthority.generate(
            name: "APNs simulator, \(certificate.rawValue)")
        let issued = try authority.issueClient(
            bundleID: certificate.topic, isForDevelopment: false, validFor: clientValidity)
        return IssuedClient(issued, by: authority)
    }

    private static let clientValidity = 10 * 365 * 86_400

    /// Adds a client certificate whose authority the server is to trust.
    mutating func trust(_ client: IssuedClient) {
        clientAuthorityPEM = (clientAuthorityPEM ?? []) + client.authorityPEM
    }

    /// The client certificate for pushes to the default app; nil when there is none.
    public func clientCertificate() throws(SimulatorError) -> ClientCertificate? {
        guard let clientPEM else { return nil }
        do {
            return try ClientCertificate(pem: clientPEM)
        } catch {
            throw SimulatorError(.identity, "the client certificate is not usable: \(error)")
        }
    }

    /// Which clients are asked for a certificate, and which authorities may have signed it.
    var clientPolicy: ClientCertificatePolicy {
        clientAuthorityPEM.map { .asked(.pem($0)) } ?? .notAsked
    }
}
