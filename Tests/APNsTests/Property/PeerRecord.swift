import BridgeTesting
import Delivery

/// What all the servers of a world did, by the apns-id of the requests.
final class PeerRecord {
    private let clock: SimulatedClock
    private let peace: Instant
    /// What a server has processed, whether it responded or not.
    var processed: Set<String> = []
    /// What a server has accepted with 200.
    var accepted: Set<String> = []
    /// What clients sent that no server may accept.
    var complaints: [String] = []

    init(_ clock: SimulatedClock, peace: Instant) {
        self.clock = clock
        self.peace = peace
    }

    var now: Instant { clock.now }

    /// No more faults from now on.
    var isPeaceful: Bool { clock.now >= peace }
}
