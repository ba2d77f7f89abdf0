internal import TLS

extension SimulatorIdentity {
    /// The file name of the default app's client certificate as PKCS#12.
    public static let clientFile = "client.p12"
    /// The file name of the same certificate with its key as PEM.
    public static let clientPEMFile = "client.pem"

    /// Loads the client certificates from a folder; missing ones are issued and stored there.
    mutating func keepClients(
        in folder: StateFolder, _ further: Set<FurtherCertificate>
    ) throws(SimulatorError) {
        let client = try Self.kept(
            in: folder,
            ClientFiles(
                authority: "client-ca.pem", pem: Self.clientPEMFile, pkcs12: Self.clientFile)
        ) { () throws(TLSError) in try Self.issueClient() }
        trust(client)
        clientPEM = client.pem
        for certificate in FurtherCertificate.allCases where further.contains(certificate) {
            let client = try Self.kept(in: folder, certificate.files) { () throws(TLSError) in
                try Self.issueClient(certificate)
            }
            trust(client)
            furtherPEMs[certificate] = client.pem
        }
    }

    /// A client certificate in files; issued and stored there where one is missing.
    private static func kept(
        in folder: StateFolder, _ files: ClientFiles, issue: () throws(TLSError) -> IssuedClient
    ) throws(SimulatorError) -> IssuedClient {
        if let authority = try folder.read(files.authority), let pem = try folder.read(files.pem),
            try folder.read(files.pkcs12) != nil
        {
            do {
                _ = try ClientCertificate(pem: pem)
            } catch {
                throw folder.unusable(files.pem, "\(error)")
            }
            return IssuedClient(authorityPEM: authority, pem: pem)
        }
        let client: IssuedClient
        let pkcs12: [UInt8]
        do throws(TLSError) {
            client = try issue()
            pkcs12 = try client.pkcs12()
        } catch {
            throw SimulatorError(.identity, "cannot make a client certificate: \(error)")
        }
        try folder.write(client.pem, to: files.pem, isSecret: true)
        try folder.write(pkcs12, to: files.pkcs12, isSecret: true)
        try folder.write(client.authorityPEM, to: files.authority, isSecret: false)
        return client
    }
}
