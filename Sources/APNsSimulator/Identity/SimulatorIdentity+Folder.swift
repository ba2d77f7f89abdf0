internal import TLS

extension SimulatorIdentity {
    /// The file name of the certificate that clients must trust.
    public static let authorityFile = "ca.pem"
    /// The file name of the provider authentication key.
    public static let authenticationKeyFile = "AuthKey.p8"

    private static let certificateFile = "server.pem"
    private static let certificateKeyFile = "server.key"
    private static let expiredFile = "server-expired.pem"
    private static let foreignFile = "server-foreign.pem"

    /// The identity stored in a folder; missing parts are created and stored there.
    ///
    /// Private keys are only readable by their owner. An existing certificate must be valid for
    /// localhost and for `hostNames`.
    public static func kept(
        in folder: String, hostNames: [String] = [], further: Set<FurtherCertificate> = []
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
            try identity.keepClients(in: folder, further)
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
        try identity.keepClients(in: folder, further)
        return identity
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
