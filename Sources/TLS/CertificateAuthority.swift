/// A private certificate authority, for the simulator and for tests.
public final class CertificateAuthority: Sendable {
    /// A certificate and its private key, both as PEM.
    public struct Issued: Equatable, Sendable {
        /// The certificate.
        public var certificatePEM: [UInt8]
        /// Its private key.
        public var keyPEM: [UInt8]

        /// Pairs a certificate with its key.
        public init(certificatePEM: [UInt8], keyPEM: [UInt8]) {
            self.certificatePEM = certificatePEM
            self.keyPEM = keyPEM
        }

        /// Both as a PKCS#12 file, with modern ciphers or with the old ones that Apple's Keychain
        /// Access uses.
        public func pkcs12(
            passphrase: String, withOldCiphers: Bool = false
        ) throws(TLSError) -> [UInt8] {
            try PKCS12.write(
                certificatePEM: certificatePEM, key: KeyHandle.privateKey(pem: keyPEM, like: ""),
                passphrase: passphrase, oldCiphers: withOldCiphers)
        }
    }

    /// The authority's certificate as PEM: clients must trust it.
    public let certificatePEM: [UInt8]
    /// The authority's private key as PEM.
    public let keyPEM: [UInt8]
    private let certificate: CertificateHandle
    private let key: KeyHandle

    /// Loads an authority that was generated earlier.
    public init(certificatePEM: [UInt8], keyPEM: [UInt8]) throws(TLSError) {
        let certificate = try CertificateHandle(pem: certificatePEM)
        let key = try KeyHandle.privateKey(pem: keyPEM)
        guard certificate.belongs(to: key) else {
            throw TLSError(.badKey, "the authority's key does not belong to its certificate")
        }
        self.certificatePEM = certificatePEM
        self.keyPEM = keyPEM
        self.certificate = certificate
        self.key = key
    }

    /// Creates a new authority, valid for ten years.
    public static func generate(name: String) throws(TLSError) -> CertificateAuthority {
        let key = try KeyHandle.generateP256()
        let draft = try CertificateDraft(
            commonName: name, key: key, validFor: 3650 * CertificateDraft.day)
        try draft.add(.basicConstraints, "critical,CA:TRUE")
        try draft.add(.keyUsage, "critical,keyCertSign,cRLSign")
        try draft.add(.subjectKeyIdentifier, "hash")
        let certificatePEM = try draft.signed(by: key)
        return try CertificateAuthority(
            certificatePEM: certificatePEM, keyPEM: try key.privatePEM())
    }

    /// Issues a server certificate for host names and IP addresses.
    ///
    /// It is valid from yesterday until `validFor` seconds from now, which may be negative.
    public func issue(
        hostNames: [String] = ["localhost", "127.0.0.1", "::1"],
        validFor: Int = 825 * 86_400
    ) throws(TLSError) -> Issued {
        var names: [String] = []
        for name in hostNames {
            let host = try ServerName(name)
            names.append(host.isAddress ? "IP:\(host.text)" : "DNS:\(host.text)")
        }
        guard let first = hostNames.first else {
            throw TLSError(.badHostName, "a server certificate needs at least one host name")
        }
        let key = try KeyHandle.generateP256()
        let draft = try CertificateDraft(
            commonName: String(first.prefix(64)), key: key, validFor: validFor)
        try draft.add(.basicConstraints, "critical,CA:FALSE")
        try draft.add(.keyUsage, "critical,digitalSignature")
        try draft.add(.extendedKeyUsage, "serverAuth")
        try draft.add(.subjectAlternativeName, names.joined(separator: ","))
        return Issued(certificatePEM: try sign(draft), keyPEM: try key.privatePEM())
    }

    /// Signs a draft with the authority's key; returns PEM.
    func sign(_ draft: borrowing CertificateDraft) throws(TLSError) -> [UInt8] {
        try draft.signed(by: key, of: certificate)
    }
}
