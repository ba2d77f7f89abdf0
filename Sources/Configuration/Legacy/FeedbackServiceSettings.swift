/// A validated `*.feedback-service.yaml`: who may fetch unregistered device tokens, and where they
/// are read from.
public struct FeedbackServiceSettings: Sendable {
    /// The listening socket.
    public var listen: LegacyListenSettings
    /// The properties for librdkafka's consumers.
    public var kafka: [(name: String, value: String)]
    /// Where the tokens of its login come from; nil when it uses none.
    public var kafkaLogin: KafkaLoginSettings?
    /// The topic that a connector writes them to: its `results.unregistered`.
    public var topic: String
    /// The prefix of the consumer groups: an app's group is this, a full stop, and the app's name.
    public var group: String
    /// Which providers may connect.
    public var apps: [LegacyAppSettings]
    /// The keys with which a connector seals its records; nil where it does not.
    public var seal: SealKeys?
    /// The positions of the settings in the file.
    public var locations: SettingLocations

    /// The consumer group whose offsets say what the providers of an app have fetched.
    public func group(of app: LegacyAppSettings) -> String { "\(group).\(app.name)" }
}
