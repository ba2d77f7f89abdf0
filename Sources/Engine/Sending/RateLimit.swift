internal import Configuration
internal import Delivery

/// A token bucket represented by one number: the moment at which it is full again.
///
/// The bucket holds as many pushes as the rate allows, and refills evenly. Source: ITU-T I.371, the
/// generic cell rate algorithm.
struct RateLimit: Equatable, Sendable {
    /// The time in which the bucket gains one push.
    let interval: Duration
    /// The time that a full bucket represents beyond its first push.
    let slack: Duration

    /// The limit of a rate, or of a share of it: as many of `total` parts.
    init(_ rate: PushRate, share: Int = 1, of total: Int = 1) {
        interval = max(.nanoseconds(1), rate.period / rate.count * total / share)
        slack = interval * (max(1, rate.count * share / total) - 1)
    }

    /// When the next push may be sent from a bucket that is full again at `fullAt`.
    func next(fullAt: Instant) -> Instant {
        fullAt - slack
    }

    /// When a bucket that had another limit is full again: no emptier than an empty one.
    func adopted(fullAt: Instant, now: Instant) -> Instant {
        min(fullAt, now + interval + slack)
    }

    /// When the bucket is full again after a push is taken now.
    func taken(fullAt: Instant, now: Instant) -> Instant {
        max(fullAt, now) + interval
    }
}

/// A token bucket for each device, in a table of fixed size.
///
/// A device without recent pushes needs no entry, because its bucket is full. When the table is
/// full, the entry closest to a full bucket is dropped: that device is limited less, and no other
/// device is affected.
struct DeviceRates: Sendable {
    private struct Entry {
        var key: UInt64 = 0
        var fullAt = Instant.distantPast
    }

    private static let ways = 4
    private let limit: RateLimit
    private let mask: Int
    private var entries: [Entry]

    /// Creates a table with room for this many devices, rounded up to a power of two.
    init(_ limit: RateLimit, capacity: Int = 65_536) {
        self.limit = limit
        var sets = 1
        while sets * Self.ways < capacity { sets *= 2 }
        mask = sets - 1
        entries = Array(repeating: Entry(), count: sets * Self.ways)
    }

    /// When the next push for a device may be sent.
    func next(_ key: UInt64) -> Instant {
        guard let bucket = bucket(of: key) else { return .distantPast }
        return limit.next(fullAt: entries[bucket].fullAt)
    }

    /// Takes a push from a device's bucket.
    mutating func take(_ key: UInt64, now: Instant) {
        let bucket = bucket(of: key) ?? leastBusy(key)
        let fullAt = entries[bucket].key == key ? entries[bucket].fullAt : .distantPast
        entries[bucket] = Entry(key: key, fullAt: limit.taken(fullAt: fullAt, now: now))
    }

    private func first(_ key: UInt64) -> Int {
        // The low bits of the hash alone are not sufficiently mixed.
        (Int(truncatingIfNeeded: key ^ (key >> 32)) & mask) * Self.ways
    }

    private func bucket(of key: UInt64) -> Int? {
        let first = first(key)
        for bucket in first..<(first + Self.ways) where entries[bucket].key == key {
            return bucket
        }
        return nil
    }

    private func leastBusy(_ key: UInt64) -> Int {
        let first = first(key)
        var best = first
        for bucket in (first + 1)..<(first + Self.ways)
        where entries[bucket].fullAt < entries[best].fullAt {
            best = bucket
        }
        return best
    }
}
