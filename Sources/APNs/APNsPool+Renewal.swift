public import EventLoop
internal import HTTP2

/// How a pool goes over to another credential, or to other trusted roots, without losing a push.
extension APNsPool {
    /// Opens connections over `route` beside those that stand, and gives them the next requests.
    /// When APNs has accepted one they take over, and the others drain.
    ///
    /// Until then the new credential is on trial: when APNs refuses it, the push goes out over the
    /// old one, which goes on, and ``PoolEvent/renewalRefused(reason:)`` says why. The settings of
    /// the route do not change.
    public mutating func renew<Machine: Kernel & ~Copyable>(
        _ route: APNsRoute, _ kernel: inout Machine
    ) {
        guard !isDraining else { return }
        proved = proved ?? dialer
        dialer = Dialer(endpoint: route.endpoint, credential: route.credential, settings: settings)
        for index in keepers.indices {
            keepers[index].renew(dialer, from: kernel.now + UInt64(index) * dialer.stagger)
        }
        expire(&kernel)
    }

    /// Looks, while a credential is on trial, what APNs says of it.
    mutating func settleRenewal<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        guard let old = proved else { return }
        for index in keepers.indices {
            if let reason = keepers[index].trialRefusal {
                events.append(.renewalRefused(reason: reason))
                return goBack(to: old, because: reason, &kernel)
            }
            if keepers[index].hasAccepted {
                proved = nil
                events.append(.renewed)
                for index in keepers.indices { keepers[index].trust() }
                // Idle connections take over now, and those before them say goodbye.
                for index in keepers.indices { keepers[index].flush(&kernel, &events) }
                for index in keepers.indices { keepers[index].flush(&kernel, &events) }
                return
            }
        }
    }

    private mutating func goBack<Machine: Kernel & ~Copyable>(
        to old: Dialer, because reason: String, _ kernel: inout Machine
    ) {
        proved = nil
        dialer = old
        for index in keepers.indices {
            keepers[index].goBack(to: old, because: reason, &kernel)
        }
    }
}
