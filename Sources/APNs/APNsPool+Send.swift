public import Delivery
public import EventLoop

extension APNsPool {
    /// True when some connection can accept a request with a body of this size right now; if none
    /// can, those that were silent for long begin to prove themselves.
    public mutating func canSend(
        bodyBytes: Int, since opening: Instant = .distantPast, _ now: Instant
    ) -> Bool {
        guard !isDraining else { return false }
        for keeper in keepers where keeper.canSend(bodyBytes: bodyBytes, since: opening) {
            return true
        }
        retire(openedBefore: opening, now)
        prove(now)
        return false
    }

    /// Has connections that were silent for long prove that their peers are still there.
    mutating func prove(_ now: Instant) {
        for index in keepers.indices where keepers[index].prove(now) { quietUntil = nil }
    }

    /// Sends a notification on the least loaded connection that can accept it; if none can, returns
    /// false and changes nothing.
    ///
    /// A full TLS record is written at once, so that the peer can begin with it; the next
    /// ``flush(_:)`` writes the rest. The result is reported with `tag`, which may then be reused.
    /// Only connections opened since `opening` are used; older ones are replaced.
    public mutating func send<Machine: Kernel & ~Copyable>(
        _ notification: borrowing Notification, id: NotificationID, tag: UInt64,
        since opening: Instant = .distantPast, _ kernel: inout Machine
    ) -> Bool {
        guard !isDraining else { return false }
        quietUntil = nil
        if opening > retiredBefore { retire(openedBefore: opening, kernel.now) }
        let bytes = notification.payload.count
        while let index = leastLoaded(bodyBytes: bytes, since: opening) {
            if keepers[index].send(
                notification, id: id, tag: tag, since: opening, &kernel, &events) {
                nextConnectionKeeper = index + 1 == keepers.count ? 0 : index + 1
                return true
            }
        }
        noteLimit(bodyBytes: bytes, kernel.now)
        // Again, as the end of a credential's trial keeps connections that were to be replaced.
        retire(openedBefore: opening, kernel.now)
        prove(kernel.now)
        return false
    }

    /// Where the last request was sent; nil when its connection is closed, or before the first.
    public var lastRequest: StreamID? {
        guard !keepers.isEmpty else { return nil }
        let next = nextConnectionKeeper
        return keepers[next == 0 ? keepers.count - 1 : next - 1].lastRequest
    }

    /// The connection with the fewest open requests, in turn among equals; one that has just
    /// refused a request only if there is no other.
    private mutating func leastLoaded(bodyBytes: Int, since opening: Instant) -> Int? {
        var best: Int?
        var leastLoad = Int.max
        for offset in keepers.indices {
            var index = nextConnectionKeeper + offset
            if index >= keepers.count { index -= keepers.count }
            let load = keepers[index].loadIfAble(
                bodyBytes: bodyBytes, below: leastLoad, since: opening)
            guard let load else { continue }
            (best, leastLoad) = (index, load)
        }
        return best
    }
}
