internal import Delivery
internal import EventLoop

/// The recent failures of each address, one history per worker, so that none of its connections
/// dials an address that has just refused or dropped another.
final class AddressHistory {
    private struct Entry {
        var backoff: Backoff
        /// The earliest time to dial again.
        var notBefore: Instant
        var failedAt = Instant.distantPast
    }

    /// Addresses come and go; beyond this many, those that may be dialled again are removed.
    private static let capacity = 256
    private var entries: [SocketAddress: Entry] = [:]

    /// How many addresses have failures recorded.
    var count: Int { entries.count }

    /// When an address may be dialled again; at any time without recorded failures.
    func opening(of address: SocketAddress) -> Instant {
        entries[address]?.notBefore ?? .distantPast
    }

    /// An address is being dialled: while failures are recorded, by one connection at a time.
    func dialled(_ address: SocketAddress, _ now: Instant, _ settings: PoolSettings) {
        guard let entry = entries[address] else { return }
        entries[address]?.notBefore = max(entry.notBefore, now + settings.shortestBackoff)
    }

    /// An address refused or dropped a connection dialled at `dialledAt`; concurrent attempts that
    /// fail together count once.
    func failed(
        _ address: SocketAddress, dialledAt: Instant, _ now: Instant, chance: UInt64,
        _ settings: PoolSettings
    ) {
        let fresh = Backoff(shortest: settings.shortestBackoff, longest: settings.longestBackoff)
        var entry = entries[address] ?? Entry(backoff: fresh, notBefore: .distantPast)
        guard entry.backoff.failures == 0 || entry.failedAt < dialledAt else { return }
        entry.notBefore = now + entry.backoff.failed(chance: chance)
        entry.failedAt = now
        entries[address] = entry
        guard entries.count > Self.capacity else { return }
        entries = entries.filter { $0.value.notBefore > now }
    }

    /// A connection to an address is ready: others may follow immediately.
    func ready(_ address: SocketAddress) { entries[address]?.notBefore = .distantPast }

    /// A connection to an address lasted long enough: its failures are cleared.
    func succeeded(_ address: SocketAddress) { entries[address] = nil }
}
