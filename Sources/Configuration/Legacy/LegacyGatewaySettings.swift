/// A validated `*.legacy-gateway.yaml`: the providers of the binary interface, and the topic that
/// their pushes are written to.
public struct LegacyGatewaySettings: Sendable {
    /// The listening socket.
    public var listen: LegacyListenSettings
    /// The properties for librdkafka's producer.
    public var kafka: [(name: String, value: String)]
    /// Where the tokens of its login come from; nil when it uses none.
    public var kafkaLogin: KafkaLoginSettings?
    /// The topic of the canonical events.
    public var topic: String
    /// Which providers may connect.
    public var apps: [LegacyAppSettings]
    /// The maximum payload size of commands 0 and 1, in bytes.
    public var payload: Int
    /// The maximum payload size of command 2, in bytes.
    public var framePayload: Int
    /// How many pushes may wait for Kafka before reading is paused.
    public var inFlight: Int
    /// How long a connection may be idle.
    public var idle: Duration
    /// How long a shutdown may take.
    public var shutdownDeadline: Duration
    /// The positions of the settings in the file.
    public var locations: SettingLocations
}
