/// The limits of a simulator's memory.
public struct MemoryLimits: Equatable, Sendable {
    /// The number of devices; beyond it those without a push for the longest time are evicted.
    public var devices = 2_000
    /// The number of pushes per device.
    public var pushesPerDevice = 20
    /// The approximate size of all devices' pushes in bytes.
    public var bytes = 32 << 20
    /// The number of devices that may be offline, unregistered, changed or subscribed; these are
    /// never evicted.
    public var marks = 2_000
    /// The number of apps for which a push to an offline device is stored.
    public var storedPerDevice = 8
    /// The number of broadcast channels that a device may subscribe to.
    public var channelsPerDevice = 8
    /// The number of broadcast channels whose latest push is stored.
    public var keptBroadcasts = 1_000
    /// The number of latest requests, whatever their response.
    public var requests = 1_000

    /// Creates the default limits, which suit a laptop.
    public init() {}
}
