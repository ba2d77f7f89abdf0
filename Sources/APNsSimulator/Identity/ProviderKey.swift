public import TLS

/// A provider authentication key that the simulator knows: who may sign, and for which apps.
public struct ProviderKey: Sendable {
    /// One of Apple's two worlds.
    public enum Environment: String, CaseIterable, Sendable {
        /// What apps of the App Store and of TestFlight use.
        case production
        /// What apps use that Xcode has installed.
        case development
    }

    /// The key identifier, the `kid` of a provider token.
    public var keyID: [UInt8]
    /// The team that owns the key, the `iss` of a provider token.
    public var teamID: [UInt8]
    /// What checks the signature.
    public var key: VerifyingKey
    /// The bundle identifiers that the key may push to; nil for all of the team.
    public var bundleIDs: [[UInt8]]?
    /// The only environment that the key is for; nil for both, as keys from before 2025 are.
    public var environment: Environment?
    /// The identifier of the one key that may share a connection with a topic-specific key.
    public var relatedKeyID: [UInt8]?

    /// Makes a key known.
    public init(
        keyID: String, teamID: String, key: VerifyingKey, bundleIDs: [String]? = nil,
        environment: Environment? = nil, relatedKeyID: String? = nil
    ) {
        self.keyID = [UInt8](keyID.utf8)
        self.teamID = [UInt8](teamID.utf8)
        self.key = key
        self.bundleIDs = bundleIDs?.map { [UInt8]($0.utf8) }
        self.environment = environment
        self.relatedKeyID = relatedKeyID.map { [UInt8]($0.utf8) }
    }

    /// Whether tokens of both keys may come on one connection.
    ///
    /// A topic-specific key shares it with its related key alone. That the team-scoped keys of a
    /// team share one is assumed: they replace each other when a key is renewed.
    func isRelated(to other: ProviderKey) -> Bool {
        if keyID == other.keyID { return true }
        if relatedKeyID == other.keyID || other.relatedKeyID == keyID { return true }
        return bundleIDs == nil && other.bundleIDs == nil
    }

    /// Whether the key may push to a bundle identifier.
    func allows(bundleID: ArraySlice<UInt8>) -> Bool {
        bundleIDs?.contains { $0.elementsEqual(bundleID) } ?? true
    }
}
