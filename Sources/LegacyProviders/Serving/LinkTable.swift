internal import Delivery
internal import EventLoop
internal import TLS

/// A listener and its links: transfers bytes between sockets, TLS and an owner without sockets.
struct LinkTable: ~Copyable {
    /// How long a handshake may take.
    static let handshakeTime = Duration.seconds(10)
    /// How long a rejected provider has to read the reason.
    static let alertTime = Duration.seconds(2)
    /// How long a TLS record may take after the handshake.
    static let recordTime = Duration.seconds(30)
    /// How often deadlines are checked.
    static let tick = Duration.milliseconds(500)

    private let context: TLSContext
    private let roster: ClientRoster
    private let limit: Int
    /// How long a provider may fail to accept data or to close.
    private let timeout: Duration
    private let firstToken: UInt64
    private var listener: SocketID?
    private var links: [Link?] = []
    private var free: [Int] = []
    /// The slots of the links by their numbers, which are never reused.
    private var slots: [Int: Int] = [:]
    private var lastID = 0
    /// Events for the log.
    private(set) var events: [LinkEvent] = []

    init(
        context: TLSContext, roster: ClientRoster, limit: Int, timeout: Duration,
        firstToken: UInt64
    ) {
        self.context = context
        self.roster = roster
        self.limit = limit
        self.timeout = timeout
        self.firstToken = firstToken
    }

    var count: Int { links.count - free.count }

    mutating func takeEvents() -> [LinkEvent] {
        let all = events
        events.removeAll()
        return all
    }

    /// Starts listening, and returns the port.
    mutating func listen<Machine: Kernel & ~Copyable>(
        on address: SocketAddress, _ kernel: inout Machine
    ) throws(KernelError) -> UInt16 {
        let socket = try kernel.listen(on: address, token: firstToken)
        listener = socket
        return kernel.localAddress(of: socket)?.port ?? address.port
    }

