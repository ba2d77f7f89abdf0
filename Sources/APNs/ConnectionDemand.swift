internal import Delivery

/// Notices when a pool's connections are what limits its rate, and when that has not been so for
/// long.
struct ConnectionDemand {
    /// What refused the last request; nil while nothing has.
    private(set) var limit: ConnectionLimit?
    /// Since when no second has passed without a refused request.
    private var boundSince = Instant.distantPast
    private var lastRefusal = Instant.distantPast
    /// When a refusal last proved that all connections are needed.
    private var neededAt = Instant.distantPast

    /// A request was refused by all connections, which were limited by nothing else.
    mutating func refused(by limit: ConnectionLimit, _ now: Instant) {
        if now - lastRefusal > .seconds(1) { boundSince = now }
        self.limit = limit
        lastRefusal = now
        neededAt = now
    }

    /// The limit that refused a request within the last second; nil for none.
    func limit(_ now: Instant) -> ConnectionLimit? {
        now - lastRefusal > .seconds(1) ? nil : limit
    }

    /// True when requests have been refused in every second for this long, and as long since the
    /// last change.
    func wantsMore(_ now: Instant, for time: Duration) -> Bool {
        limit(now) != nil && now - boundSince >= time
    }

    /// When no request will have been refused for this long.
    func wantsFewer(after time: Duration) -> Instant { neededAt + time }

    /// The number of connections has changed: its effect is awaited.
    mutating func changed(_ now: Instant) {
        boundSince = now
        neededAt = now
    }
}

/// What keeps all connections of a pool from accepting another request.
public enum ConnectionLimit: String, CaseIterable, Sendable {
    /// As many requests are open as APNs, or `max_streams`, allows.
    case streams
    /// The connections' windows for request bodies, or their sockets, are full.
    case flowControl = "flow_control"
}
