/// A validated file of one of the two commands for legacy providers.
public enum LegacySettings: Sendable {
    /// A `*.legacy-gateway.yaml`.
    case gateway(LegacyGatewaySettings)
    /// A `*.feedback-service.yaml`.
    case feedback(FeedbackServiceSettings)

    /// The file's name without folder and extension, for example `providers.legacy-gateway`.
    public var name: String { FilePath.baseName(locations.file) }

    /// The command that the file is for.
    public var kind: LegacyFile.Kind {
        switch self {
        case .gateway: .gateway
        case .feedback: .feedback
        }
    }

    /// The properties for librdkafka.
    public var kafka: [(name: String, value: String)] {
        switch self {
        case .gateway(let settings): settings.kafka
        case .feedback(let settings): settings.kafka
        }
    }

    /// Where the tokens of the login to Kafka come from; nil when it uses none.
    public var kafkaLogin: KafkaLoginSettings? {
        switch self {
        case .gateway(let settings): settings.kafkaLogin
        case .feedback(let settings): settings.kafkaLogin
        }
    }

    /// The topic that a gateway writes, or that a feedback service reads, with the setting that
    /// names it.
    public var topic: (setting: String, name: String) {
        switch self {
        case .gateway(let settings): ("topic", settings.topic)
        case .feedback(let settings): ("unregistered", settings.topic)
        }
    }

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
    public var locations: SettingLocations {
        switch self {
        case .gateway(let settings): settings.locations
        case .feedback(let settings): settings.locations
        }
    }
}

/// One of the `apps:` of a legacy file, and which providers may push to it.
public struct LegacyAppSettings: Equatable, Sendable {
    /// Its name in the file.
    public var name: String
    /// The app's bundle identifier.
    public var bundleID: String
    /// The APNs environment that its device tokens belong to.
    public var environment: APNsSettings.Environment
    /// The SHA-256 fingerprints of certificates that are always accepted.
    public var fingerprints: Set<[UInt8]>
    /// The PEM authorities whose certificates are accepted if they contain the bundle identifier.
    public var authoritiesPEM: [UInt8]
    /// The SHA-256 fingerprints of those authorities.
    public var authorities: Set<[UInt8]>
}
