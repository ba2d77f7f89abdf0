internal import Configuration
internal import Delivery

/// A token bucket as one number: the moment at which it is full again.
///
/// The bucket holds as many pushes as the rate names, and fills evenly.
/// Source: ITU-T I.371, the generic cell rate algorithm.
struct RateLimit: Equatable, Sendable {
    /// The time in which one push comes into the bucket, in nanoseconds.
    let interval: UInt64
    /// How much time the full bucket stands for, beyond one push.
    let slack: UInt64

    init(_ rate: PushRate) {
        interval = max(1, rate.nanoseconds / UInt64(rate.count))
        slack = interval * UInt64(rate.count - 1)
    }

    /// When the next push may go, from a bucket that is full again at `fullAt`.
    func next(fullAt: Instant) -> Instant {
        Instant(nanoseconds: fullAt.nanoseconds > slack ? fullAt.nanoseconds - slack : 0)
    }

    /// When a bucket is full again from which a push is taken now.
    func taken(fullAt: Instant, now: Instant) -> Instant {
        Instant(nanoseconds: max(fullAt, now).nanoseconds + interval)
    }
}

/// A bucket for each device, in a table of fixed size.
///
/// A device that has not been sent to for a while needs no entry: its bucket is full. When more
/// devices than there is room for are underway at a time, the one that is nearest to a full bucket
/// is forgotten: it is limited less, and no other device is limited for it.
struct DeviceRates: Sendable {
    private struct Entry {
        var key: UInt64 = 0
        var fullAt = Instant.distantPast
    }

    private static let ways = 4
    private let limit: RateLimit
    private let mask: Int
    private var entries: [Entry]

    /// Room for so many devices, rounded up to a power of two.
    init(_ limit: RateLimit, capacity: Int = 65_536) {
        self.limit = limit
        var sets = 1
        while sets * Self.ways < capacity { sets *= 2 }
        mask = sets - 1
        entries = Array(repeating: Entry(), count: sets * Self.ways)
    }

    /// When the next push for a device may go.
    func next(_ key: UInt64) -> Instant {
        guard let place = place(of: key) else { return .distantPast }
        return limit.next(fullAt: entries[place].fullAt)
    }

    /// A push for a device goes now.
    mutating func take(_ key: UInt64, now: Instant) {
        let place = place(of: key) ?? leastBusy(key)
        let fullAt = entries[place].key == key ? entries[place].fullAt : .distantPast
        entries[place] = Entry(key: key, fullAt: limit.taken(fullAt: fullAt, now: now))
    }

    private func first(_ key: UInt64) -> Int {
        // The hash's low bits alone are not mixed well enough.
        (Int(truncatingIfNeeded: key ^ (key >> 32)) & mask) * Self.ways
    }

    private func place(of key: UInt64) -> Int? {
        let first = first(key)
        for place in first..<(first + Self.ways) where entries[place].key == key {
            return place
        }
        return nil
    }

    private func leastBusy(_ key: UInt64) -> Int {
        let first = first(key)
        var best = first
        for place in (first + 1)..<(first + Self.ways)
        where entries[place].fullAt < entries[best].fullAt {
            best = place
        }
        return best
    }
}
