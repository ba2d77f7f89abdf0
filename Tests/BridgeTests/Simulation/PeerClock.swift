import APNsSimulator
import BridgeTesting
import Delivery

/// By how much the wall clock of APNs differs from the workers' clock.
final class PeerClock {
    /// Milliseconds that it is ahead.
    var ahead: Int64 = 0

    func moment(_ moment: SimulatorMoment) -> SimulatorMoment {
        SimulatorMoment(now: moment.now, wallClock: moment.wallClock + ahead)
    }
}

/// A peer with a clock of its own, which shows how the requests of its connection begin.
final class PeerWithClock: SimulatedPeer {
    private let peer: SimulatorPeer
    private let clock: PeerClock
    private let total: () -> Int
    private let onRequests: (Instant, Int) -> Void

    /// `total` is the number of requests that APNs has received on all connections.
    init(
        _ peer: SimulatorPeer, _ clock: PeerClock, total: @escaping () -> Int,
        onRequests: @escaping (_ time: Instant, _ count: Int) -> Void
    ) {
        self.peer = peer
        self.clock = clock
        self.total = total
        self.onRequests = onRequests
    }

    var isEnded: Bool { peer.isEnded }
    var nextDeadline: Instant? { peer.nextDeadline }

    func receive(_ bytes: [UInt8], at moment: SimulatorMoment) {
        let before = total()
        peer.receive(bytes, at: clock.moment(moment))
        let more = total() - before
        if more > 0 { onRequests(moment.now, more) }
    }

    func takeOutput() -> [UInt8] { peer.takeOutput() }
    func expire(at moment: SimulatorMoment) { peer.expire(at: clock.moment(moment)) }
    func clientHasGone() { peer.clientHasGone() }
}
