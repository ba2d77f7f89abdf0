internal import Delivery
internal import EventLoop

/// Reacts to changes of a keeper's connections.
extension ConnectionKeeper {
    /// Checks the connections, and replaces those that are closed, draining or old.
    mutating func settle<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) {
        leaving.removeAll { $0.connection.phase == .closed }
        settleSuccessor(&kernel, &events)
        guard let box = current else { return }
        if box.isLeaving {
            current = successor
            current?.isForProbes = false
            successor = nil
            // Its replacement may already be under way.
            let wasAlone = current == nil && state == .open
            leave(box)
            if wasAlone { replace(box, &kernel, &events) }
        } else if box.connection.phase == .ready {
            if box.retiresAt == nil { history.ready(box.connection.address) }
            box.scheduleRetirement(&kernel)
            guard box.replacedAt <= kernel.now else { return }
            // A connection that was opened for probes replaces it like any other.
            successor?.isForProbes = false
            opensForProbes = false
            guard state == .open, successor == nil, trialRefusal == nil else { return }
            lookUp(&kernel)
        }
    }

    /// Lets a successor take over: after its first success, so that APNs does not restrict it to
    /// fewer requests than its predecessor, or immediately when no request is open.
    private mutating func settleSuccessor<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) {
        guard let box = successor else { return }
        if box.isLeaving {
            successor = nil
            leave(box)
            // One for probes replaces none, and its end does not count against the address.
            guard state == .open, box.connection.trialRefusal == nil, !box.isForProbes else {
                return
            }
            replace(box, &kernel, &events)
        } else if box.connection.phase == .ready, let old = current, mayReplace(old, box) {
            box.isForProbes = false
            history.ready(box.connection.address)
            box.scheduleRetirement(&kernel)
            backoff.succeeded()
            current = box
            successor = nil
            old.connection.drain()
            leave(old)
        }
    }

    private func mayReplace(_ old: ConnectionBox, _ box: ConnectionBox) -> Bool {
        if box.isForProbes { return box.connection.hasAccepted }
        return (box.connection.hasSucceeded || old.connection.requests.count == 0)
            && !box.connection.isOnTrial
    }

    /// Keeps a connection until its last requests have finished.
    private mutating func leave(_ box: ConnectionBox) {
        if isOnTrial, box.connection.dialer === dialer {
            trialRefusal = trialRefusal ?? box.connection.trialRefusal
        }
        if box.connection.phase == .draining { leaving.append(box) }
    }
}
