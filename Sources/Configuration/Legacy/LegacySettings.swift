/// A checked file of one of the two verbs for legacy providers.
public enum LegacySettings: Sendable {
    /// A `*.legacy-gateway.yaml`.
    case gateway(LegacyGatewaySettings)
    /// A `*.feedback-service.yaml`.
    case feedback(FeedbackServiceSettings)

    /// Where providers connect.
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

    /// Where the settings are written.
    public var places: SettingPlaces {
        switch self {
        case .gateway(let settings): settings.places
        case .feedback(let settings): settings.places
        }
    }
}
