internal import APNs

extension ConnectionFailure.Cause {
    /// What to do about a client certificate that the peer rejects; nil for other causes, and for
    /// connections without a certificate.
    func remedy(for kind: APNsCredential.Kind) -> String? {
        guard self == .credential, kind == .certificate else { return nil }
        return Self.rejectedCertificateRemedy
    }

    /// What to do about a client certificate that the peer rejects.
    static let rejectedCertificateRemedy =
        "check that the certificate has not expired, is for this environment, and was not revoked"
        + " on developer.apple.com; create a new one there if necessary and replace the file"
}
