/// What a mapping takes from the rest of the connector file.
public struct MappingDefaults: Sendable {
    /// The name of the file as it is to stand in the details of drops.
    public var fileName: String
    /// The bundle identifier of `apns.bundle_id`.
    public var bundleID: String
    /// The value of `apns.environment`; an event that names another one is dropped.
    public var environment: String?

    /// Names the defaults.
    public init(fileName: String, bundleID: String, environment: String? = nil) {
        self.fileName = fileName
        self.bundleID = bundleID
        self.environment = environment
    }
}
