internal import Delivery

/// Which pushes were sent, by the hash of app, device and collapse ID that they have in common.
///
/// It records which arrived or may have, which are in flight, and which older ones are held until
/// those end: no push goes out over a newer one with its key.
struct SentPushes: ~Copyable {
    /// What a newer push means for an older one.
    enum Newer: Equatable, Sendable {
        /// It arrived, or may have.
        case arrived(NotificationID)
        /// It is in flight under this key.
        case inFlight(UInt64)
    }

    /// True where earlier sends decide whether another push may be sent again: else nothing is
    /// recorded.
    let isUsed: Bool
    private var memory = SentMemory()
    private var flights = FlightTable()
    /// Queued pushes that wait for the end of newer ones' requests.
    private var held: [UInt64: [PushID]] = [:]

    init(isUsed: Bool) { self.isUsed = isUsed }

    /// The push with a key that one of an age must not replace; nil when there is none, or none is
    /// known.
    func newer(than age: PushAge, _ key: UInt64) -> Newer? {
        if let newest = memory.newest(key), newest.age > age {
            return .arrived(newest.id)
        }
        if let newest = flights.newest(key), newest > age { return .inFlight(key) }
        return nil
    }

    /// True when nothing newer was sent; false also if that is unknown.
    func isNewest(_ key: UInt64, age: PushAge) -> Bool {
        if let newest = flights.newest(key), newest > age { return false }
        return memory.isNewest(key, age: age)
    }

    /// A push is sent.
    mutating func sent(_ key: UInt64, age: PushAge) { flights.add(key, age: age) }

    /// The request of a push has ended: returns those that were held behind it.
    mutating func ended(_ key: UInt64) -> [PushID] {
        flights.remove(key)
        guard !held.isEmpty else { return [] }
        return held.removeValue(forKey: key) ?? []
    }

    /// Holds a push until the request with a key has ended.
    mutating func hold(_ id: PushID, behind key: UInt64) { held[key, default: []].append(id) }

    /// A push is held no more; false when it was not held behind requests with this key.
    mutating func release(_ id: PushID, behind key: UInt64) -> Bool {
        guard let index = held[key]?.firstIndex(of: id) else { return false }
        held[key]?.remove(at: index)
        if held[key]?.isEmpty == true { held[key] = nil }
        return true
    }

    /// A push arrived, or may have.
    mutating func arrived(_ key: UInt64, age: PushAge, _ id: NotificationID) {
        memory.arrived(key, age: age, id)
    }

    /// True when older entries have to be forgotten.
    var isFull: Bool { memory.isFull }
    /// True when no push is held behind another.
    var holdsNone: Bool { held.isEmpty }

    /// Forgets older entries, except for the given keys.
    mutating func forgetOlder(but keys: [UInt64]) { memory.forgetOlder(but: keys) }
}
