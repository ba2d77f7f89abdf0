internal import Synchronization

/// The state that a server's callbacks use.
final class AdminController: Sendable {
    let router: AdminRouter
    let bodyLimit: Int
    let clients: ClientList
    let deferred = DeferredReplies()

    init(router: AdminRouter, settings: AdminSettings) {
        self.router = router
        bodyLimit = settings.bodyLimit
        // The remaining ones are for clients that were dropped but are not closed yet.
        clients = ClientList(limit: settings.connectionLimit * 3 / 4)
    }

    /// The response to a body that is too long.
    var tooLong: AdminResponse {
        .refusal(413, "the body is too long", "send at most \(bodyLimit) bytes")
    }

    /// The response to a request that is not finished when the server stops.
    static var stopping: AdminResponse {
        .refusal(503, "the process is stopping", "send the request again when it runs")
    }
}

/// A request being received. Its body belongs to the daemon's thread.
final class AdminExchange: Sendable {
    private struct Body {
        var bytes: [UInt8] = []
        var received = 0
    }

    /// The length of the request's target as it was received, up to a zero byte.
    let targetLength: Int
    private let parts = Mutex(Body())
    private let isBegun = Atomic(false)
    /// The response to a request that took a while; nil until it is there.
    let reply = Mutex<AdminResponse?>(nil)

    init(targetLength: Int) { self.targetLength = targetLength }

    /// True at the first call.
    func begin() -> Bool { !isBegun.exchange(true, ordering: .relaxed) }

    /// The body, as far as it was received and kept.
    var body: [UInt8] { parts.withLock { $0.bytes } }
    /// The number of bytes received of the body, including discarded ones.
    var received: Int { parts.withLock { $0.received } }

    /// Receives a part of the body; a body above the limit is discarded.
    func take(_ count: Int, limit: Int, _ append: (inout [UInt8]) -> Void) {
        parts.withLock { parts in
            parts.received += count
            if parts.received <= limit { append(&parts.bytes) } else { parts.bytes = [] }
        }
    }
}
