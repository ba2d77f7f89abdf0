internal import Delivery

/// Devices to which nothing is sent for a while, because APNs says that they get too much.
///
/// Devices are told apart by a hash: two that share one wait for each other, which is harmless.
/// Past ``capacity`` no more are remembered: then only the push that was refused waits.
struct ThrottledDevices: Sendable {
    /// How many devices are remembered at a time.
    static let capacity = 10_000

    private var ends: [UInt64: Instant] = [:]
    var isEmpty: Bool { ends.isEmpty }

    /// Sends nothing to a device until a moment.
    mutating func pause(_ device: UInt64, until end: Instant, now: Instant) {
        if ends.count >= Self.capacity { forgetEnded(now: now) }
        guard ends.count < Self.capacity || ends[device] != nil else { return }
        ends[device] = max(ends[device] ?? end, end)
    }

    /// Until when nothing is sent to a device; nil when something may be.
    func end(of device: UInt64, now: Instant) -> Instant? {
        guard let end = ends[device], end > now else { return nil }
        return end
    }

    /// Forgets the devices that may be sent to again.
    mutating func forgetEnded(now: Instant) {
        guard !ends.isEmpty else { return }
        ends = ends.filter { $0.value > now }
    }
}
