internal import Delivery
internal import EventLoop

/// One connection of a simulated network.
final class SimulatedLink {
    let number: Int
    let kernel: Int
    let token: UInt64
    var peer: (any SimulatedPeer)?
    /// Bytes received by the client and not read.
    var arrived: [UInt8] = []
    /// The number of bytes in flight to the peer.
    var underway = 0
    /// Why it broke; nil while it is open.
    var failure: KernelError?
    var isOpen = false
    /// The peer has closed its side and all its bytes have arrived.
    var hasEnded = false
    /// The client has closed it.
    var isClosed = false
    /// The client waits for room.
    var isFull = false
    /// When bytes last passed in either direction.
    var lastTraffic = Instant.distantPast
    var toPeer = SimulatedDirection()
    var toClient = SimulatedDirection()
    /// The deadline already scheduled on the clock.
    var scheduledDeadline: Instant?

    init(number: Int, kernel: Int, token: UInt64) {
        self.number = number
        self.kernel = kernel
        self.token = token
    }
}

/// One direction of a connection, which preserves the order of bytes.
struct SimulatedDirection {
    var lastArrival = Instant.distantPast
    var isStalled = false

    /// The actual arrival of bytes that would arrive at `time`.
    mutating func arrival(_ time: Instant) -> Instant {
        lastArrival = max(lastArrival, time)
        return lastArrival
    }
}
