internal import Delivery
internal import EventLoop
internal import JSON

/// Hashes of what a push is about.
extension PushTable {
    /// A hash of a push's device.
    func deviceKey(_ id: PushID) -> UInt64 {
        self[recordOf: id].stored.withDestination(self[id].content) {
            var hash = TextHash()
            hash.add($0)
            return hash.value
        }
    }

    /// A hash of a push's app, bundle identifier, push type, device and collapse ID: pushes that
    /// have it in common replace each other. Nil without a collapse ID, and for calls of VoIP and
    /// Push to Talk, which ring or sound each time.
    func collapseKey(_ id: PushID) -> UInt64? {
        let type = self[id].pushType
        guard self[id].content.collapseCount > 0, type != .voip, type != .pushtotalk else {
            return nil
        }
        let kind = self[id].app.index << 8 | type.number
        var hash = TextHash(UInt64(truncatingIfNeeded: kind))
        addTarget(of: id, withCollapseID: true, to: &hash)
        return hash.value
    }

    /// A hash of a push's partition, app, bundle identifier, push type and device, and of the
    /// collapse ID of an alert.
    func backlogKey(_ id: PushID) -> UInt64 {
        let kind = self[id].app.index << 8 | self[id].pushType.number
        let assignment = assignment(of: id).number
        var hash = TextHash(UInt64(truncatingIfNeeded: kind << 32 ^ assignment))
        addTarget(of: id, withCollapseID: self[id].pushType == .alert, to: &hash)
        return hash.value
    }

    private func addTarget(
        of id: PushID, withCollapseID: Bool, to hash: inout TextHash
    ) {
        let content = self[id].content
        let slot = self[id].record.slot
        if content.bundleCount != 0 {
            records[slot].stored.withOwnBundleID(content) { hash.add($0) }
        }
        records[slot].stored.withDestination(content) { hash.add($0) }
        if withCollapseID { records[slot].stored.withCollapseID(content) { hash.add($0) } }
    }

    /// True when two pushes with a common ``backlogKey(_:)`` do have all that in common.
    func haveSameTarget(_ one: PushID, _ other: PushID) -> Bool {
        let (left, right) = (self[one], self[other])
        return left.app == right.app && left.pushType == right.pushType
            && assignment(of: one) == assignment(of: other) && target(of: one) == target(of: other)
    }

    /// Bundle identifier, device token and, of an alert, collapse ID.
    private func target(of id: PushID) -> [[UInt8]] {
        let content = self[id].content
        let slot = self[id].record.slot
        var target = [[UInt8]](repeating: [], count: 3)
        records[slot].stored.withOwnBundleID(content) { target[0].replace(with: $0) }
        records[slot].stored.withDestination(content) { target[1].replace(with: $0) }
        guard self[id].pushType == .alert else { return target }
        records[slot].stored.withCollapseID(content) { target[2].replace(with: $0) }
        return target
    }

    /// A hash of the bundle identifier and the type of a push.
    func kindHash(of id: PushID) -> UInt64 {
        var hash = TextHash(UInt64(self[id].pushType.number))
        self[recordOf: id].stored.withOwnBundleID(self[id].content) { hash.add($0) }
        return hash.value
    }
}
