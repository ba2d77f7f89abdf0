internal import Delivery
internal import EventLoop

/// Hashes of what a push is about.
extension PushTable {
    /// A hash of a push's device.
    func deviceKey(_ id: PushID) -> UInt64 {
        self[recordOf: id].stored.withToken(self[id].content) {
            var hash = TextHash()
            hash.add($0)
            return hash.value
        }
    }

    /// A hash of a push's app, bundle identifier, push type, device and collapse ID: pushes that
    /// have it in common replace each other. Nil without a collapse ID.
    func collapseKey(_ id: PushID) -> UInt64? {
        let content = self[id].content
        guard content.collapseCount > 0 else { return nil }
        let slot = self[id].record.slot
        let kind = self[id].app.index << 8 | self[id].pushType.number
        var hash = TextHash(UInt64(truncatingIfNeeded: kind))
        if content.bundleCount != 0 {
            records[slot].stored.withOwnBundleID(content) { hash.add($0) }
        }
        records[slot].stored.withToken(content) { hash.add($0) }
        records[slot].stored.withCollapseID(content) { hash.add($0) }
        return hash.value
    }

    /// A hash of the bundle identifier and the type of a push.
    func kindHash(of id: PushID) -> UInt64 {
        var hash = TextHash(UInt64(self[id].pushType.number))
        self[recordOf: id].stored.withOwnBundleID(self[id].content) { hash.add($0) }
        return hash.value
    }
}
