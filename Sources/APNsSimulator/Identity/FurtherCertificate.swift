/// A client certificate that a simulator makes if it is asked to, besides that of the default app.
///
/// As in Apple's own, the topic is the UID in its subject, and it is for production only.
public enum FurtherCertificate: String, CaseIterable, Sendable {
    /// The push certificate of a device management server.
    case management = "mdm"
    /// The certificate of a pass type in Wallet.
    case pass

    /// The topic that it is for.
    public var topic: String {
        switch self {
        case .management: "com.apple.mgmt.External.6d646d00-0000-4000-8000-000000000001"
        case .pass: "pass.com.example.boarding"
        }
    }

    /// Its file name as PKCS#12.
    public var file: String { "\(rawValue).p12" }

    var files: ClientFiles {
        ClientFiles(authority: "\(rawValue)-ca.pem", pem: "\(rawValue).pem", pkcs12: file)
    }
}

/// The names of the files that have a client certificate.
struct ClientFiles {
    let authority: String
    let pem: String
    let pkcs12: String
}
