internal import EventLoop

/// What became of the connections to each address: one for a worker, so that all its connections
/// together leave an address in peace that has just refused or dropped one of them.
final class AddressHistory {
    private struct Entry {
        var backoff: Backoff
        /// Nothing is dialled before this.
        var notBefore: UInt64
        var failedAt: UInt64 = 0
    }

    /// Addresses come and go; past so many the ones that are free again are forgotten.
    private static let capacity = 256
    private var entries: [SocketAddress: Entry] = [:]

    /// How many addresses something is known against.
    var count: Int { entries.count }

    /// When an address may be dialled again; 0 for one that nothing is known against.
    func opening(of address: SocketAddress) -> UInt64 { entries[address]?.notBefore ?? 0 }

    /// An address is dialled: while something is known against it, by one connection at a time.
    func dialled(_ address: SocketAddress, _ now: UInt64, _ settings: PoolSettings) {
        guard let entry = entries[address] else { return }
        entries[address]?.notBefore = max(entry.notBefore, now + settings.shortestBackoff)
    }

    /// An address refused or dropped a connection that was dialled at a time: several of them that
    /// were on their way together count once.
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

    /// A connection to an address may be used: others may follow at once.
    func ready(_ address: SocketAddress) { entries[address]?.notBefore = 0 }

    /// A connection to an address has lived well: nothing is known against it any more.
    func succeeded(_ address: SocketAddress) { entries[address] = nil }
}
