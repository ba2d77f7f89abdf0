public import Configuration

/// Where a rendered push would go.
public struct RenderedTarget: Equatable, Sendable {
    /// The app's name in the connector; its bundle identifier if it has none.
    public var app: String
    /// `production` or `development`.
    public var environment: String
    /// Host and port of APNs, or of what the connector names instead.
    public var host: String
    /// True for one of several apps, which has a name.
    public var isNamed: Bool

    /// Creates the target of an app.
    public init(_ app: AppSettings) {
        self.app = app.name
        environment = app.environment.rawValue
        host = app.endpoint.address
        isNamed = app.name != app.bundleID
    }

    /// The targets of a connector's apps, in their order.
    public static func all(of connector: Connector) -> [RenderedTarget] {
        connector.apns.apps.map(RenderedTarget.init)
    }

    /// The target for display.
    var message: String { (isNamed ? "app \(app), " : "") + "\(environment), \(host)" }
}
