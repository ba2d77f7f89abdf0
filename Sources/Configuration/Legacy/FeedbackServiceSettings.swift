/// A checked `*.feedback-service.yaml`: who may fetch the device tokens that are no longer
/// registered, and where they come from.
public struct FeedbackServiceSettings: Sendable {
    /// The listening socket.
    public var listen: LegacyListenSettings
    /// The properties for librdkafka's consumers.
    public var kafka: [(name: String, value: String)]
    /// The topic to which a connector writes them: its `results.unregistered`.
    public var topic: String
    /// The consumer group of an app is this, a full stop, and the app's name.
    public var group: String
    /// Which providers may connect.
    public var apps: [LegacyAppSettings]
    /// Where the settings are written.
    public var places: SettingPlaces
}
