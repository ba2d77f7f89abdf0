internal import COpenSSL

/// Where the sessions of one connection go; OpenSSL's callback finds it through the connection.
final class SessionKeeper {
    let store: SessionStore
    let host: String

    init(_ store: SessionStore, host: String) {
        self.store = store
        self.host = host
    }
}

/// Takes a session that a server offers for resumption, and its reference with it.
func keepSession(_ connection: OpaquePointer?, _ session: OpaquePointer?) -> Int32 {
    guard let connection = unsafe connection, let session = unsafe session,
        let data = unsafe apns_ssl_data(connection)
    else { return 0 }
    let keeper = unsafe Unmanaged<SessionKeeper>.fromOpaque(data).takeUnretainedValue()
    keeper.store.save(unsafe SavedSession(host: keeper.host, owning: session))
    return 1
}
