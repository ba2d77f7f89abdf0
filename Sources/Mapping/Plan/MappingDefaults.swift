/// What a mapping needs from the rest of the connector file.
public struct MappingDefaults: Sendable {
    /// The file name that appears in the details of drops.
    public var fileName: String
    /// The bundle identifier of the only app.
    public var bundleID: String
    /// The environment of the only app; events for another one are dropped.
    public var environment: String?
    /// The apps to choose from, in the order of the file; empty when there is only one.
    public var apps: [MappingApp] = []
    /// The template whose value is an app's name: `apns.app`.
    public var app: MappingSource?
    /// The bundle identifiers that events may name besides those of the apps; nil when that is not
    /// written.
    public var allowedBundleIDs: [String]?
    /// An event such as the connector reads; what is written is compared with it.
    public var example: [UInt8]?
    /// What events and their keys can be; what is written is checked with it.
    public var schemas = EventSchemas()
    /// True to drop events with half of a surrogate pair: `source.strict_unicode`.
    public var isStrictUnicode = false
    /// The names and templates of labels: `results.labels`.
    public var labels: MappingSource?

    /// Creates the defaults of a connector with one app.
    public init(fileName: String, bundleID: String, environment: String? = nil) {
        self.fileName = fileName
        self.bundleID = bundleID
        self.environment = environment
    }

    /// Creates the defaults of a connector with several apps: `app` selects one by name; without
    /// it, the event's bundle identifier and environment do.
    public init(fileName: String, apps: [MappingApp], app: MappingSource?) {
        self.init(fileName: fileName, bundleID: apps.first?.bundleID ?? "")
        self.apps = apps
        self.app = app
    }
}

/// An app that notifications can be sent to.
public struct MappingApp: Equatable, Sendable {
    /// Its name in the connector.
    public var name: String
    /// Its bundle identifier.
    public var bundleID: String
    /// `production` or `development`.
    public var environment: String

    /// Creates an app.
    public init(name: String, bundleID: String, environment: String) {
        self.name = name
        self.bundleID = bundleID
        self.environment = environment
    }
}
