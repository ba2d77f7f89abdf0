internal import Delivery

/// Remembers the devices that APNs has reported as unregistered, so that events that happened
/// before are not sent to them again.
///
/// The table doubles up to ``maxCount`` entries of 24 bytes each, 25 MB; beyond that, the device
/// whose response came first is forgotten. A forgotten device costs one more request.
struct UnregisteredDevices: Sendable {
    /// 128 bits of hash of app and device token.
    struct Device: Hashable, Sendable {
        /// Determines the place of the device.
        var key: UInt64
        /// Distinguishes devices with the same slot.
        var check: UInt64
    }

    private struct Entry {
        var device = Device(key: 0, check: 0)
        /// When the response came; the distant past for a free entry. An odd number of nanoseconds
        /// says that a push was accepted.
        var respondedAt = Instant.distantPast

        var isAccepted: Bool { respondedAt.nanoseconds & 1 == 1 }
    }

    /// The most devices that are remembered.
    static let maxCount = 1 << 20

    private static let ways = 8
    private let maxCount: Int
    private var entries: [Entry] = []
    private(set) var count = 0

    /// Creates an empty table, which allocates memory with its first device.
    init(maxCount: Int = Self.maxCount) { self.maxCount = max(Self.ways, maxCount) }

    /// The number of bytes that the table occupies.
    var byteCount: Int { entries.count * MemoryLayout<Entry>.stride }

    /// Remembers a device.
    mutating func insert(_ device: Device, respondedAt: Instant) {
        let even = max(2, respondedAt.nanoseconds & ~1)
        add(Entry(device: device, respondedAt: Instant(nanoseconds: even)))
    }

    /// A push to a device was accepted: its earlier responses do not count any more, also those
    /// that are inserted later.
    mutating func accept(_ device: Device, at moment: Instant) {
        add(Entry(device: device, respondedAt: Instant(nanoseconds: moment.nanoseconds | 1)))
    }

    private mutating func add(_ entry: Entry) {
        if 2 * count >= entries.count, entries.count < maxCount { grow() }
        put(entry)
    }

    /// When APNs last reported a device; nil when it did not, or that has been forgotten.
    ///
    /// - Parameter check: computes the second half of the hash, which is rarely needed.
    func respondedAt(_ key: UInt64, check: () -> UInt64) -> Instant? {
        guard count > 0 else { return nil }
        for slot in set(of: key) where entries[slot].device.key == key {
            let entry = entries[slot]
            guard entry.respondedAt > .distantPast, entry.device.check == check() else { continue }
            return entry.isAccepted ? nil : entry.respondedAt
        }
        return nil
    }

    private func set(of key: UInt64) -> Range<Int> {
        let sets = entries.count / Self.ways
        // The low bits of the hash alone are not sufficiently mixed.
        let first = Int(truncatingIfNeeded: key ^ (key >> 32)) & (sets - 1)
        return first * Self.ways..<(first + 1) * Self.ways
    }

    /// Takes the entry of the same device, else the one whose response came first: free ones do.
    private mutating func put(_ entry: Entry) {
        let set = set(of: entry.device.key)
        var best = set.lowerBound
        for slot in set {
            if entries[slot].respondedAt > .distantPast, entries[slot].device == entry.device {
                entries[slot].respondedAt = max(entries[slot].respondedAt, entry.respondedAt)
                return
            }
            if entries[slot].respondedAt < entries[best].respondedAt { best = slot }
        }
        if entries[best].respondedAt == .distantPast { count += 1 }
        entries[best] = entry
    }

    private mutating func grow() {
        let before = entries
        let size = min(maxCount, max(64, 2 * before.count))
        entries = Array(repeating: Entry(), count: size)
        count = 0
        for entry in before where entry.respondedAt > .distantPast { put(entry) }
    }
}
