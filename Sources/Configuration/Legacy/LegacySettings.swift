/// A validated file of one of the two commands for legacy providers.
public enum LegacySettings: Sendable {
    /// A `*.legacy-gateway.yaml`.
    case gateway(LegacyGatewaySettings)
    /// A `*.feedback-service.yaml`.
    case feedback(FeedbackServiceSettings)

    /// The listening socket.
    public var listen: LegacyListenSettings {
        switch self {
        case .gateway(let settings): settings.listen
        case .feedback(let settings): settings.listen
        }
    }

    /// Which providers may connect.
    public var apps: [LegacyAppSettings] {
        switch self {
        case .gateway(let settings): settings.apps
        case .feedback(let settings): settings.apps
        }
    }

    /// The positions of the settings in the file.
    public var places: SettingPlaces {
        switch self {
        case .gateway(let settings): settings.places
        case .feedback(let settings): settings.places
        }
    }
}
