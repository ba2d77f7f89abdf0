public import EventLoop
internal import HTTP2

/// The connections of one worker to one endpoint with one credential.
///
/// The pool waits for nothing and queues nothing: what no connection can take right now is
/// refused, and the owner keeps it. After its own kernel has woken, the owner hands over the
/// wake-ups and the time, sends, flushes once, and takes the events until there are none.
public struct APNsPool: ~Copyable {
    let settings: PoolSettings
    var dialer: Dialer
    let history: AddressHistory
    let firstToken: UInt64
    /// What connections were made from before the credential was changed, until the new one has
    /// proved itself.
    var proved: Dialer?
    /// The latest that was offered.
    var latestVersion = CredentialVersion.first
    var keepers: [ConnectionKeeper] = []
    var events = EventQueue()
    var nextConnectionKeeper = 0
    var isDraining = false

    /// How many wake-up tokens belong to a pool.
    public static var tokenCount: UInt64 { 1 << 16 }

    /// A pool that has not opened anything yet.
    ///
    /// The ``tokenCount`` wake-up tokens from `firstToken` on belong to it.
    public init(_ route: APNsRoute, firstToken: UInt64) {
        self.init(route, firstToken: firstToken, history: AddressHistory())
    }

    /// A pool that shares what it learns of addresses with the worker's other ones.
    init(_ route: APNsRoute, firstToken: UInt64, history: AddressHistory) {
        settings = route.settings
        self.firstToken = firstToken
        self.history = history
        dialer = Dialer(
            endpoint: route.endpoint, credential: route.credential, settings: route.settings)
    }

    /// A pool for the provider tokens of a key.
    public init(
        endpoint: APNsEndpoint, tokens: ProviderTokens, settings: PoolSettings, firstToken: UInt64
    ) {
        let route = APNsRoute(endpoint: endpoint, tokens: tokens, settings: settings)
        self.init(route, firstToken: firstToken)
    }

    /// Starts to open the connections: the first at once, the others one after the other.
    public mutating func start<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        let rotation = Int(truncatingIfNeeded: kernel.random() >> 1)
        for index in 0..<settings.connections {
            keepers.append(
                ConnectionKeeper(
                    dialer, history, token: firstToken + UInt64(index),
                    tokenStep: UInt64(settings.connections),
                    opensAt: kernel.now + UInt64(index) * dialer.stagger,
                    rotation: rotation &+ index))
        }
        expire(&kernel)
    }

    /// Handles a wake-up of one of the pool's tokens; any other is ignored.
    public mutating func wake<Machine: Kernel & ~Copyable>(
        _ wakeup: Wakeup, _ kernel: inout Machine
    ) {
        guard wakeup.token >= firstToken, wakeup.token - firstToken < Self.tokenCount,
            !keepers.isEmpty
        else { return }
        let index = Int(wakeup.token - firstToken) % keepers.count
        keepers[index].wake(wakeup, &kernel, &events)
    }

    /// Handles everything that was due by now: timeouts, connections to open.
    public mutating func expire<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        guard let deadline = nextDeadline, deadline <= kernel.now else { return }
        for index in keepers.indices {
            keepers[index].expire(&kernel, &events)
        }
    }

    /// When ``expire(_:)`` is to be called next; nil when nothing is due ever.
    public var nextDeadline: UInt64? {
        var earliest: UInt64?
        for index in keepers.indices {
            if let deadline = keepers[index].nextDeadline {
                earliest = min(earliest ?? deadline, deadline)
            }
        }
        return earliest
    }

    /// Writes what there is to write, once for each connection; call it at the end of a turn.
    public mutating func flush<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        for index in keepers.indices {
            keepers[index].flush(&kernel, &events)
        }
        settleRenewal(&kernel)
    }

    /// The next thing that the owner has not heard of.
    public mutating func nextEvent() -> PoolEvent? { events.take() }

    /// The request that APNs accepted, if ``nextEvent()`` would tell of one with nothing more to
    /// say; anything else stays for that.
    public mutating func nextAccepted() -> (tag: UInt64, credential: CredentialVersion)? {
        events.takeAccepted()
    }

    /// The requests that have not ended.
    public var openRequests: Int {
        keepers.reduce(0) { $0 + $1.openRequests }
    }

    /// How many connections may be used.
    public var readyConnections: Int {
        keepers.count { $0.isReady }
    }
}
