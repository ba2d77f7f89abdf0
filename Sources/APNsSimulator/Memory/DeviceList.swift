/// A selection of the recorded devices.
public struct DeviceList: Sendable {
    /// The memory's revision that the list belongs to.
    public let revision: Int
    /// The number of devices.
    public let count: Int
    /// The number of devices evicted.
    public let forgotten: Int
    /// The requested devices.
    public let devices: [Device]
}
