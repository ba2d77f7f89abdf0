internal import CMicroHTTPD
internal import Synchronization

/// The requests whose responses take a while; libmicrohttpd suspends their connections meanwhile,
/// so that its thread serves others.
final class DeferredReplies: Sendable {
    /// A suspended connection.
    ///
    /// libmicrohttpd keeps it valid until it is resumed, which any thread may do; that happens
    /// once, by whoever removes it from the list.
    @safe private struct Suspended: @unchecked Sendable {
        let connection: OpaquePointer

        func resume() { unsafe MHD_resume_connection(connection) }
    }

    private struct State {
        var suspended: [ObjectIdentifier: (connection: Suspended, exchange: AdminExchange)] = [:]
        var isStopping = false
    }

    private let state = Mutex(State())

    /// Suspends the connection of an exchange, on the daemon's thread, until `work` has its
    /// response; false when the server is stopping.
    func await(
        _ exchange: AdminExchange, on connection: OpaquePointer,
        _ work: @escaping @Sendable () async -> AdminResponse
    ) -> Bool {
        let suspended = unsafe Suspended(connection: connection)
        let mayStart = state.withLock { state in
            guard !state.isStopping else { return false }
            unsafe MHD_suspend_connection(suspended.connection)
            state.suspended[ObjectIdentifier(exchange)] = (suspended, exchange)
            return true
        }
        guard mayStart else { return false }
        Task { [exchange] in self.end(exchange, with: await work()) }
        return true
    }

    private func end(_ exchange: AdminExchange, with response: AdminResponse) {
        let entry = state.withLock { $0.suspended.removeValue(forKey: ObjectIdentifier(exchange)) }
        guard let entry else { return }
        exchange.reply.withLock { $0 = response }
        entry.connection.resume()
    }

    /// Ends every wait, before the daemon stops: it must not have suspended connections then.
    func stop() {
        let entries = state.withLock { state in
            state.isStopping = true
            defer { state.suspended = [:] }
            return Array(state.suspended.values)
        }
        for entry in entries {
            entry.exchange.reply.withLock { $0 = AdminDesk.stopping }
            entry.connection.resume()
        }
    }
}
