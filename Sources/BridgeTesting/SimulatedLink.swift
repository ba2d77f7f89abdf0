internal import EventLoop

/// One connection of a simulated network.
final class SimulatedLink {
    let number: Int
    let kernel: Int
    let token: UInt64
    var peer: (any SimulatedPeer)?
    /// What has arrived at the client and was not read.
    var arrived: [UInt8] = []
    /// Bytes on their way to the peer.
    var underway = 0
    /// Why it broke; nil while it stands.
    var failure: KernelError?
    var isOpen = false
    /// The peer has ended its side and everything before that has arrived.
    var hasEnded = false
    /// The client has closed it.
    var isClosed = false
    /// The client waits for room.
    var isFull = false
    var toPeer = SimulatedDirection()
    var toClient = SimulatedDirection()
    /// The deadline that the clock already knows of.
    var scheduledDeadline: UInt64?

    init(number: Int, kernel: Int, token: UInt64) {
        self.number = number
        self.kernel = kernel
        self.token = token
    }
}

/// One direction of a connection: what was sent first arrives first.
struct SimulatedDirection {
    var lastArrival: UInt64 = 0
    var isStalled = false

    /// When bytes that would arrive at `time` do arrive.
    mutating func arrival(_ time: UInt64) -> UInt64 {
        lastArrival = max(lastArrival, time)
        return lastArrival
    }
}
