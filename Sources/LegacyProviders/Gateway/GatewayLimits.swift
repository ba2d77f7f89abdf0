/// What the gateway takes from providers at a time.
public struct GatewayLimits: Equatable, Sendable {
    /// How large packets may be.
    public var packets: PacketLimits
    /// So many pushes may wait for Kafka's acknowledgement before nothing more is read.
    public var inFlight: Int
    /// How long a connection may bring nothing, in nanoseconds.
    public var idle: UInt64
    /// How long a packet that was begun may take, in nanoseconds.
    public var packetTime: UInt64

    /// Sets the limits.
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
