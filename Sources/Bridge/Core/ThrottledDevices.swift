/// Devices to which nothing is sent for a while, because Apple says that they get too much.
///
/// Devices are told apart by a hash: two that share one wait for each other, which is harmless.
/// Past ``capacity`` no more are held: then only the push that was refused waits.
struct ThrottledDevices: Sendable {
    /// How many devices are held at a time.
    static let capacity = 10_000

    private var ends: [UInt64: UInt64] = [:]
    var isEmpty: Bool { ends.isEmpty }

    /// Holds a device until a moment, in monotonic nanoseconds.
    mutating func hold(_ device: UInt64, until end: UInt64, now: UInt64) {
        if ends.count >= Self.capacity { forgetEnded(now: now) }
        guard ends.count < Self.capacity || ends[device] != nil else { return }
        ends[device] = max(ends[device] ?? 0, end)
    }

    /// Until when a device is held; nil when it is not.
    func end(of device: UInt64, now: UInt64) -> UInt64? {
        guard let end = ends[device], end > now else { return nil }
        return end
    }

    /// Forgets the devices that are free again.
    mutating func forgetEnded(now: UInt64) {
        guard !ends.isEmpty else { return }
        ends = ends.filter { $0.value > now }
    }
}
