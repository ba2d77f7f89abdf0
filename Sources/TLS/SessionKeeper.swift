internal import COpenSSL

/// Receives the sessions of one connection; OpenSSL's callback finds it through the connection.
final class SessionKeeper {
    let store: SessionStore
    let host: String

    init(_ store: SessionStore, host: String) {
        self.store = store
        self.host = host
    }
}

/// Takes ownership of a session that a server offers for resumption.
func keepSession(_ connection: OpaquePointer?, _ session: OpaquePointer?) -> Int32 {
    guard let connection = unsafe connection, let session = unsafe session,
        let data = unsafe apns_ssl_data(connection)
    else { return 0 }
    let keeper = unsafe Unmanaged<SessionKeeper>.fromOpaque(data).takeUnretainedValue()
    keeper.store.save(unsafe SavedSession(host: keeper.host, owning: session))
    return 1
}
