internal import TLS

extension SimulatorIdentity {
    /// The file name of the certificate that clients must trust.
    public static let authorityFile = "ca.pem"
    /// The file name of the provider authentication key.
    public static let authenticationKeyFile = "AuthKey.p8"

    /// The file name of the default app's client certificate as PKCS#12.
    public static let clientFile = "client.p12"
    /// The file name of the same certificate with its key as PEM.
    public static let clientPEMFile = "client.pem"

    private static let clientAuthorityFile = "client-ca.pem"
    private static let certificateFile = "server.pem"
    private static let certificateKeyFile = "server.key"
    private static let expiredFile = "server-expired.pem"
    private static let foreignFile = "server-foreign.pem"

    /// The identity stored in a folder; missing parts are created and stored there.
    ///
    /// Private keys are only readable by their owner. An existing certificate must be valid for
    /// localhost and for `hostNames`.
    public static func kept(
        in folder: String, hostNames: [String] = []
    ) throws(SimulatorError) -> SimulatorIdentity {
        let folder = StateFolder(path: folder)
        try folder.create()
        let key = try authenticationKey(in: folder)
        if let authority = try folder.read(authorityFile),
            let certificate = try folder.read(certificateFile),
            let certificateKey = try folder.read(certificateKeyFile)
        {
            var identity = SimulatorIdentity(
                authorityPEM: authority, certificatePEM: certificate,
                certificateKeyPEM: certificateKey, authenticationKey: key)
            identity.expiredPEM = try folder.read(expiredFile)
            identity.foreignPEM = try folder.read(foreignFile)
            try identity.checkCertificate(in: folder, hostNames: hostNames)
            try identity.keepClient(in: folder)
            return identity
        }
        let fresh = try generate(hostNames: hostNames)
        var identity = SimulatorIdentity(
            authorityPEM: fresh.authorityPEM, certificatePEM: fresh.certificatePEM,
            certificateKeyPEM: fresh.certificateKeyPEM, authenticationKey: key)
        identity.expiredPEM = fresh.expiredPEM
        identity.foreignPEM = fresh.foreignPEM
        try folder.write(fresh.expiredPEM ?? [], to: expiredFile, isSecret: true)
        try folder.write(fresh.foreignPEM ?? [], to: foreignFile, isSecret: true)
        try folder.write(identity.certificateKeyPEM, to: certificateKeyFile, isSecret: true)
        try folder.write(identity.certificatePEM, to: certificateFile, isSecret: false)
        try folder.write(identity.authorityPEM, to: authorityFile, isSecret: false)
        try identity.keepClient(in: folder)
        return identity
    }

    /// Loads the client certificate from a folder; if missing, it is created and stored there.
    private mutating func keepClient(in folder: StateFolder) throws(SimulatorError) {
        if let authority = try folder.read(Self.clientAuthorityFile),
            let client = try folder.read(Self.clientPEMFile),
            try folder.read(Self.clientFile) != nil
        {
            clientAuthorityPEM = authority
            clientPEM = client
            do {
                _ = try ClientCertificate(pem: client)
            } catch {
                throw folder.unusable(Self.clientPEMFile, "\(error)")
            }
            return
        }
        let file: [UInt8]
        do throws(TLSError) {
            try issueClientCertificate()
            file = try clientPKCS12()
        } catch {
            throw SimulatorError(.identity, "cannot make a client certificate: \(error)")
        }
        try folder.write(clientPEM ?? [], to: Self.clientPEMFile, isSecret: true)
        try folder.write(file, to: Self.clientFile, isSecret: true)
        try folder.write(
            clientAuthorityPEM ?? [], to: Self.clientAuthorityFile, isSecret: false)
    }

    private static func authenticationKey(
        in folder: StateFolder
    ) throws(SimulatorError) -> SigningKey {
        let kept = try folder.read(authenticationKeyFile)
        do {
            if let kept { return try SigningKey(pem: kept) }
            let key = try SigningKey.generate()
            try folder.write(key.privateKeyPEM, to: authenticationKeyFile, isSecret: true)
            return key
        } catch let error as SimulatorError {
            throw error
        } catch {
            throw folder.unusable(authenticationKeyFile, "\(error)")
        }
    }

    /// Performs a handshake with itself in memory, as clients will.
    private func checkCertificate(
        in folder: StateFolder, hostNames: [String]
    ) throws(SimulatorError) {
        for name in Self.localHostNames.prefix(1) + hostNames {
            do {
                try CertificateTrial.run(self, hostName: name)
            } catch {
                throw SimulatorError(
                    .state,
                    "\(folder.path)/\(Self.certificateFile): \(error); remove "
                        + "\(Self.authorityFile), \(Self.certificateFile) and "
                        + "\(Self.certificateKeyFile) to have new ones made")
            }
        }
    }
}
