internal import Delivery
internal import EventLoop
internal import HTTP2
internal import TLS

/// One connection to APNs, from TCP connect to close: see ``Phase``.
struct APNsConnection: ~Copyable {
    /// The phases of a connection; it only ever moves forward.
    enum Phase: Int {
        /// TCP is connecting.
        case connecting
        /// The proxy was asked for a tunnel.
        case tunnelling
        /// The TLS handshake is in progress.
        case handshaking
        /// HTTP/2 is established, but the peer's SETTINGS have not arrived.
        case awaitingSettings
        /// Requests may be sent.
        case ready
        /// Accepts no new requests; open requests finish.
        case draining
        /// The socket is closed.
        case closed
    }

    let dialer: Dialer
    let address: SocketAddress
    let socket: SocketID
    /// When dialling started.
    let dialledAt: Instant
    /// The tunnel through a proxy; nil without one, and once it is open.
    var tunnel: ProxyTunnel?
    var tls: TLSSession
    var http2 = HTTP2Client()
    var heartbeat: Heartbeat
    var writer: RequestWriter
    var requests = RequestTable()
    private(set) var phase = Phase.connecting
    /// When the current phase must be over.
    private(set) var phaseDeadline: Instant?
    /// Why the address did not accept the connection; another one may.
    var refusal: ConnectionFailure?
    /// What its end says something about, if it was of no use.
    var blame = AddressHistory.Blame.route
    /// When it became ready; nil until then.
    var readyAt: Instant?
    /// The socket accepts nothing until it becomes writable.
    var isBlocked = true
    /// More bytes are available than one turn reads.
    var hasMoreToRead = false
    /// APNs has accepted a request on it.
    var hasAccepted = false
    /// Its credential is new: until APNs accepts a request, a rejection means that the new
    /// credential is wrong, and says nothing about the push.
    var isOnTrial: Bool
    /// Why APNs rejected the new credential.
    var trialRefusal: RenewalRefusal?
    /// How many requests may be open while the connection is new.
    var slowStart: SlowStart
    var timeoutsInRow = 0
    /// Its requests are about channels, whose responses have content.
    var asksAboutChannels = false
    /// It has refused a request since its last response: other connections are preferred.
    var hasRefused = false
    /// How many GOAWAYs have been received.
    var goAways = 0
    /// How often bytes were taken from HTTP/2.
    var pulls: UInt64 = 0
    var tokenUse = TokenUse()

    private init(
        _ dialer: Dialer, _ address: SocketAddress, _ socket: SocketID, _ tls: consuming TLSSession,
        at now: Instant, isOnTrial: Bool
    ) {
        self.dialer = dialer
        dialledAt = now
        tunnel = dialer.endpoint.proxy.map { ProxyTunnel($0, to: dialer.endpoint.address) }
        self.address = address
        self.socket = socket
        self.tls = tls
        heartbeat = Heartbeat(dialer.settings)
        slowStart = SlowStart(dialer.settings.firstRequests)
        writer = RequestWriter(authority: dialer.authority)
        self.isOnTrial = isOnTrial
        phaseDeadline = now + dialer.settings.connectTimeout
    }

    /// Starts connecting.
    static func dial<Machine: Kernel & ~Copyable>(
        _ dialer: Dialer, to address: SocketAddress, token: UInt64, isOnTrial: Bool = false,
        _ kernel: inout Machine
    ) throws(ConnectionFailure) -> APNsConnection {
        let tls = try session(dialer.endpoint)
        let socket: SocketID
        do throws(KernelError) {
            socket = try kernel.connect(to: address, token: token)
        } catch {
            throw ConnectionFailure(error)
        }
        kernel.limitSilence(socket, to: dialer.settings.acknowledgementTimeout)
        return APNsConnection(
            dialer, address, socket, tls, at: kernel.now, isOnTrial: isOnTrial)
    }

    /// A TLS session whose first message is ready to be sent.
    private static func session(_ endpoint: APNsEndpoint) throws(ConnectionFailure) -> TLSSession {
        do throws(TLSError) {
            var tls = try TLSSession(client: endpoint.trust, hostName: endpoint.host)
            try tls.start()
            return tls
        } catch {
            throw ConnectionFailure(error)
        }
    }

    /// Moves on to a later phase, which must be over by `deadline`: the only function that changes
    /// the phase.
    mutating func enter(_ next: Phase, until deadline: Instant? = nil) {
        precondition(next.rawValue > phase.rawValue, "a connection only ever moves forward")
        phase = next
        phaseDeadline = deadline
    }

    /// If the peer leaves no room for a single request while none is open, it has as long to make
    /// room as a response may take.
    mutating func watchRoom(_ now: Instant) {
        guard phase == .ready else { return }
        if requests.count > 0 || http2.canSubmit(bodyBytes: Self.maxBody) {
            phaseDeadline = nil
        } else if phaseDeadline == nil {
            phaseDeadline = now + dialer.settings.requestTimeout
        }
    }

    private static var maxBody: Int { 5120 }

    /// APNs allows one stream until it has accepted a request with a provider token.
    var hasSucceeded: Bool { hasAccepted || dialer.isProved }

    /// How many requests may be open if the peer allows more: one until the first success.
    private var maxRequests: Int {
        guard hasSucceeded, !tokenUse.isRecovering else { return 1 }
        return min(slowStart.limit, dialer.settings.maxStreams)
    }

