public import TLS

extension SimulatorIdentity {
    /// The topics of the client certificate, as in Apple's certificates.
    static let clientTopics = ["", ".voip", ".complication"].map { defaultBundleID + $0 }

    /// Creates the client certificate for the default app, with an authority that is then
    /// discarded.
    ///
    /// It is valid for both environments, like Apple's *Apple Push Services* certificates.
    mutating func issueClientCertificate() throws(TLSError) {
        let authority = try CertificateAuthority.generate(name: "APNs simulator, clients")
        let issued = try authority.issueClient(
            bundleID: Self.defaultBundleID, apnsTopics: Self.clientTopics,
            validFor: 10 * 365 * 86_400)
        clientAuthorityPEM = authority.certificatePEM
        clientPEM = issued.certificatePEM + issued.keyPEM
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

    /// The client certificate as Keychain Access exports it (`.p12`).
    func clientPKCS12() throws(TLSError) -> [UInt8] {
        let pem = clientPEM ?? []
        return try CertificateAuthority.Issued(certificatePEM: pem, keyPEM: pem)
            .pkcs12(passphrase: Self.certificatePassphrase)
    }

    /// Which clients are asked for a certificate, and which authority must have signed it.
    var clientPolicy: ClientCertificatePolicy {
        clientAuthorityPEM.map { .asked(.pem($0)) } ?? .notAsked
    }
}
