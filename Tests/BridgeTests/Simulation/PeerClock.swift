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

/// A peer with a clock of its own, which counts the requests that a client sends before it can have
/// any response.
final class PeerWithClock: SimulatedPeer {
    private let peer: SimulatorPeer
    private let clock: PeerClock
    private let memory: SimulatorMemory?
    /// How long it takes until a request can follow a response.
    private let roundTrip: Duration
    private let onRequests: (Int) -> Void
    private var count = 0
    /// When the first response can have had an effect; nil before the first request.
    private var end: Instant?

    init(
        _ peer: SimulatorPeer, _ clock: PeerClock, _ memory: SimulatorMemory?, roundTrip: Duration,
        onRequests: @escaping (_ beforeAnyResponse: Int) -> Void
    ) {
        self.peer = peer
        self.clock = clock
        self.memory = memory
        self.roundTrip = roundTrip
        self.onRequests = onRequests
    }

    var isEnded: Bool { peer.isEnded }
    var nextDeadline: Instant? { peer.nextDeadline }

    func receive(_ bytes: [UInt8], at moment: SimulatorMoment) {
        guard end.map({ moment.now < $0 }) ?? true else {
            return peer.receive(bytes, at: clock.moment(moment))
        }
        let before = total
        peer.receive(bytes, at: clock.moment(moment))
        let more = total - before
        guard more > 0 else { return }
        count += more
        end = end ?? moment.now + roundTrip
        onRequests(count)
    }

    /// The number of requests that APNs has received on all connections.
    private var total: Int {
        var filter = RequestFilter()
        filter.limit = 1
        return memory?.requests(matching: filter).total ?? 0
    }

    func takeOutput() -> [UInt8] { peer.takeOutput() }
    func expire(at moment: SimulatorMoment) { peer.expire(at: clock.moment(moment)) }
    func clientHasGone() { peer.clientHasGone() }
}
