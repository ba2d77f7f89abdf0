internal import APNs
internal import Configuration

extension APNsCredential {
    /// The credential of an app; a key gets provider tokens of its own.
    init(_ settings: CredentialSettings) {
        switch settings {
        case .certificate(let certificate): self = .certificate(certificate)
        case .key(let key, let keyID, let teamID):
            self = .tokens(ProviderTokens(key: key, keyID: keyID, teamID: teamID))
        }
    }
}
