internal import Delivery
internal import EventLoop

/// Opens a connection for the probes of a suspended app: APNs judges an app by what it knew when
/// the connection was opened.
extension ConnectionKeeper {
    /// Opens one beside the current one, in place of an earlier one; false when it cannot now.
    mutating func openForProbes<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) -> Bool {
        guard state == .open, isReady, successor?.isForProbes != false, !isOnTrial else {
            return false
        }
        somethingHappened()
        if let earlier = successor {
            successor = nil
            earlier.connection.drain()
            leaving.append(earlier)
        }
        opensForProbes = true
        lookUp(&kernel)
        return true
    }

    /// It has a connection for probes.
    var hasConnectionForProbes: Bool { successor?.isForProbes ?? false }

    /// The connection for probes is not ready yet.
    var awaitsConnectionForProbes: Bool {
        if let successor, successor.isForProbes {
            return successor.connection.phase.rawValue < APNsConnection.Phase.ready.rawValue
        }
        return opensForProbes
    }

    /// The newest connection that accepts a request.
    func newest(bodyBytes: Int) -> ConnectionBox? {
        [successor, current].compactMap(\.self)
            .filter { $0.canSend(bodyBytes: bodyBytes, since: .distantPast) }
            .max { $0.connection.dialledAt < $1.connection.dialledAt }
    }

    /// Replaces at `time`, as at the end of their lives, the connections opened before `opening`.
    mutating func retire(openedBefore opening: Instant, at time: Instant) {
        if let current, current.retire(openedBefore: opening, at: time) { somethingHappened() }
        if let successor, successor.retire(openedBefore: opening, at: time) { somethingHappened() }
    }

    /// Closes its connections after their last responses, and opens others.
    mutating func replaceAll<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) {
        somethingHappened()
        current?.connection.drain()
        successor?.connection.drain()
        settle(&kernel, &events)
    }

    /// Nothing came from its connections for a while: they must prove that their peers are there.
    ///
    /// False when they have nothing to prove, or have begun to.
    mutating func prove(_ now: Instant) -> Bool {
        var hasBegun = false
        if let current, current.connection.prove(now) { hasBegun = true }
        if let successor, successor.connection.prove(now) { hasBegun = true }
        if hasBegun { somethingHappened() }
        return hasBegun
    }
}
