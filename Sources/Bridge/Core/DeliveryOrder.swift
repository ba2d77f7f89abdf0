internal import Configuration
internal import Delivery

/// Lets the notifications of one row go one after the other.
///
/// A row is what the connector keeps in order: the pushes of a partition for one device, for one
/// device and collapse ID, for one key, or all of them. Rows are told apart by a hash: two that
/// share one wait for each other, which is harmless.
struct DeliveryOrder: Sendable {
    private var last: [UInt64: Int] = [:]

    /// The row that a notification stands in; nil for one that waits for nothing.
    static func key(
        _ ordering: DeliverySettings.Ordering, _ assignment: AssignmentID,
        _ notification: borrowing Notification, of record: borrowing Record
    ) -> UInt64? {
        var hash = FNVHash(UInt64(truncatingIfNeeded: assignment.number))
        switch ordering {
        case .none: return nil
        case .device: hash.add(notification.deviceToken)
        case .collapse:
            // Without a collapse ID it replaces nothing, and is replaced by nothing.
            guard !notification.collapseID.isEmpty else { return nil }
            hash.add(notification.deviceToken)
            hash.add(notification.collapseID)
        case .key:
            guard record.addKey(to: &hash) else { return nil }
        case .partition: break
        }
        return hash.value
    }

    /// Adds a notification at the end of its row; returns its predecessor, if there is one.
    mutating func add(_ notification: Int, key: UInt64) -> Int? {
        last.updateValue(notification, forKey: key)
    }

    /// True when nobody stands in a row.
    func isEmpty(key: UInt64) -> Bool { last[key] == nil }

    /// A notification without a successor has ended: its row is empty.
    mutating func end(_ notification: Int, key: UInt64) {
        if last[key] == notification { last[key] = nil }
    }

    /// Forgets a row of which nothing may go on.
    mutating func remove(key: UInt64) { last[key] = nil }
}