    /// How many requests may be open now, by the peer's limit and our own.
    var streamsAllowed: Int { min(maxRequests, http2.peerStreamLimit ?? 0) }

    /// Few stream IDs are left.
    var isNearStreamLimit: Bool { http2.streamsLeft < dialer.settings.minStreams }

    /// Ready, proven to be alive, and not pausing.
    private var isUsable: Bool {
        phase == .ready && !heartbeat.isInDoubt && !heartbeat.needsProof
            && tokenUse.pausedUntil == nil
    }

    /// There is a request for it, and nothing has come for a while: sends a PING, whose response
    /// makes it usable again.
    /// False when there is nothing to prove, or that has begun.
    mutating func prove(_ now: Instant) -> Bool {
        guard phase == .ready, heartbeat.needsProof, !heartbeat.isInDoubt else { return false }
        if let number = heartbeat.doubt(now) { http2.ping(number) }
        return true
    }

    /// True while it accepts a request, provided that HTTP/2 has room.
    func canSend(bodyBytes: Int) -> Bool {
        isUsable && requests.count < maxRequests && http2.canSubmit(bodyBytes: bodyBytes)
    }

    /// What keeps it from accepting a request, if it is in use and nothing else does.
    func limit(bodyBytes: Int) -> ConnectionLimit? {
        guard isUsable, hasSucceeded, !tokenUse.isRecovering, requests.count < slowStart.limit,
            !canSend(bodyBytes: bodyBytes)
        else { return nil }
        return requests.count < dialer.settings.maxStreams && http2.hasFreeStream
            ? .flowControl : .streams
    }

    /// When to send a PING to a peer that owes a response and is silent; never while the PING could
    /// not be written.
    var suspicion: Instant {
        guard let sentAt = requests.oldestSentAt, !heartbeat.isInDoubt, !isBlocked else {
            return .distantFuture
        }
        return max(sentAt, heartbeat.lastReceived) + dialer.settings.requestTimeout / 4
    }

    /// When to call ``expire(_:_:)`` next.
    var nextDeadline: Instant? {
        if hasMoreToRead { return .distantPast }
        var earliest = phaseDeadline ?? .distantFuture
        if let sentAt = requests.oldestSentAt {
            earliest = min(earliest, sentAt + dialer.settings.requestTimeout)
        }
        if phase == .ready {
            let end = tokenUse.pausedUntil ?? .distantFuture
            earliest = min(earliest, heartbeat.nextDeadline, suspicion, end)
        } else if phase == .draining, heartbeat.isInDoubt {
            earliest = min(earliest, heartbeat.nextDeadline)
        }
        return earliest == .distantFuture ? nil : earliest
    }

    /// Closes immediately: open requests are reported as not sent or in doubt.
    mutating func fail<Machine: Kernel & ~Copyable>(
        _ failure: ConnectionFailure, _ kernel: inout Machine, _ events: inout PoolEventQueue
    ) {
        guard phase != .closed else { return }
        let isExpected = phase == .draining && requests.count == 0
        blame = blame(for: failure.cause)
        abandonRequests(because: failure.message, kernel.now, &events)
        if phase == .connecting {
            refusal = named(failure)
        } else if !isExpected {
            report(failure, &events)
        }
        // TLS may have output, such as an alert that gives the reason.
        if !isBlocked, tunnel == nil { _ = try? sendOutput(&kernel) }
        kernel.close(socket)
        enter(.closed)
    }

    /// Only what happens before the handshake is complete says something about the address; through
    /// a proxy, only what happens before the proxy accepts the connection.
    private func blame(for cause: ConnectionFailure.Cause) -> AddressHistory.Blame {
        if dialer.endpoint.proxy != nil { return phase == .connecting ? .address : .route }
        return switch cause {
        // Each route has a certificate and trusted roots of its own.
        case .credential, .proxy, .certificate, .hostName, .resources: .route
        case .handshake where dialer.credential.kind == .certificate: .route
        case .silence: phase.rawValue < Phase.ready.rawValue ? .address : .route
        default: tls.isEstablished ? .route : .address
        }
    }

    /// Reports a failure, with host and address.
    func report(_ failure: ConnectionFailure, _ events: inout PoolEventQueue) {
        events.append(.failed(named(failure)))
    }

    /// The peer closed its side, perhaps before it sent anything that APNs would send.
    var closedByPeer: ConnectionFailure {
        let message = "the peer closed the connection"
        return phase.rawValue < Phase.ready.rawValue
            ? ConnectionFailure("\(message) before it spoke HTTP/2", .notAPNs)
            : ConnectionFailure(message)
    }

    private func named(_ failure: ConnectionFailure) -> ConnectionFailure {
        failure.of(dialer.name(at: address))
    }

    /// Reports every open request as not sent or in doubt.
    mutating func abandonRequests(
        because message: String, _ now: Instant, _ events: inout PoolEventQueue
    ) {
        // What HTTP/2 has learned about a request takes precedence over its being open.
        if http2.hasEvents { handleEvents(now, &events) }
        http2.abandon { number, wasSent in
            guard let tag = requests.close(number) else { return }
            events.append(wasSent ? .inDoubt(tag: tag, reason: message) : .notSent(tag: tag))
        }
    }
}
