internal import APNs

extension ConnectionFailure.Cause {
    /// What to do about a client certificate that the peer rejects, or perhaps rejects; nil for
    /// other causes, and for connections without a certificate.
    func remedy(for kind: APNsCredential.Kind) -> String? {
        guard kind == .certificate else { return nil }
        switch self {
        case .credential: return Self.rejectedCertificateRemedy
        case .handshake:
            return "perhaps APNs rejects the client certificate, it gives no reason: "
                + Self.rejectedCertificateRemedy
        default: return nil
        }
    }

    /// What to do about a client certificate that the peer rejects.
    static let rejectedCertificateRemedy =
        "check that the certificate has not expired, is for this environment, and was not"
        + " revoked on developer.apple.com; create a new one there if necessary and replace"
        + " the file"
}
