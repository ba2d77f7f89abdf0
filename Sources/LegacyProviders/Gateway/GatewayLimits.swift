/// The limits on what the gateway accepts from providers.
public struct GatewayLimits: Equatable, Sendable {
    /// The limits on packets.
    public var packets: PacketLimits
    /// Reading pauses while this many pushes wait for Kafka's acknowledgement.
    public var inFlight: Int
    /// How long a connection may be idle, in nanoseconds.
    public var idle: UInt64
    /// How long an unfinished packet may take, in nanoseconds.
    public var packetTime: UInt64

    /// Creates limits.
    public init(
        packets: PacketLimits = PacketLimits(), inFlight: Int = 10_000,
        idle: UInt64 = 3_600_000_000_000, packetTime: UInt64 = 30_000_000_000
    ) {
        self.packets = packets
        self.inFlight = inFlight
        self.idle = idle
        self.packetTime = packetTime
    }
}
