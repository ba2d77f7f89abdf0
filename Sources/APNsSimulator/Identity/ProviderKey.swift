public import TLS

/// A provider authentication key that the simulator knows: who may sign, and for which apps.
public struct ProviderKey: Sendable {
    /// The key identifier, the `kid` of a provider token.
    public var keyID: [UInt8]
    /// The team that owns the key, the `iss` of a provider token.
    public var teamID: [UInt8]
    /// What checks the signature.
    public var key: VerifyingKey
    /// The bundle identifiers that the key may push to; nil for all.
    public var bundleIDs: [[UInt8]]?

    /// Makes a key known.
    public init(keyID: String, teamID: String, key: VerifyingKey, bundleIDs: [String]? = nil) {
        self.keyID = [UInt8](keyID.utf8)
        self.teamID = [UInt8](teamID.utf8)
        self.key = key
        self.bundleIDs = bundleIDs?.map { [UInt8]($0.utf8) }
    }
}
