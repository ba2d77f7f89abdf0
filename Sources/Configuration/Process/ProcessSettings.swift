internal import Encoding

/// A validated `bridge.yaml`: settings of the whole process rather than of a connector.
public struct ProcessSettings: Sendable {
    /// The log levels, from least to most severe.
    public static let logLevels = [
        "trace", "debug", "info", "notice", "warning", "error", "critical",
    ]
    /// The log formats.
    public static let logFormats = ["text", "json"]

    /// The most labels of events in metrics.
    static let metricLabelLimit = 4

    /// The minimum level of log lines; nil when it is not set.
    public var logLevel: String?
    /// The log format; nil when it is not set.
    public var logFormat: String?
    /// How often the log sums up what happened, zero for never; nil when it is not set.
    public var logSummary: Duration?
    /// The endpoint for health, metrics and status; nil for none.
    public var admin: AdminEndpointSettings?
    /// The labels of events that the metrics of pushes have.
    public var metricLabels: [String] = []
    /// Where spans of pushes are sent, and of how many; nil for none.
    public var tracing: TracingSettings?
    /// Where connectors look up schemas that name no registry of their own.
    public var schemaRegistry: SchemaRegistrySettings?
    /// The positions of the settings in the file.
    public var locations: SettingLocations

    /// Creates the settings of a process without a file.
    public init() { locations = SettingLocations(file: ProcessFile.name) }

    init(locations: SettingLocations) { self.locations = locations }
}

/// The `admin:` block: where health, metrics and status are served, and to whom.
public struct AdminEndpointSettings: Equatable, Sendable {
    /// The address or host name to listen on.
    public var host: String
    /// The port; 0 for any free one.
    public var port: UInt16
    /// The path of a Unix domain socket to listen on instead; nil for host and port.
    public var socketPath: String?
    /// The host names accepted in requests, besides localhost and any address.
    public var hostNames: [String]
    /// The token that a client must present for more than health and metrics; nil for none.
    public var token: [UInt8]?
    /// Metrics require the token, too: they show labels of events.
    public var protectsMetrics = false

    /// Creates settings for a host and a port.
    public init(
        host: String, port: UInt16, hostNames: [String] = [], token: [UInt8]? = nil
    ) {
        self.host = host
        self.port = port
        self.hostNames = hostNames
        self.token = token
    }

    /// True when only this machine can connect.
    public var isLoopback: Bool { socketPath != nil || Loopback.contains(host) }
}
