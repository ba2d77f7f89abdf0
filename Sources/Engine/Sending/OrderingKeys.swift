internal import Configuration
internal import Delivery

/// The predecessor that each push waits for, by ordering key.
///
/// Keys are hashes: two keys with the same hash wait for each other, which is harmless.
struct OrderingKeys: Sendable {
    /// The last push of each key.
    private var tails: [UInt64: PushID] = [:]
    /// The links of a push by slot; empty without ordering.
    private var links: [Link] = []

    private struct Link: Sendable {
        var key: UInt64?
        var predecessor: PushID?
        var successor: PushID?
    }

    /// The ordering key of a push; nil for one that does not wait.
    static func key(
        _ ordering: DeliverySettings.Ordering, _ assignment: AssignmentID,
        _ notification: borrowing Notification, of record: borrowing Record
    ) -> UInt64? {
        var hash = TextHash(UInt64(truncatingIfNeeded: assignment.number))
        switch ordering {
        case .none: return nil
        case .device: hash.add(notification.destination.identifier)
        case .collapse:
            // Without a collapse ID it neither replaces another push nor is replaced.
            guard !notification.collapseID.isEmpty else { return nil }
            hash.add(notification.destination.identifier)
            hash.add(notification.collapseID)
        case .key:
            guard record.addKey(to: &hash) else { return nil }
        case .partition: break
        }
        return hash.value
    }

    /// The ordering key of a push; nil for none.
    func key(of id: PushID) -> UInt64? { id.slot < links.count ? links[id.slot].key : nil }

    /// The successor of a push.
    func successor(of id: PushID) -> PushID? {
        id.slot < links.count ? links[id.slot].successor : nil
    }

    /// The last push of a key.
    func tail(of key: UInt64) -> PushID? { tails[key] }

    /// Appends a push to its key and returns its predecessor, if any.
    mutating func add(_ id: PushID, key: UInt64) -> PushID? {
        while links.count <= id.slot { links.append(Link()) }
        links[id.slot] = Link(key: key)
        guard let predecessor = tails.updateValue(id, forKey: key) else { return nil }
        links[id.slot].predecessor = predecessor
        links[predecessor.slot].successor = id
        return predecessor
    }

    /// Removes a push from its key and returns its successor, if any.
    mutating func remove(_ id: PushID) -> PushID? {
        guard id.slot < links.count, let key = links[id.slot].key else { return nil }
        let successor = links[id.slot].successor
        links[id.slot] = Link()
        if let successor { link(successor, to: nil, insteadOf: id) }
        if tails[key] == id { tails[key] = nil }
        return successor
    }

    /// Takes out a push that still waits for its predecessor: its successor waits for that instead.
    mutating func takeOut(_ id: PushID) {
        guard id.slot < links.count, let key = links[id.slot].key else { return }
        let link = links[id.slot]
        links[id.slot] = Link()
        if let successor = link.successor {
            self.link(successor, to: link.predecessor, insteadOf: id)
        }
        if let predecessor = link.predecessor, links[predecessor.slot].successor == id {
            links[predecessor.slot].successor = link.successor
        }
        if tails[key] == id { tails[key] = link.predecessor }
    }

    /// Gives a push another predecessor, unless its slot is another push's by now.
    private mutating func link(
        _ id: PushID, to predecessor: PushID?, insteadOf removed: PushID
    ) {
        guard links[id.slot].predecessor == removed else { return }
        links[id.slot].predecessor = predecessor
    }
}
