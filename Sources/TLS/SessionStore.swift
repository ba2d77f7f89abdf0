internal import Synchronization

/// The sessions that a client's context could resume: the newest ones, by host name.
///
/// It belongs to one context, and so to one set of trusted roots and one client certificate: no
/// session is ever resumed under others.
final class SessionStore: Sendable {
    /// Sessions of all hosts together; past that the oldest goes.
    static let capacity = 64
    private let saved = Mutex<[SavedSession]>([])

    /// How many sessions are kept.
    var count: Int { saved.withLock { $0.count } }

    /// Keeps a session.
    func save(_ session: SavedSession) {
        saved.withLock { saved in
            if saved.count == Self.capacity { saved.removeFirst() }
            saved.append(session)
        }
    }

    /// The newest session with a host. One of TLS 1.3 is given once, so that nobody who watches
    /// can tell which connections belong together (RFC 8446, C.4); an older one stays.
    func take(_ host: String) -> SavedSession? {
        saved.withLock { saved in
            saved.removeAll { !$0.isResumable }
            guard let index = saved.lastIndex(where: { $0.host == host }) else { return nil }
            return saved[index].isForOnce ? saved.remove(at: index) : saved[index]
        }
    }

    /// Forgets the sessions with a host.
    func forget(_ host: String) {
        saved.withLock { $0.removeAll { $0.host == host } }
    }
}
