internal import Delivery

/// The device tokens of an app that APNs has judged last, each once, however often it was pushed
/// to.
///
/// They are kept in the order of their last response. Those within a window of time are counted;
/// beyond ``capacity`` the one whose response is the oldest is forgotten. Tokens are known by their
/// hashes: two with the same hash count as one.
struct RecentTokens: Sendable {
    /// Counts device tokens.
    struct Count: Equatable, Sendable {
        var all = 0
        /// Those that are unregistered or suspect.
        var bad = 0

        var share: Double { all == 0 ? 0 : Double(bad) / Double(all) }

        mutating func note(isBad: Bool) {
            all += 1
            if isBad { bad += 1 }
        }

        mutating func remove(isBad: Bool) {
            all -= 1
            if isBad { bad -= 1 }
        }
    }

    private struct Entry {
        var token: UInt64
        var at: UInt64
        /// The neighbours in the order of responses; `none` at either end.
        var newer = RecentTokens.none
        var older = RecentTokens.none
        var isBad: Bool
        var isInWindow = true
    }

    private static let none: UInt32 = .max
    private static let firstSize = 128

    /// The most tokens that are kept.
    let capacity: Int
    /// In nanoseconds.
    private let window: UInt64
    private var entries: [Entry] = []
    /// Slots of `entries` by token, open-addressed.
    private var index: [UInt32] = []
    private var newest = RecentTokens.none
    private var oldest = RecentTokens.none
    /// The oldest entry within the window.
    private var oldestInWindow = RecentTokens.none
    /// The tokens within the window, as of the last response.
    private(set) var inWindow = Count()

    init(capacity: Int, window: Duration) {
        self.capacity = max(1, capacity)
        self.window = UInt64(max(.nanoseconds(1), window).nanoseconds)
    }

    /// The number of tokens that are kept.
    var count: Int { entries.count }

    /// Records a response about a token.
    mutating func note(_ token: UInt64, isBad: Bool, now: Instant) {
        if 2 * entries.count >= index.count { grow() }
        let bucket = bucket(of: token)
        let slot: UInt32
        if index[bucket] != Self.none {
            slot = index[bucket]
            unlink(slot)
        } else if entries.count < capacity {
            slot = UInt32(entries.count)
            entries.append(Entry(token: token, at: 0, isBad: isBad))
            index[bucket] = slot
        } else {
            slot = oldest
            unlink(slot)
            removeFromIndex(entries[Int(slot)].token)
            index[self.bucket(of: token)] = slot
        }
        entries[Int(slot)] = Entry(token: token, at: now.nanoseconds, isBad: isBad)
        link(slot)
        leaveWindow(now)
    }

    /// Counts the tokens of the latest responses, however long ago they came; fewer if not so many
    /// are known.
    func latest(_ maximum: Int) -> Count {
        var count = Count()
        var slot = newest
        while slot != Self.none, count.all < maximum {
            count.note(isBad: entries[Int(slot)].isBad)
            slot = entries[Int(slot)].older
        }
        return count
    }

    /// Forgets every token.
    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        for bucket in index.indices { index[bucket] = Self.none }
        (newest, oldest, oldestInWindow) = (Self.none, Self.none, Self.none)
        inWindow = Count()
    }

    // MARK: The order of responses

    private mutating func link(_ slot: UInt32) {
        entries[Int(slot)].older = newest
        if newest != Self.none { entries[Int(newest)].newer = slot }
        newest = slot
        if oldest == Self.none { oldest = slot }
        if oldestInWindow == Self.none { oldestInWindow = slot }
        inWindow.note(isBad: entries[Int(slot)].isBad)
    }

    private mutating func unlink(_ slot: UInt32) {
        let entry = entries[Int(slot)]
        if entry.isInWindow { inWindow.remove(isBad: entry.isBad) }
        if oldestInWindow == slot { oldestInWindow = entry.newer }
        if newest == slot { newest = entry.older }
        if oldest == slot { oldest = entry.newer }
        if entry.newer != Self.none { entries[Int(entry.newer)].older = entry.older }
        if entry.older != Self.none { entries[Int(entry.older)].newer = entry.newer }
    }

    private mutating func leaveWindow(_ now: Instant) {
        while oldestInWindow != Self.none {
            let slot = Int(oldestInWindow)
            guard entries[slot].at + window <= now.nanoseconds else { return }
            entries[slot].isInWindow = false
            inWindow.remove(isBad: entries[slot].isBad)
            oldestInWindow = entries[slot].newer
        }
    }

    // MARK: The index

    private func home(of token: UInt64) -> Int {
        // The low bits of the hash alone are not sufficiently mixed.
        Int(truncatingIfNeeded: token ^ (token >> 32)) & (index.count - 1)
    }

    /// The place of a token in the index, or the free place where it belongs.
    private func bucket(of token: UInt64) -> Int {
        var bucket = home(of: token)
        while index[bucket] != Self.none, entries[Int(index[bucket])].token != token {
            bucket = (bucket + 1) & (index.count - 1)
        }
        return bucket
    }

    private mutating func removeFromIndex(_ token: UInt64) {
        var hole = bucket(of: token)
        var next = (hole + 1) & (index.count - 1)
        while index[next] != Self.none {
            let distance = (next - home(of: entries[Int(index[next])].token)) & (index.count - 1)
            if distance >= (next - hole) & (index.count - 1) {
                index[hole] = index[next]
                hole = next
            }
            next = (next + 1) & (index.count - 1)
        }
        index[hole] = Self.none
    }

    private mutating func grow() {
        index = Array(repeating: Self.none, count: max(Self.firstSize, 2 * index.count))
        for slot in entries.indices { index[bucket(of: entries[slot].token)] = UInt32(slot) }
    }
}
