internal import TLS

extension SimulatorIdentity {
    /// The file name of the default app's client certificate as PKCS#12.
    public static let clientFile = "client.p12"
    /// The file name of the same certificate with its key as PEM.
    public static let clientPEMFile = "client.pem"
    /// The file name of the push certificate of a device management server as PKCS#12.
    public static let managementFile = "mdm.p12"
    /// The file name of the same certificate with its key as PEM.
    public static let managementPEMFile = "mdm.pem"

    private static let clientAuthorityFile = "client-ca.pem"
    private static let managementAuthorityFile = "mdm-ca.pem"

    /// Loads the client certificates from a folder; missing ones are issued and stored there.
    mutating func keepClients(
        in folder: StateFolder, _ managesDevices: Bool
    ) throws(SimulatorError) {
        let client = try Self.kept(
            in: folder, [Self.clientAuthorityFile, Self.clientPEMFile, Self.clientFile],
            issue: Self.issueClient)
        trust(client)
        clientPEM = client.pem
        guard managesDevices else { return }
        let management = try Self.kept(
            in: folder,
            [Self.managementAuthorityFile, Self.managementPEMFile, Self.managementFile],
            issue: Self.issueManagementClient)
        trust(management)
        managementPEM = management.pem
    }

    /// A client certificate in files: its authority, the certificate with its key, and both as
    /// PKCS#12.
    private static func kept(
        in folder: StateFolder, _ files: [String], issue: () throws(TLSError) -> IssuedClient
    ) throws(SimulatorError) -> IssuedClient {
        let (authorityFile, pemFile, pkcs12File) = (files[0], files[1], files[2])
        if let authority = try folder.read(authorityFile), let pem = try folder.read(pemFile),
            try folder.read(pkcs12File) != nil
        {
            do {
                _ = try ClientCertificate(pem: pem)
            } catch {
                throw folder.unusable(pemFile, "\(error)")
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
        try folder.write(client.pem, to: pemFile, isSecret: true)
        try folder.write(pkcs12, to: pkcs12File, isSecret: true)
        try folder.write(client.authorityPEM, to: authorityFile, isSecret: false)
        return client
    }
}
