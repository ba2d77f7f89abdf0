internal import Synchronization

/// The sessions that a client's context could resume: the newest ones, by host name.
///
/// It belongs to one context, and so to one set of trusted roots and one client certificate: no
/// session is ever resumed with others.
final class SessionStore: Sendable {
    /// The limit for all hosts together; beyond it the oldest session is removed.
    static let capacity = 64
    private let saved = Mutex<[SavedSession]>([])

    /// The number of saved sessions.
    var count: Int { saved.withLock { $0.count } }

    /// Saves a session.
    func save(_ session: SavedSession) {
        saved.withLock { saved in
            if saved.count == Self.capacity { saved.removeFirst() }
            saved.append(session)
        }
    }

    /// The newest session for a host. A TLS 1.3 session is returned only once, so that observers
    /// cannot link connections (RFC 8446, C.4); an older one stays.
    func take(_ host: String) -> SavedSession? {
        saved.withLock { saved in
            saved.removeAll { !$0.isResumable }
            guard let index = saved.lastIndex(where: { $0.host == host }) else { return nil }
            return saved[index].isForOnce ? saved.remove(at: index) : saved[index]
        }
    }

    /// Removes the sessions for a host.
    func forget(_ host: String) {
        saved.withLock { $0.removeAll { $0.host == host } }
    }
}