    /// Stops listening, and resets links that are not authenticated yet.
    mutating func stopListening<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        if let listener { kernel.close(listener) }
        listener = nil
        for case let link? in links where link.phase == .handshaking {
            link.phase = .over(isClean: false, isReset: true)
        }
    }

    /// Records a wake-up; true when it belongs to the table.
    mutating func wake<Machine: Kernel & ~Copyable>(_ wakeup: Wakeup, _ kernel: inout Machine) {
        guard wakeup.token >= firstToken else { return }
        if wakeup.token == firstToken { return accept(&kernel) }
        let slot = Int(wakeup.token - firstToken) - 1
        guard slot < links.count, let link = links[slot] else { return }
        if wakeup.writable { link.isBlocked = false }
        if wakeup.readable { link.isReadable = true }
    }

    private mutating func accept<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        guard let listener else { return }
        while true {
            let slot = free.last ?? links.count
            let token = firstToken + UInt64(slot) + 1
            guard let socket = kernel.accept(from: listener, token: token) else { return }
            let address = kernel.remoteAddress(of: socket)?.address
            guard admits(address, &kernel) else {
                events.append(.tooMany)
                kernel.abort(socket)
                continue
            }
            do throws(TLSError) {
                let tls = try TLSSession(server: context)
                lastID += 1
                let link = Link(
                    id: lastID, socket: socket, address: address, tls: tls,
                    deadline: kernel.now + Self.handshakeTime)
                if slot == links.count {
                    links.append(link)
                } else {
                    // Another slot may have become free since.
                    free.removeAll { $0 == slot }
                    links[slot] = link
                }
                slots[lastID] = slot
            } catch {
                events.append(.failed(error))
                kernel.abort(socket)
            }
        }
    }

    /// Whether another connection may begin its handshake. At the limit the oldest one that has not
    /// finished its own makes room: whoever says nothing keeps nobody out.
    private mutating func admits<Machine: Kernel & ~Copyable>(
        _ address: [UInt8]?, _ kernel: inout Machine
    ) -> Bool {
        let unfinished = links.indices.filter { links[$0]?.phase == .handshaking }
        let own = unfinished.count { links[$0]?.address == address }
        guard own < maxHandshakesPerAddress else { return false }
        guard count >= limit else { return true }
        let oldest = unfinished.min { links[$0]?.id ?? 0 < links[$1]?.id ?? 0 }
        guard let oldest, let link = links[oldest] else { return false }
        events.append(.displaced)
        kernel.abort(link.socket)
        free(link, at: oldest)
        return true
    }

    /// Providers may share an address, so that it is a good part of all.
    private var maxHandshakesPerAddress: Int { max(16, limit / 4) }

    private mutating func free(_ link: Link, at slot: Int) {
        links[slot] = nil
        free.append(slot)
        slots[link.id] = nil
    }

    /// Reads and writes as much as possible, one buffer per link; true when more is available.
    mutating func pump<Machine: Kernel & ~Copyable, Owner: LinkOwner & ~Copyable>(
        _ kernel: inout Machine, _ owner: inout Owner
    ) -> Bool {
        var hasMore = false
        for slot in links.indices {
            guard let link = links[slot] else { continue }
            link.send(&kernel)
            if link.hasInput, !link.isOver, wantsInput(link, owner) {
                read(link, &kernel, &owner)
                link.send(&kernel)
            }
            if link.phase == .open, !wantsInput(link, owner) { link.excuse(at: kernel.now) }
            link.checkDelivery(kernel)
            if link.isSending, !link.isOver, !link.tls.hasOutput {
                link.isSending = false
                if link.phase == .open { link.deadline = nil }
                owner.linkDrained(link.id)
            }
            if link.isOver {
                remove(link, at: slot, &kernel, &owner)
            } else if link.hasInput, wantsInput(link, owner) {
                hasMore = true
            }
        }
        return hasMore
    }

    private func wantsInput(_ link: Link, _ owner: borrowing some LinkOwner & ~Copyable) -> Bool {
        switch link.phase {
        case .handshaking, .finishing: true
        case .open: !link.isBlocked && !link.peerHasEnded && owner.wantsInput(link.id)
        case .closing, .leaving, .over: false
        }
    }

    private mutating func read<Machine: Kernel & ~Copyable>(
        _ link: Link, _ kernel: inout Machine, _ owner: inout some LinkOwner & ~Copyable
    ) {
        let now = kernel.now
        do throws(TLSError) {
            if link.hasPlaintext { try drain(link, &owner, at: now) }
            guard link.isReadable, wantsInput(link, owner) else { return }
            var failure: TLSError?
            let hasEnded = link.receive(&kernel) { bytes in
                // What comes after our end is discarded unread.
                if link.phase == .finishing { return }
                link.follow(bytes, at: now)
                do throws(TLSError) {
                    try link.tls.receive(bytes)
                    meet(link, &owner, at: now)
                    try drain(link, &owner, at: now)
                } catch { failure = error }
            }
            if let failure { throw failure }
            if hasEnded { finish(link, &owner) }
        } catch {
            fail(link, error, at: now)
        }
    }

    /// Hands plaintext to the owner, or keeps it in the session until the owner wants input.
    private func drain(
        _ link: Link, _ owner: inout some LinkOwner & ~Copyable, at now: Instant
    ) throws(TLSError) {
        guard link.phase == .open else { return }
        link.hasPlaintext = !wantsInput(link, owner)
        guard !link.hasPlaintext else { return }
        let isOpen = try link.tls.read { owner.link(link.id, received: $0, at: now) }
        if !isOpen { finish(link, &owner) }
    }

    /// The provider has ended its side: what its owner still has to say can be sent.
    private func finish(_ link: Link, _ owner: inout some LinkOwner & ~Copyable) {
        link.peerHasEnded = true
        owner.linkFinished(link.id)
    }

    private mutating func fail(_ link: Link, _ failure: TLSError, at now: Instant) {
        guard link.phase == .handshaking else {
            return link.phase = .over(isClean: false, isReset: false)
        }
        let certificate = roster.takeRefused()
        events.append(.refused(failure, failure.code == .untrustedPeer ? certificate : nil))
        // The alert that says why must not be overtaken by a reset.
        link.phase = .finishing
        link.deadline = now + Self.alertTime
    }

    /// Notifies the owner of a provider whose handshake is complete.
    private mutating func meet(
        _ link: Link, _ owner: inout some LinkOwner & ~Copyable, at now: Instant
    ) {
        guard link.phase == .handshaking, link.tls.isEstablished else { return }
        guard let certificate = link.tls.peerCertificate,
            let app = roster.app(of: certificate, vouchers: link.tls.peerVouchers)
        else { return link.phase = .over(isClean: false, isReset: true) }
        link.phase = .open
        link.isKnown = true
        link.deadline = nil
        events.append(.opened(link: link.id, app: app))
        owner.linkOpened(link.id, app: app, at: now)
    }

    private mutating func remove<Machine: Kernel & ~Copyable>(
        _ link: Link, at slot: Int, _ kernel: inout Machine,
        _ owner: inout some LinkOwner & ~Copyable
    ) {
        guard case .over(let isClean, let isReset) = link.phase else { return }
        if isReset { kernel.abort(link.socket) } else { kernel.close(link.socket) }
        free(link, at: slot)
        if link.isKnown { owner.linkEnded(link.id, isClean: isClean) }
        // After descriptors had run out, connections may be pending without a further wake-up.
        accept(&kernel)
    }

    /// Carries out its owner's action on a link, if it still exists.
    mutating func perform(_ command: LinkCommand, on id: Int, at now: Instant) {
        guard let slot = slots[id], let link = links[slot], !link.isOver else { return }
        switch command {
        // Nothing can be said on a link that is closing, nor can it end well any more.
        case .send where link.phase != .open, .finish where link.phase != .open: return
        case .send(let bytes):
            bytes.withRawSpan { try? link.tls.write($0) }
            link.isSending = true
            link.deadline = now + timeout
        case .finish:
            link.tls.close()
            link.phase = .finishing
            link.deadline = now + timeout
        case .close:
            link.tls.close()
            link.phase = .closing
            link.deadline = now + timeout
        case .reset: link.phase = .over(isClean: false, isReset: true)
        }
    }

    /// Resets links that have taken too long; all of them when `isLast`.
    mutating func expire(at now: Instant, isLast: Bool = false) {
        for case let link? in links where !link.isOver {
            let isStalled = isStalled(link, at: now)
            guard isLast || isStalled || link.deadline.map({ $0 <= now }) ?? false else { continue }
            if link.phase == .handshaking { events.append(.late) }
            if isStalled { events.append(.stalled) }
            link.phase = .over(isClean: false, isReset: true)
        }
    }

    /// A provider may be silent between two TLS records, not within one.
    private func isStalled(_ link: Link, at now: Instant) -> Bool {
        guard link.phase == .open, let since = link.unfinishedSince else { return false }
        return now >= since + Self.recordTime
    }
}

/// An action on a link, which is a provider's connection.
public enum LinkCommand: Equatable, Sendable {
    /// Send bytes.
    case send([UInt8])
    /// Send pending output, shut down our side, and discard input until the provider closes.
    case finish
    /// Send pending output, and close immediately.
    case close
    /// Reset it, so that the provider sees a RST.
    case reset
}
