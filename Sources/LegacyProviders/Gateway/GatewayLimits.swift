/// The limits on what the gateway accepts from providers.
public struct GatewayLimits: Equatable, Sendable {
    /// The limits on packets.
    public var packets: PacketLimits
    /// Reading pauses while this many pushes wait for Kafka's acknowledgement.
    public var inFlight: Int
    /// How long a connection may be idle.
    public var idle: Duration
    /// How long an unfinished packet may take.
    public var packetTime: Duration

    /// Creates limits.
    public init(
        packets: PacketLimits = PacketLimits(), inFlight: Int = 10_000,
        idle: Duration = .seconds(3600), packetTime: Duration = .seconds(30)
    ) {
        self.packets = packets
        self.inFlight = inFlight
        self.idle = idle
        self.packetTime = packetTime
    }
}
