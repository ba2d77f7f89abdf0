/// How much a simulator remembers at most.
public struct MemoryLimits: Equatable, Sendable {
    /// How many devices; beyond it those that were pushed to the longest time ago are forgotten.
    public var devices = 2_000
    /// How many pushes of each device.
    public var pushesPerDevice = 20
    /// How many bytes the pushes of all devices may hold together, about.
    public var bytes = 32 << 20
    /// How many devices may be offline, unregistered, changed or subscribed; these are never
    /// forgotten.
    public var marks = 2_000
    /// For how many apps a push is stored for a device that is offline.
    public var storedPerDevice = 8
    /// To how many broadcast channels a device may have subscribed.
    public var channelsPerDevice = 8
    /// For how many broadcast channels the latest push is kept.
    public var keptBroadcasts = 1_000
    /// How many of the latest requests, whatever their answer.
    public var requests = 1_000

    /// What suits a laptop.
    public init() {}
}
