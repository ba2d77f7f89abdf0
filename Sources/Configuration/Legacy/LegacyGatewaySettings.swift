/// A checked `*.legacy-gateway.yaml`: providers of the binary interface, and the topic to which
/// their pushes go.
public struct LegacyGatewaySettings: Sendable {
    /// The listening socket.
    public var listen: LegacyListenSettings
    /// The properties for librdkafka's producer.
    public var kafka: [(name: String, value: String)]
    /// The topic of the canonical events.
    public var topic: String
    /// Which providers may connect.
    public var apps: [LegacyAppSettings]
    /// The most bytes of a payload with the commands 0 and 1.
    public var payload: Int
    /// The most bytes of a payload with the command 2.
    public var framePayload: Int
    /// How many pushes may wait for Kafka before reading pauses.
    public var inFlight: Int
    /// How long a connection may bring nothing.
    public var idle: Duration
    /// How long a shutdown may take.
    public var shutdownDeadline: Duration
    /// Where the settings are written.
    public var places: SettingPlaces
}
