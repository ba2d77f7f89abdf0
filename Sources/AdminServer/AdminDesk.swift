/// What a server's callbacks work with.
final class AdminDesk: Sendable {
    let router: AdminRouter
    let bodyLimit: Int
    let clients: ClientList

    init(router: AdminRouter, settings: AdminSettings) {
        self.router = router
        bodyLimit = settings.bodyLimit
        // The rest is for those that are dropped and not closed yet.
        clients = ClientList(limit: settings.connectionLimit * 3 / 4)
    }

    /// The refusal of a body that is too long.
    var tooLong: AdminResponse {
        .refusal(413, "the body is too long", "send at most \(bodyLimit) bytes")
    }
}

/// A request on its way in; it belongs to the daemon's thread.
final class AdminExchange {
    var body: [UInt8] = []
    /// How many bytes of body came, those included that nobody kept.
    var received = 0
}
