internal import FoundationEssentials
internal import TLS
internal import YAML

extension SimulatorIdentity {
    /// The name of the file with the certificate that clients must trust.
    public static let authorityFile = "ca.pem"
    /// The name of the file with the provider authentication key.
    public static let authenticationKeyFile = "AuthKey.p8"

    private static let certificateFile = "server.pem"
    private static let certificateKeyFile = "server.key"

    /// The identity that a folder holds; what is missing is made and written there.
    ///
    /// The private keys are readable by their owner alone.
    /// A certificate that is there must be good for localhost and for `hostNames`.
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
            let identity = SimulatorIdentity(
                authorityPEM: authority, certificatePEM: certificate,
                certificateKeyPEM: certificateKey, authenticationKey: key)
            try identity.checkCertificate(in: folder, hostNames: hostNames)
            return identity
        }
        let fresh = try generate(hostNames: hostNames)
        let identity = SimulatorIdentity(
            authorityPEM: fresh.authorityPEM, certificatePEM: fresh.certificatePEM,
            certificateKeyPEM: fresh.certificateKeyPEM, authenticationKey: key)
        try folder.write(identity.certificateKeyPEM, to: certificateKeyFile, isSecret: true)
        try folder.write(identity.certificatePEM, to: certificateFile, isSecret: false)
        try folder.write(identity.authorityPEM, to: authorityFile, isSecret: false)
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

    /// Shakes hands with itself in memory, as each client will have to.
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
                        + "\(Self.certificateKeyFile), and new ones are made")
            }
        }
    }
}

/// The folder where a simulator keeps its keys.
private struct StateFolder {
    let path: String

    func create() throws(SimulatorError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw SimulatorError(
                .state, "\(path): the folder cannot be made; choose another one with --state")
        }
    }

    /// The bytes of a file; nil when there is none.
    func read(_ name: String) throws(SimulatorError) -> [UInt8]? {
        do throws(InputFile.Failure) {
            return try InputFile.read(path: path + "/" + name)
        } catch {
            if error.isMissing { return nil }
            throw SimulatorError(.state, "\(path)/\(name): cannot be read: \(error.reason)")
        }
    }

    /// Writes a file; a secret one belongs to its owner alone before the first byte is in it.
    func write(_ bytes: [UInt8], to name: String, isSecret: Bool) throws(SimulatorError) {
        let file = path + "/" + name
        let isMade = FileManager.default.createFile(
            atPath: file, contents: nil,
            attributes: [.posixPermissions: isSecret ? 0o600 : 0o644])
        do {
            guard isMade else { throw CocoaError(.fileWriteUnknown) }
            try Data(bytes).write(to: URL(filePath: file))
        } catch {
            throw SimulatorError(.state, "\(file): cannot be written; look at the folder's rights")
        }
    }

    func unusable(_ name: String, _ words: String) -> SimulatorError {
        SimulatorError(
            .state, "\(path)/\(name): \(words); remove the file and a new one is made")
    }
}
