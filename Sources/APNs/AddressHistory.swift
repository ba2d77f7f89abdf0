internal import Delivery
internal import EventLoop

/// The recent failures of each address, so that no connection dials one that has just refused or
/// dropped another.
///
/// Each route has a history of its own, within one that all routes of the worker share: what says
/// something about the address concerns them all, what a credential or a proxy refuses only the
/// route.
final class AddressHistory {
    private struct Entry {
        var backoff: Backoff
        /// The earliest time to dial again.
        var notBefore: Instant
        var failedAt = Instant.distantPast
    }

    /// What a failure says something about.
    enum Blame {
        /// The address, whoever dials it.
        case address
        /// This route at this address.
        case route
    }

    /// Addresses come and go; beyond this many, those that may be dialled again are removed.
    private static let capacity = 256
    private var entries: [SocketAddress: Entry] = [:]
    /// The history that the worker's routes share; nil for that one.
    private let shared: AddressHistory?

    init(within shared: AddressHistory? = nil) { self.shared = shared }

    /// How many addresses have failures recorded.
    var count: Int { entries.count }

    /// When an address may be dialled again; at any time without recorded failures.
    func opening(of address: SocketAddress) -> Instant {
        let own = entries[address]?.notBefore ?? .distantPast
        return max(own, shared?.opening(of: address) ?? .distantPast)
    }

    /// An address is being dialled: while failures are recorded, by one connection at a time.
    func dialled(_ address: SocketAddress, _ now: Instant, _ settings: PoolSettings) {
        shared?.dialled(address, now, settings)
        guard let entry = entries[address] else { return }
        entries[address]?.notBefore = max(entry.notBefore, now + settings.minBackoff)
    }

    /// An address refused or dropped a connection dialled at `dialledAt`; concurrent attempts that
    /// fail together count once.
    func failed(
        _ address: SocketAddress, blaming blame: Blame = .address, dialledAt: Instant,
        _ now: Instant, chance: UInt64, _ settings: PoolSettings
    ) {
        if case .address = blame, let shared {
            return shared.failed(
                address, dialledAt: dialledAt, now, chance: chance, settings)
        }
        let fresh = Backoff(minimum: settings.minBackoff, maximum: settings.maxBackoff)
        var entry = entries[address] ?? Entry(backoff: fresh, notBefore: .distantPast)
        guard entry.backoff.failures == 0 || entry.failedAt < dialledAt else { return }
        entry.notBefore = now + entry.backoff.failed(chance: chance)
        entry.failedAt = now
        entries[address] = entry
        guard entries.count > Self.capacity else { return }
        entries = entries.filter { $0.value.notBefore > now }
    }

    /// A connection to an address is ready: others may follow immediately.
    func ready(_ address: SocketAddress) {
        entries[address]?.notBefore = .distantPast
        shared?.ready(address)
    }

    /// A connection to an address lasted long enough: its failures are cleared.
    func succeeded(_ address: SocketAddress) {
        entries[address] = nil
        shared?.succeeded(address)
    }
}
