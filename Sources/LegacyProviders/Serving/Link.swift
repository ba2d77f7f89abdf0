internal import Delivery
internal import EventLoop
internal import TLS

/// One provider's socket, and the TLS session on it.
final class Link {
    /// The phases of a connection.
    enum Phase: Equatable {
        case handshaking
        case open
        /// Sending pending output, then shutting down our side; input is discarded.
        case finishing
        /// Closing once pending output is sent.
        case closing
        /// Both sides are closed; the provider's machine has not acknowledged everything.
        case leaving
        case over(isClean: Bool, isReset: Bool)
    }

    let id: Int
    let socket: SocketID
    /// The address of the provider, if the kernel knows it.
    let address: [UInt8]?
    var tls: TLSSession
    var phase = Phase.handshaking
    var isReadable = true
    var isBlocked = false
    /// The TLS session may hold plaintext that its owner did not want yet.
    var hasPlaintext = false
    /// The provider has ended its side.
    var peerHasEnded = false
    /// Something was sent since the owner was notified that all was.
    var isSending = false
    private var hasShutDown = false
    private var boundary = RecordBoundary()
    /// When the unfinished TLS record began; nil without one.
    private(set) var unfinishedSince: Instant?
    /// When to reset it; nil without a deadline.
    var deadline: Instant?

    init(
        id: Int, socket: SocketID, address: [UInt8]?, tls: consuming TLSSession, deadline: Instant
    ) {
        self.id = id
        self.socket = socket
        self.address = address
        self.tls = tls
        self.deadline = deadline
    }

    var isOver: Bool { if case .over = phase { true } else { false } }

    /// Something may be there to read.
    var hasInput: Bool { isReadable || hasPlaintext && phase == .open }

    /// Its owner was notified of it, and is to be notified of its end.
    var isKnown = false

    /// Sends pending output, until the socket is full.
    func send<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        guard !isOver else { return }
        var isBroken = false
        while tls.hasOutput, !isBlocked, !isBroken {
            tls.withOutput { bytes in
                switch kernel.send(bytes, to: socket) {
                case .bytes(let count): return count
                case .wouldBlock: isBlocked = true
                case .ended, .failed: isBroken = true
                }
                return 0
            }
        }
        if isBroken { return phase = .over(isClean: false, isReset: false) }
        guard !tls.hasOutput else { return }
        switch phase {
        case .closing: phase = .over(isClean: false, isReset: false)
        case .finishing where !hasShutDown:
            hasShutDown = true
            kernel.shutDown(socket)
        default: break
        }
    }

    /// Reads one buffer of the socket; true when the provider has ended its side of an open link.
    func receive<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, _ body: (RawSpan) -> Void
    ) -> Bool {
        switch kernel.receive(from: socket, body) {
        case .bytes: break
        case .wouldBlock: isReadable = false
        case .ended where phase == .open: return true
        case .ended where phase == .finishing && hasShutDown: phase = .leaving
        case .ended, .failed: phase = .over(isClean: false, isReset: false)
        }
        return false
    }

    /// Follows the TLS records in received bytes.
    func follow(_ bytes: RawSpan, at now: Instant) {
        let hasEnded = boundary.follow(bytes)
        unfinishedSince = boundary.isInside ? (hasEnded ? now : unfinishedSince ?? now) : nil
    }

    /// Counts no delay of a provider that is not read.
    func excuse(at now: Instant) {
        if unfinishedSince != nil { unfinishedSince = now }
    }

    /// Treats the end as clean only if everything sent has reached the provider's machine: the
    /// provider may have closed before.
    func checkDelivery<Machine: Kernel & ~Copyable>(_ kernel: borrowing Machine) {
        guard phase == .leaving else { return }
        switch kernel.undelivered(socket) {
        case 0: phase = .over(isClean: true, isReset: false)
        case nil: phase = .over(isClean: false, isReset: false)
        default: break
        }
    }
}
