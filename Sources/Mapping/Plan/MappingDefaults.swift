/// What a mapping takes from the rest of the connector file.
public struct MappingDefaults: Sendable {
    /// The name of the file as it is to stand in the details of drops.
    public var fileName: String
    /// The bundle identifier of the only app.
    public var bundleID: String
    /// The environment of the only app; an event that names another one is dropped.
    public var environment: String?
    /// The apps to choose from, in the order of the file; none where there is only one.
    public var apps: [MappingApp] = []
    /// The template whose value is the name of an app: `apns.app`.
    public var app: MappingSource?

    /// Names the defaults of a connector with one app.
    public init(fileName: String, bundleID: String, environment: String? = nil) {
        self.fileName = fileName
        self.bundleID = bundleID
        self.environment = environment
    }

    /// Names the defaults of a connector with several apps, of which `app` chooses one; without
    /// `app` the bundle identifier and the environment of the event do.
    public init(fileName: String, apps: [MappingApp], app: MappingSource?) {
        self.init(fileName: fileName, bundleID: apps.first?.bundleID ?? "")
        self.apps = apps
        self.app = app
    }
}

/// An app that a notification can go to.
public struct MappingApp: Equatable, Sendable {
    /// What the connector calls it.
    public var name: String
    /// Its bundle identifier.
    public var bundleID: String
    /// `production` or `development`.
    public var environment: String

    /// Describes an app.
    public init(name: String, bundleID: String, environment: String) {
        self.name = name
        self.bundleID = bundleID
        self.environment = environment
    }
}
