/// One of the `apps:` of a legacy file, and which providers may push to it.
public struct LegacyAppSettings: Equatable, Sendable {
    /// Its name in the file.
    public var name: String
    /// The app's bundle identifier.
    public var bundleID: String
    /// The APNs environment that its device tokens belong to.
    public var environment: APNsSettings.Environment
    /// The SHA-256 fingerprints of certificates that are always accepted.
    public var fingerprints: Set<[UInt8]>
    /// The PEM authorities whose certificates are accepted if they contain the bundle identifier.
    public var authoritiesPEM: [UInt8]
    /// The SHA-256 fingerprints of those authorities.
    public var authorities: Set<[UInt8]>
}
