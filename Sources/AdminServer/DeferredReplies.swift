internal import CMicroHTTPD
internal import Synchronization

/// The requests whose responses take a while; libmicrohttpd suspends their connections meanwhile,
/// so that its thread serves others.
final class DeferredReplies: Sendable {
    /// A suspended connection.
    ///
    /// libmicrohttpd keeps it valid until it is resumed, which any thread may do; that happens
    /// once, by whoever removes it from the list.
    @safe struct Suspended: @unchecked Sendable {
        let connection: OpaquePointer
    }

    /// What it calls of libmicrohttpd; tests replace it.
    struct Library: Sendable {
        var suspend: @Sendable (Suspended) -> Void = {
            unsafe MHD_suspend_connection($0.connection)
        }
        var resume: @Sendable (Suspended) -> Void = {
            unsafe MHD_resume_connection($0.connection)
        }
    }

    private struct State {
        var suspended: [ObjectIdentifier: (connection: Suspended, exchange: AdminExchange)] = [:]
        var isStopping = false
    }

    /// Connections are resumed under the lock: libmicrohttpd aborts if the daemon is stopped while
    /// one is suspended. It does not call back here from within its functions.
    private let state = Mutex(State())
    private let library: Library

    init(library: Library = Library()) { self.library = library }

    /// Suspends the connection of an exchange, on the daemon's thread, until `work` has its
    /// response; false when the server is stopping.
    func await(
        _ exchange: AdminExchange, on connection: OpaquePointer,
        _ work: @escaping @Sendable () async -> AdminResponse
    ) -> Bool {
        let suspended = unsafe Suspended(connection: connection)
        let mayStart = state.withLock { state in
            guard !state.isStopping else { return false }
            library.suspend(suspended)
            state.suspended[ObjectIdentifier(exchange)] = (suspended, exchange)
            return true
        }
        guard mayStart else { return false }
        Task { [exchange] in self.end(exchange, with: await work()) }
        return true
    }

    private func end(_ exchange: AdminExchange, with response: AdminResponse) {
        state.withLock { state in
            guard let entry = state.suspended.removeValue(forKey: ObjectIdentifier(exchange))
            else { return }
            resume(entry.connection, of: exchange, with: response)
        }
    }

    private func resume(
        _ connection: Suspended, of exchange: AdminExchange, with response: AdminResponse
    ) {
        exchange.reply.withLock { $0 = response }
        library.resume(connection)
    }

    /// Ends every wait, before the daemon stops: it must not have suspended connections then.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            for entry in state.suspended.values {
                resume(entry.connection, of: entry.exchange, with: AdminController.stopping)
            }
            state.suspended = [:]
        }
    }
}
