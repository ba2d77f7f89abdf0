internal import Delivery
public import EventLoop
internal import HTTP2

/// Switches a pool to another credential, or to other trusted roots, without losing a push.
extension APNsPool {
    /// Opens connections over `route` next to the existing ones, and sends the next requests on
    /// them. Once APNs has accepted one they take over, and the others drain.
    ///
    /// Until then the new credential is on trial: when APNs rejects it, the push is sent with the
    /// current one, which stays in use, and ``PoolEvent/renewalRefused(_:)`` says why. The settings
    /// of the route do not change. Returns the version reported with responses to its requests.
    @discardableResult
    public mutating func renew<Machine: Kernel & ~Copyable>(
        _ route: APNsRoute, _ kernel: inout Machine
    ) -> CredentialVersion {
        guard !isDraining else { return latestVersion }
        quietUntil = nil
        proved = proved ?? dialer
        latestVersion = latestVersion.next
        dialer = Dialer(
            endpoint: route.endpoint, credential: route.credential, settings: settings,
            version: latestVersion)
        for index in keepers.indices {
            keepers[index].renew(dialer, from: kernel.now + dialer.stagger * index)
        }
        expire(&kernel)
        return latestVersion
    }

    /// The credential in use; while another one is on trial, the one before.
    var credential: APNsCredential { (proved ?? dialer).credential }

    /// While a credential is on trial, checks whether APNs has accepted or rejected it.
    mutating func settleRenewal<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        guard let old = proved else { return }
        for index in keepers.indices {
            if let refusal = keepers[index].trialRefusal {
                events.append(.renewalRefused(refusal))
                return goBack(to: old, because: refusal, &kernel)
            }
            if keepers[index].hasAccepted {
                proved = nil
                events.append(.renewed(dialer.version))
                for index in keepers.indices { keepers[index].trust() }
                // Idle connections take over now, and the previous ones send GOAWAY.
                for index in keepers.indices { keepers[index].flush(&kernel, &events) }
                for index in keepers.indices { keepers[index].flush(&kernel, &events) }
                return
            }
        }
    }

    private mutating func goBack<Machine: Kernel & ~Copyable>(
        to old: Dialer, because refusal: RenewalRefusal, _ kernel: inout Machine
    ) {
        proved = nil
        dialer = old
        for index in keepers.indices {
            keepers[index].goBack(to: old, because: refusal, &kernel)
        }
    }
}
