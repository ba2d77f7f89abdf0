internal import Delivery

/// Lets the notifications for one device of one partition go one after the other.
///
/// Devices are told apart by a hash: two that share one wait for each other, which is harmless.
struct DeviceOrder: Sendable {
    private var last: [UInt64: Int] = [:]

    /// The key of a device in a partition: FNV-1a, 64 bits.
    static func key(_ assignment: AssignmentID, _ token: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(truncatingIfNeeded: assignment.number)
        for byte in token { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }

    /// Adds a notification at the end of its row; returns its predecessor, if there is one.
    mutating func add(_ notification: Int, key: UInt64) -> Int? {
        last.updateValue(notification, forKey: key)
    }

    /// A notification without a successor has ended: its row is empty.
    mutating func end(_ notification: Int, key: UInt64) {
        if last[key] == notification { last[key] = nil }
    }

    /// Forgets a row of which nothing may go on.
    mutating func remove(key: UInt64) { last[key] = nil }
}
