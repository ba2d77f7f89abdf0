internal import CRDKafka
internal import Synchronization

/// The token that all clients of one login use: those that exist get a new one at once, and those
/// that are created get the current one.
///
/// It fetches nothing itself: `onDemand` is called when a client has none, or when a broker has
/// rejected the login.
public final class LoginTokens: Sendable {
    /// Why a token is wanted.
    public enum Demand: Sendable {
        /// A client has been created, or its token comes to its end.
        case needed
        /// A broker has rejected the login.
        case rejected
    }

    /// The message of a failure that passes by itself: the source of tokens is unavailable.
    public static let unavailableMessage = "no login token at the moment"

    private struct Entry {
        weak var client: Client?
    }

    private struct State {
        var clients: [Entry] = []
        var latest: Result<LoginToken, Failure>?
    }

    private struct Failure: Error {
        var reason: String
    }

    private let state = Mutex(State())
    private let onDemand: @Sendable (Demand) -> Void

    /// Creates the login of clients that do not exist yet.
    public init(onDemand: @escaping @Sendable (Demand) -> Void) { self.onDemand = onDemand }

    /// True while a client uses them.
    public var isUsed: Bool {
        state.withLock { $0.clients.contains { $0.client != nil } }
    }

    /// Gives a new token to all clients; returns what the library finds wrong with it.
    @discardableResult
    public func renew(_ token: LoginToken) -> String? {
        var problem: String?
        for client in clients(with: .success(token)) {
            if let found = client.setToken(token) { problem = found }
        }
        return problem
    }

    /// Reports to all clients why there is no token.
    public func fail(_ reason: String) {
        for client in clients(with: .failure(Failure(reason: reason))) {
            client.setTokenFailure(reason)
        }
    }

    private func clients(with latest: Result<LoginToken, Failure>) -> [Client] {
        state.withLock { state in
            state.latest = latest
            state.clients.removeAll { $0.client == nil }
            return state.clients.compactMap(\.client)
        }
    }

    func add(_ client: Client) {
        state.withLock { state in
            state.clients.removeAll { $0.client == nil }
            state.clients.append(Entry(client: client))
        }
        needsToken(client)
    }

    func remove(_ client: Client) {
        state.withLock { $0.clients.removeAll { $0.client == nil || $0.client === client } }
    }

    /// A client has no token, or its token comes to its end.
    func needsToken(_ client: Client) {
        let latest = state.withLock { $0.latest }
        if case .success(let token)? = latest { client.setToken(token) }
        onDemand(.needed)
    }

    func wasRejected() { onDemand(.rejected) }
}
