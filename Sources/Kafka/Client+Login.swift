internal import CRDKafka
internal import Delivery
internal import Synchronization

/// How clients log in with tokens.
extension ClientConfiguration {
    /// Lets the library ask for tokens on its own background thread.
    func askForTokens() {
        unsafe rd_kafka_conf_set_oauthbearer_token_refresh_cb(pointer, tokenNeeded)
        unsafe rd_kafka_conf_enable_sasl_queue(pointer, 1)
    }
}

extension Client {
    /// Begins to log in with these tokens.
    func begin(_ tokens: LoginTokens, _ operation: String) throws(KafkaFailure) {
        TokenClients.add(self)
        if let error = unsafe rd_kafka_sasl_background_callbacks_enable(pointer) {
            throw unsafe KafkaFailure(consuming: error, operation)
        }
        tokens.add(self)
    }

    /// Uses a token from now on; returns what the library finds wrong with it.
    @discardableResult
    func setToken(_ token: LoginToken) -> String? {
        unsafe whileOpen { client in
            let reason = Message()
            let extensions = token.extensions.flatMap { [$0.name, $0.value] }
            let error = unsafe withCStrings(extensions) { pairs in
                unsafe rd_kafka_oauthbearer_set_token(
                    client, token.value, token.expires, "apns-bridge",
                    pairs.baseAddress, extensions.count, reason.start, reason.size)
            }
            return error == RD_KAFKA_RESP_ERR_NO_ERROR ? nil : reason.text
        }
    }

    /// Reports why there is no token.
    func setTokenFailure(_ reason: String) {
        _ = unsafe whileOpen { client in
            unsafe rd_kafka_oauthbearer_set_token_failure(client, reason)
            return nil
        }
    }
}

/// The clients that log in with tokens: the library names them by their pointers.
enum TokenClients {
    private struct Entry {
        weak var client: Client?
    }

    private static let known = Mutex<[UInt: Entry]>([:])

    static func add(_ client: Client) {
        let number = unsafe UInt(bitPattern: client.pointer)
        known.withLock { $0[number] = Entry(client: client) }
    }

    static func remove(_ client: Client) {
        let number = unsafe UInt(bitPattern: client.pointer)
        _ = known.withLock { $0.removeValue(forKey: number) }
    }

    static func client(_ pointer: OpaquePointer?) -> Client? {
        let number = UInt(bitPattern: pointer)
        return known.withLock { $0[number]?.client }
    }
}

/// Called by the library on its background thread.
private func tokenNeeded(
    _ client: OpaquePointer?, _ configuration: UnsafePointer<CChar>?,
    _ opaque: UnsafeMutableRawPointer?
) {
    guard let client = unsafe TokenClients.client(client) else { return }
    client.tokens?.needsToken(client)
}
