internal import EventLoop

/// How a keeper goes over to another credential, or to other trusted roots.
extension ConnectionKeeper {
    /// Makes every further connection from `dialer`. An open one stays, and is replaced from
    /// a time on by one that has proved itself.
    mutating func renew(_ dialer: Dialer, from time: UInt64) {
        self.dialer = dialer
        isOnTrial = true
        trialRefusal = nil
        current?.retiresAt = time
        successor?.retiresAt = time
    }

    /// Goes back to the credential before: connections with the new one take nothing more.
    mutating func goBack<Machine: Kernel & ~Copyable>(
        to dialer: Dialer, because refusal: RenewalRefusal, _ kernel: inout Machine
    ) {
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
                box.limitLife(&kernel)
            }
        }
    }

    /// The new credential is the only one from now on.
    mutating func trust() {
        isOnTrial = false
        trialRefusal = nil
        if current?.connection.dialer === dialer { current?.connection.isOnTrial = false }
        if successor?.connection.dialer === dialer { successor?.connection.isOnTrial = false }
    }

    /// APNs has accepted a request over a connection with the present credential.
    var hasAccepted: Bool {
        for box in [current, successor].compactMap(\.self)
        where box.connection.dialer === dialer && box.connection.hasAccepted {
            return true
        }
        return false
    }
}
