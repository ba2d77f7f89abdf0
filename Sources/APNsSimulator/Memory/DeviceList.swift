/// Some of the devices that a simulator remembers.
public struct DeviceList: Sendable {
    /// The memory's revision that they belong to.
    public let revision: Int
    /// How many devices there are.
    public let count: Int
    /// How many devices were forgotten to make room.
    public let forgotten: Int
    /// Those that were asked for.
    public let devices: [Device]
}
