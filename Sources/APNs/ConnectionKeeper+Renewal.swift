internal import Delivery
internal import EventLoop

/// Switches a keeper to another credential, or to other trusted roots.
extension ConnectionKeeper {
    /// Opens all further connections with `dialer`. An open one stays, and from `time` on is
    /// replaced by one whose credential was accepted.
    mutating func renew(_ dialer: Dialer, from time: Instant) {
        somethingHappened()
        self.dialer = dialer
        isOnTrial = true
        trialRefusal = nil
        current?.retiresAt = time
        successor?.retiresAt = time
    }

    /// Reverts to the previous credential: connections with the new one accept no more requests.
    mutating func goBack<Machine: Kernel & ~Copyable>(
        to dialer: Dialer, because refusal: RenewalRefusal, _ kernel: inout Machine
    ) {
        somethingHappened()
        let refused = self.dialer
        self.dialer = dialer
        isOnTrial = false
        trialRefusal = nil
        for box in [current, successor].compactMap(\.self) {
            if box.connection.dialer === refused {
                box.connection.trialRefusal = refusal
                box.connection.drain()
            } else {
                box.retiresAt = nil
                box.scheduleRetirement(&kernel)
            }
        }
    }

    /// Uses the new credential alone from now on.
    mutating func trust() {
        somethingHappened()
        isOnTrial = false
        trialRefusal = nil
        if current?.connection.dialer === dialer { current?.connection.isOnTrial = false }
        if successor?.connection.dialer === dialer { successor?.connection.isOnTrial = false }
    }

    /// APNs has accepted a request on a connection with the current credential.
    var hasAccepted: Bool {
        for box in [current, successor].compactMap(\.self)
        where box.connection.dialer === dialer && box.connection.hasAccepted {
            return true
        }
        return false
    }
}
