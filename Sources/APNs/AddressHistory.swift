internal import EventLoop

/// The recent failures of each address, one history per worker, so that none of its connections
/// dials an address that has just refused or dropped another.
final class AddressHistory {
    private struct Entry {
        var backoff: Backoff
        /// The earliest time to dial again.
        var notBefore: UInt64
        var failedAt: UInt64 = 0
    }

    /// Addresses come and go; beyond this many, those that may be dialled again are removed.
    private static let capacity = 256
    private var entries: [SocketAddress: Entry] = [:]

    /// How many addresses have failures recorded.
    var count: Int { entries.count }

    /// When an address may be dialled again; 0 without recorded failures.
    func opening(of address: SocketAddress) -> UInt64 { entries[address]?.notBefore ?? 0 }

    /// An address is being dialled: while failures are recorded, by one connection at a time.
    func dialled(_ address: SocketAddress, _ now: UInt64, _ settings: PoolSettings) {
        guard let entry = entries[address] else { return }
        entries[address]?.notBefore = max(entry.notBefore, now + settings.shortestBackoff)
    }

    /// An address refused or dropped a connection dialled at `dialledAt`; concurrent attempts that
    /// fail together count once.
    func failed(
        _ address: SocketAddress, dialledAt: UInt64, _ now: UInt64, chance: UInt64,
        _ settings: PoolSettings
    ) {
        let fresh = Backoff(shortest: settings.shortestBackoff, longest: settings.longestBackoff)
        var entry = entries[address] ?? Entry(backoff: fresh, notBefore: 0)
        guard entry.backoff.failures == 0 || entry.failedAt < dialledAt else { return }
        entry.notBefore = now + entry.backoff.failed(chance: chance)
        entry.failedAt = now
        entries[address] = entry
        guard entries.count > Self.capacity else { return }
        entries = entries.filter { $0.value.notBefore > now }
    }

    /// A connection to an address is ready: others may follow immediately.
    func ready(_ address: SocketAddress) { entries[address]?.notBefore = 0 }

    /// A connection to an address lasted long enough: its failures are cleared.
    func succeeded(_ address: SocketAddress) { entries[address] = nil }
}
