/// A checked `bridge.yaml`: what concerns the whole process and no single connector.
public struct ProcessSettings: Sendable {
    /// The levels of log lines, from the least to the most severe.
    public static let logLevels = [
        "trace", "debug", "info", "notice", "warning", "error", "critical",
    ]
    /// How log lines may be written.
    public static let logFormats = ["text", "json"]

    /// The minimum level of log lines; nil when it is not set.
    public var logLevel: String?
    /// How log lines are written; nil when it is not set.
    public var logFormat: String?
    /// Where health, metrics and status are served; nil for nowhere.
    public var admin: AdminEndpointSettings?
    /// Where the settings are written.
    public var places: SettingPlaces

    /// The settings of a process without a file.
    public init() { places = SettingPlaces(file: ProcessFile.name) }

    init(places: SettingPlaces) { self.places = places }
}

/// The `admin:` block: where health, metrics and status are served, and to whom.
public struct AdminEndpointSettings: Equatable, Sendable {
    /// The address or host name on which it listens.
    public var host: String
    /// The port; 0 for any that is free.
    public var port: UInt16
    /// The names by which it may be called, besides localhost and any address.
    public var hostNames: [String]
    /// What a client must present to see more than health and metrics; nil for nothing.
    public var token: [UInt8]?

    /// True when only this machine can connect.
    public var isLoopback: Bool { Self.isLoopback(host) }

    static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host == "::1" || host.hasPrefix("127.")
    }
}
