public import TLS

/// A provider authentication key known to the simulator: who may sign, and for which apps.
public struct ProviderKey: Sendable {
    /// One of Apple's two environments.
    public enum Environment: String, CaseIterable, Sendable {
        /// Used by apps from the App Store and TestFlight.
        case production
        /// Used by apps installed by Xcode.
        case development
    }

    /// The key ID, the `kid` of a provider token.
    public var keyID: [UInt8]
    /// The team that owns the key, the `iss` of a provider token.
    public var teamID: [UInt8]
    /// Verifies signatures.
    public var key: VerifyingKey
    /// The bundle identifiers that the key may push to; nil for all of the team's.
    public var bundleIDs: [[UInt8]]?
    /// The only environment that the key is valid for; nil for both, as with keys from before 2025.
    public var environment: Environment?
    /// The ID of the one key that may share a connection with a topic-specific key.
    public var relatedKeyID: [UInt8]?

    /// Creates a key.
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

    /// Whether tokens of both keys may be used on one connection.
    ///
    /// A topic-specific key shares a connection with its related key only. That the team-scoped
    /// keys of a team may share one is an assumption: they replace each other when a key is
    /// renewed.
    func isRelated(to other: ProviderKey) -> Bool {
        if keyID == other.keyID { return true }
        if relatedKeyID == other.keyID || other.relatedKeyID == keyID { return true }
        return bundleIDs == nil && other.bundleIDs == nil
    }

    /// Whether the key is valid for an environment.
    func isValid(in environment: Environment) -> Bool {
        self.environment == nil || self.environment == environment
    }

    /// Whether the key may push to a bundle identifier.
    func allows(bundleID: ArraySlice<UInt8>) -> Bool {
        bundleIDs?.contains { $0.elementsEqual(bundleID) } ?? true
    }
}
