public import Delivery
public import EventLoop

extension APNsPool {
    /// True when some connection can take one more request with such a body right now.
    public func canSend(bodyBytes: Int) -> Bool {
        !isDraining && keepers.contains { $0.canSend(bodyBytes: bodyBytes) }
    }

    /// Gives a notification to the least loaded connection that can take it; false when none can,
    /// and then nothing has happened.
    ///
    /// It is written by the next ``flush(_:)``. Its end is reported with `tag`, which may be used
    /// again after that.
    public mutating func send<Machine: Kernel & ~Copyable>(
        _ notification: borrowing Notification, id: NotificationID, tag: UInt64,
        _ kernel: inout Machine
    ) -> Bool {
        guard !isDraining else { return false }
        while let index = leastLoaded(bodyBytes: notification.payload.count) {
            if keepers[index].send(notification, id: id, tag: tag, &kernel, &events) {
                nextConnectionKeeper = index + 1 == keepers.count ? 0 : index + 1
                return true
            }
        }
        return false
    }

    /// The connection with the fewest open requests, but one that has just refused a request only
    /// when there is no other; among equals each in its turn.
    private mutating func leastLoaded(bodyBytes: Int) -> Int? {
        var best: Int?
        var leastLoad = Int.max
        for offset in keepers.indices {
            var index = nextConnectionKeeper + offset
            if index >= keepers.count { index -= keepers.count }
            let load = keepers[index].loadIfAble(bodyBytes: bodyBytes, below: leastLoad)
            guard let load else { continue }
            (best, leastLoad) = (index, load)
        }
        return best
    }
}
