internal import Encoding
public import TLS

/// The certificates and keys of a simulator, including those for its clients.
public struct SimulatorIdentity: Sendable {
    /// The certificate that clients must trust: the `ca_file`.
    public let authorityPEM: [UInt8]
    /// The server's certificate for localhost, 127.0.0.1 and ::1.
    public let certificatePEM: [UInt8]
    /// The private key of the server's certificate.
    public let certificateKeyPEM: [UInt8]
    /// An expired certificate for the same names, with its key; nil when there is none.
    public var expiredPEM: [UInt8]?
    /// A certificate for another host, with its key; nil when there is none.
    public var foreignPEM: [UInt8]?
    /// The authorities of client certificates; nil when none are requested.
    public var clientAuthorityPEM: [UInt8]?
    /// The client certificate for pushes to the default app, with its key; nil when there is none.
    public var clientPEM: [UInt8]?
    /// The client certificates for other topics, with their keys.
    public var furtherPEMs: [FurtherCertificate: [UInt8]] = [:]
    /// The provider authentication key, such as Apple's `AuthKey_….p8`.
    public let authenticationKey: SigningKey
    /// The key ID of the provider authentication key.
    public let keyID: String
    /// The team that owns the provider authentication key.
    public let teamID: String

    /// The key ID of every simulator's own key.
    public static let defaultKeyID = "SIMULATOR1"
    /// The team of every simulator's own key.
    public static let defaultTeamID = "SIMULATEAM"

    /// The app of every simulator's own client certificate.
    public static let defaultBundleID = "com.example.app"
    /// The passphrase of client certificates as PKCS#12 files.
    public static let certificatePassphrase = "simulator"

    /// Creates an identity from existing parts.
    public init(
        authorityPEM: [UInt8], certificatePEM: [UInt8], certificateKeyPEM: [UInt8],
        authenticationKey: SigningKey, keyID: String = defaultKeyID, teamID: String = defaultTeamID
    ) {
        self.authorityPEM = authorityPEM
        self.certificatePEM = certificatePEM
        self.certificateKeyPEM = certificateKeyPEM
        self.authenticationKey = authenticationKey
        self.keyID = keyID
        self.teamID = teamID
    }

    static let localHostNames = ["localhost", "127.0.0.1", "::1"]

    /// Generates an identity in memory; `hostNames` are added to localhost.
    public static func generate(
        hostNames: [String] = []
    ) throws(SimulatorError) -> SimulatorIdentity {
        do {
            let authority = try CertificateAuthority.generate(name: "APNs simulator")
            let issued = try authority.issue(
                hostNames: localHostNames + hostNames, validFor: 10 * 365 * 86_400)
            var identity = SimulatorIdentity(
                authorityPEM: authority.certificatePEM, certificatePEM: issued.certificatePEM,
                certificateKeyPEM: issued.keyPEM, authenticationKey: try SigningKey.generate())
            let expired = try authority.issue(
                hostNames: localHostNames + hostNames, validFor: -86_400)
            identity.expiredPEM = expired.certificatePEM + expired.keyPEM
            let foreign = try authority.issue(
                hostNames: ["somebody-else.invalid"], validFor: 10 * 365 * 86_400)
            identity.foreignPEM = foreign.certificatePEM + foreign.keyPEM
            let client = try issueClient()
            identity.trust(client)
            identity.clientPEM = client.pem
            return identity
        } catch {
            throw SimulatorError(.identity, "cannot make a key or certificate: \(error)")
        }
    }

    /// The provider authentication key in the form the judge uses.
    public func providerKey() throws(SimulatorError) -> ProviderKey {
        do {
            return ProviderKey(keyID: keyID, teamID: teamID, key: try authenticationKey.publicKey)
        } catch {
            throw SimulatorError(.identity, "the provider key is not usable: \(error)")
        }
    }

    /// A provider token issued at `seconds` since 1970, without the word `bearer`.
    public func providerToken(issuedAt seconds: Int64) throws(SimulatorError) -> [UInt8] {
        try Self.providerToken(
            keyID: keyID, teamID: teamID, key: authenticationKey, issuedAt: seconds)
    }

    /// A provider token signed by any key.
    static func providerToken(
        keyID: String, teamID: String, key: SigningKey, issuedAt seconds: Int64
    ) throws(SimulatorError) -> [UInt8] {
        let header = [UInt8]("{\"alg\":\"ES256\",\"kid\":\"\(keyID)\"}".utf8)
        let claims = [UInt8]("{\"iss\":\"\(teamID)\",\"iat\":\(seconds)}".utf8)
        let signed = Base64.url.encode(header) + [UInt8(ascii: ".")] + Base64.url.encode(claims)
        do {
            let signature = try key.sign(signed)
            return signed + [UInt8(ascii: ".")] + Base64.url.encode(signature)
        } catch {
            throw SimulatorError(.identity, "the provider key cannot sign: \(error)")
        }
    }
}
