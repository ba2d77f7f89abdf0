/// Why a push was not sent: APNs has not seen it.
public enum UnsendableReason: Equatable, Sendable {
    /// One of its fields contains characters that HTTP does not allow.
    case invalidField(detail: String)
    /// The certificate does not cover its bundle identifier and push type.
    case notInCertificate
}
