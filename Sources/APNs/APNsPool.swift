public import Delivery
public import EventLoop
internal import HTTP2

/// One worker's connections to one endpoint with one credential.
///
/// The pool neither waits nor queues: a request that no connection can accept right now is refused,
/// and stays with the owner. After its kernel wakes up, the owner passes on the wake-ups and the
/// time, takes events until there are none, sends, and flushes at the end of its turn. Full TLS
/// records are written as soon as they are there.
public struct APNsPool: ~Copyable {
    let settings: PoolSettings
    var dialer: Dialer
    let history: AddressHistory
    let firstToken: UInt64
    /// What connections were made from before the credential changed, until the new one is
    /// accepted.
    var proved: Dialer?
    /// The version of the credential offered last.
    var latestVersion = CredentialVersion.first
    var keepers: [ConnectionKeeper] = []
    var events = PoolEventQueue()
    var nextConnectionKeeper = 0
    var demand = ConnectionDemand()
    var isDraining = false
    /// When a connection was last opened for the probes of a suspended app.
    var openedForProbesAt: Instant?
    /// APNs has refused the credential again, too soon after connections were opened.
    var mustReplaceConnections = false
    /// Connections opened before this moment are to retire.
    var retiredBefore = Instant.distantPast
    /// When there is something to do again, if nothing happens before; nil until the next flush
    /// finds nothing to do.
    var quietUntil: Instant?

    /// The number of wake-up tokens reserved for a pool.
    public static var tokenCount: UInt64 { 1 << 16 }

    /// Creates a pool without opening any connection.
    ///
    /// It owns ``tokenCount`` wake-up tokens, starting with `firstToken`.
    public init(_ route: APNsRoute, firstToken: UInt64) {
        self.init(route, firstToken: firstToken, history: AddressHistory())
    }

    /// A pool that shares its knowledge of addresses with the worker's other pools.
    init(_ route: APNsRoute, firstToken: UInt64, history: AddressHistory) {
        settings = route.settings
        self.firstToken = firstToken
        self.history = AddressHistory(within: history)
        dialer = Dialer(
            endpoint: route.endpoint, credential: route.credential, settings: route.settings)
    }

    /// Creates a pool that uses the provider tokens of a key.
    public init(
        endpoint: APNsEndpoint, tokens: ProviderTokens, settings: PoolSettings, firstToken: UInt64
    ) {
        let route = APNsRoute(endpoint: endpoint, tokens: tokens, settings: settings)
        self.init(route, firstToken: firstToken)
    }

    /// Starts to open the connections: the first immediately, the others staggered.
    public mutating func start<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        let rotation = Int(truncatingIfNeeded: kernel.random() >> 1)
        for index in 0..<settings.connections.lowerBound {
            addKeeper(opensAt: kernel.now + dialer.stagger * index, rotation: rotation &+ index)
        }
        demand.changed(kernel.now)
        expire(&kernel)
    }

    mutating func addKeeper(opensAt: Instant, rotation: Int) {
        keepers.append(
            ConnectionKeeper(
                dialer, history, token: firstToken + UInt64(keepers.count),
                tokenStep: UInt64(settings.connections.upperBound), opensAt: opensAt,
                rotation: rotation))
    }

    /// Handles a wake-up of one of the pool's tokens; ignores any other.
    public mutating func wake<Machine: Kernel & ~Copyable>(
        _ wakeup: Wakeup, _ kernel: inout Machine
    ) {
        guard wakeup.token >= firstToken, wakeup.token - firstToken < Self.tokenCount else {
            return
        }
        let index = Int(wakeup.token - firstToken) % settings.connections.upperBound
        guard index < keepers.count else { return }
        quietUntil = nil
        keepers[index].wake(wakeup, &kernel, &events)
    }

    /// Handles everything that is due: timeouts, connections to open.
    public mutating func expire<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        guard let deadline = nextDeadline, deadline <= kernel.now else { return }
        quietUntil = nil
        for index in keepers.indices {
            keepers[index].expire(&kernel, &events)
        }
    }

    /// When to call ``expire(_:)`` next; nil when nothing is scheduled.
    public var nextDeadline: Instant? {
        let earliest = quietUntil ?? earliestDeadline
        return earliest == .distantFuture ? nil : earliest
    }

    private var earliestDeadline: Instant {
        var earliest = closesOneAt ?? .distantFuture
        for index in keepers.indices {
            // A call would copy the keeper.
            let deadline = keepers[index].quietUntil ?? keepers[index].earliestDeadline
            earliest = min(earliest, deadline)
        }
        return earliest
    }

    /// Writes the rest of the output; call it at the end of a turn.
    public mutating func flush<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        guard quietUntil == nil else { return }
        for index in keepers.indices {
            keepers[index].flush(&kernel, &events)
        }
        settleRenewal(&kernel)
        resize(&kernel)
        for index in keepers.indices where keepers[index].quietUntil == nil { return }
        quietUntil = earliestDeadline
    }

    /// The next event that the owner has not taken.
    public mutating func nextEvent() -> PoolEvent? { events.take() }

    /// The next event if it is an accepted request without further details; any other event stays
    /// for ``nextEvent()``.
    public mutating func nextAccepted() -> (tag: UInt64, credential: CredentialVersion)? {
        events.takeAccepted()
    }

    /// The number of requests that have not finished.
    public var openRequests: Int {
        keepers.reduce(0) { $0 + $1.openRequests }
    }

    /// The number of connections ready for requests.
    public var readyConnections: Int {
        keepers.count { $0.isReady }
    }

    /// The number of connections that are ready, or are to be.
    public var connections: Int { keepers.count }

    /// How many requests its connections may have open now.
    public var streamsAllowed: Int {
        keepers.reduce(0) { $0 + $1.streamsAllowed }
    }
}
