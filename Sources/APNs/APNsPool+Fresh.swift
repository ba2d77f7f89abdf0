internal import Delivery
public import EventLoop

/// Fresh connections: for the probes of a suspended app, and after APNs has refused a credential.
///
/// APNs ties what it knows about the team and its bundle identifiers to a connection. What was
/// fixed in Apple's developer portal is therefore noticed on a new connection only.
extension APNsPool {
    /// Sends a probe of a suspended app over the newest connection: one opened for it, at most
    /// every ``PoolSettings/freshInterval``. If none can accept it right now, or a fresh one is not
    /// ready yet, returns nil and changes nothing; otherwise, when its connection was opened.
    ///
    /// Other requests use the fresh connection once APNs has accepted a probe on it.
    mutating func sendProbe<Machine: Kernel & ~Copyable>(
        _ notification: borrowing Notification, id: NotificationID, tag: UInt64,
        _ kernel: inout Machine
    ) -> Instant? {
        guard !isDraining else { return nil }
        quietUntil = nil
        if mustReplaceConnections { replaceConnections(&kernel) }
        openForProbes(&kernel)
        for keeper in keepers where keeper.awaitsConnectionForProbes { return nil }
        let bytes = notification.payload.count
        guard let (index, opening) = newest(bodyBytes: bytes) else {
            prove(kernel.now)
            return nil
        }
        let isSent = keepers[index].send(
            notification, id: id, tag: tag, since: opening, isProbe: true, &kernel, &events)
        guard isSent else { return nil }
        nextConnectionKeeper = index + 1 == keepers.count ? 0 : index + 1
        return opening
    }

    /// True when some connection, also one that was opened for probes, can accept a request with a
    /// body of this size right now; if none can, those that were silent for long begin to prove
    /// themselves.
    mutating func canSendProbe(bodyBytes: Int, _ now: Instant) -> Bool {
        guard !isDraining else { return false }
        if newest(bodyBytes: bodyBytes) != nil { return true }
        prove(now)
        return false
    }

    private mutating func openForProbes<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        // The connections of a credential on trial are new themselves.
        guard proved == nil else { return }
        if let last = openedForProbesAt, kernel.now - last < settings.freshInterval { return }
        // In place of an earlier one, so that there is never more than one.
        let earlier = keepers.indices.first { keepers[$0].hasConnectionForProbes }
        for offset in keepers.indices {
            let index = ((earlier ?? nextConnectionKeeper) + offset) % keepers.count
            guard keepers[index].openForProbes(&kernel) else { continue }
            openedForProbesAt = kernel.now
            return
        }
    }

    private func newest(bodyBytes: Int) -> (keeper: Int, opening: Instant)? {
        var best: (keeper: Int, opening: Instant)?
        for index in keepers.indices {
            guard let box = keepers[index].newest(bodyBytes: bodyBytes) else { continue }
            let opening = box.connection.dialledAt
            if opening >= best?.opening ?? .distantPast { best = (index, opening) }
        }
        return best
    }

    /// Replaces the connections opened before `opening` one after the other; they finish their last
    /// requests.
    mutating func retire(openedBefore opening: Instant, _ now: Instant) {
        guard opening > .distantPast else { return }
        retiredBefore = max(retiredBefore, opening)
        for index in keepers.indices {
            keepers[index].retire(openedBefore: opening, at: now + dialer.stagger * index)
        }
    }

    /// APNs has refused the credential, which may have been revoked: closes all connections after
    /// their last responses, and opens others; at most every ``PoolSettings/freshInterval``.
    public mutating func replaceConnections<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine
    ) {
        guard !isDraining, proved == nil else { return }
        if let last = openedForProbesAt, kernel.now - last < settings.freshInterval {
            // The next probe after that time does it.
            mustReplaceConnections = true
            return
        }
        mustReplaceConnections = false
        openedForProbesAt = kernel.now
        quietUntil = nil
        for index in keepers.indices { keepers[index].replaceAll(&kernel, &events) }
    }
}
