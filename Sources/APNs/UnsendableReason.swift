/// Why a push was not sent: APNs has not seen it.
public enum UnsendableReason: Equatable, Sendable {
    /// One of its fields holds what no field of HTTP may.
    case invalidField(detail: String)
    /// The certificate is not for its bundle identifier and push type.
    case notInCertificate
}
