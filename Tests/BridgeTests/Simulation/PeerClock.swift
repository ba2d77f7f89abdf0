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

/// A peer with a clock of its own.
final class PeerWithClock: SimulatedPeer {
    private let peer: SimulatorPeer
    private let clock: PeerClock

    init(_ peer: SimulatorPeer, _ clock: PeerClock) {
        self.peer = peer
        self.clock = clock
    }

    var isEnded: Bool { peer.isEnded }
    var nextDeadline: Instant? { peer.nextDeadline }

    func receive(_ bytes: [UInt8], at moment: SimulatorMoment) {
        peer.receive(bytes, at: clock.moment(moment))
    }

    func takeOutput() -> [UInt8] { peer.takeOutput() }
    func expire(at moment: SimulatorMoment) { peer.expire(at: clock.moment(moment)) }
    func clientHasGone() { peer.clientHasGone() }
}
