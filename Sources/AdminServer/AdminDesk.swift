/// The state that a server's callbacks use.
final class AdminDesk: Sendable {
    let router: AdminRouter
    let bodyLimit: Int
    let clients: ClientList

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
}

/// A request being received; it belongs to the daemon's thread.
final class AdminExchange {
    var body: [UInt8] = []
    /// The number of bytes received of the body, including discarded ones.
    var received = 0
}
