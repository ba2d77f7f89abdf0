internal import Delivery

/// Devices to which nothing is sent for a while because APNs throttles them.
///
/// Devices are identified by a hash: two with the same hash wait for each other, which is harmless.
/// Beyond ``capacity`` no more are recorded, and only the rejected push itself waits.
struct ThrottledDevices: Sendable {
    /// The most devices that are recorded.
    static let capacity = 10_000

    /// How often the table is searched for devices whose pause has ended.
    private static let cleaningInterval = Duration.seconds(1)

    private var ends: [UInt64: Instant] = [:]
    /// When a full table may be searched again.
    private var nextCleaning = Instant.distantPast
    var isEmpty: Bool { ends.isEmpty }

    /// Pauses a device.
    mutating func pause(_ device: UInt64, until end: Instant, now: Instant) {
        if ends.count >= Self.capacity, now >= nextCleaning { forgetEnded(now: now) }
        guard ends.count < Self.capacity || ends[device] != nil else { return }
        ends[device] = max(ends[device] ?? end, end)
    }

    /// Until when a device is paused; nil when it is not.
    func end(of device: UInt64, now: Instant) -> Instant? {
        guard let end = ends[device], end > now else { return nil }
        return end
    }

    /// Removes the devices whose pause has ended.
    mutating func forgetEnded(now: Instant) {
        guard !ends.isEmpty else { return }
        nextCleaning = now + Self.cleaningInterval
        ends = ends.filter { $0.value > now }
    }
}
