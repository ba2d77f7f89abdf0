internal import COpenSSL

/// A client's certificate with its chain and its private key.
public final class ClientCertificate: Sendable {
    /// The content of the certificate.
    public let description: CertificateDescription
    /// The certificate and its chain, as PEM, without the key that may stand beside them.
    let chainPEM: [UInt8]
    /// Its private key.
    let key: KeyHandle

    /// Reads a certificate followed by its chain from PEM; the key is in a separate string, or
    /// anywhere in the same one. Only an encrypted key needs the passphrase.
    public init(pem: [UInt8], keyPEM: [UInt8]? = nil, passphrase: String? = nil) throws(TLSError) {
        let leaf = try CertificateHandle(pem: pem)
        if keyPEM == nil, !KeyHandle.isPrivate(pem: pem) {
            throw TLSError(.badKey, "the private key of the certificate is missing")
        }
        let key = try KeyHandle.privateKey(
            pem: keyPEM ?? pem, passphrase: passphrase, like: "")
        let description = try unsafe CertificateDescription(leaf.pointer)
        guard leaf.belongs(to: key) else {
            throw TLSError(
                .badKey,
                "the private key does not belong to the first certificate (\(description.subject))")
        }
        self.description = description
        chainPEM = try CertificateHandle.all(in: pem)
        self.key = key
    }

    /// Reads a PKCS#12 file (`.p12`, `.pfx`), including one with the old ciphers that Apple's
    /// Keychain Access uses.
    public convenience init(pkcs12: [UInt8], passphrase: String? = nil) throws(TLSError) {
        let content = try PKCS12.read(pkcs12, passphrase: passphrase)
        try self.init(pem: content.certificatePEM, keyPEM: content.keyPEM)
    }

    /// Reads a file of either kind; a separate key is only valid with PEM.
    public convenience init(
        contents: [UInt8], keyPEM: [UInt8]? = nil, passphrase: String? = nil
    ) throws(TLSError) {
        if contents.first != DER.sequence {
            try self.init(pem: contents, keyPEM: keyPEM, passphrase: passphrase)
        } else if keyPEM == nil {
            try self.init(pkcs12: contents, passphrase: passphrase)
        } else {
            throw TLSError(
                .badCertificate,
                "a certificate that is not PEM must be PKCS#12, which includes its key")
        }
    }
}
