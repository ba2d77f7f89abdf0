/// One of the `apps:` of a legacy file: whose pushes they are, and which providers may send them.
public struct LegacyAppSettings: Equatable, Sendable {
    /// What the file calls it.
    public var name: String
    /// The app's bundle identifier.
    public var bundleID: String
    /// Which of Apple's two services its device tokens belong to.
    public var environment: APNsSettings.Environment
    /// The SHA-256 fingerprints of certificates that are accepted as they are.
    public var fingerprints: Set<[UInt8]>
    /// The authorities in PEM that may vouch for certificates which name the bundle identifier.
    public var authoritiesPEM: [UInt8]
    /// The SHA-256 fingerprints of those authorities.
    public var authorities: Set<[UInt8]>
}
