/// The number of attempts of each push, for a limited number of recent pushes.
///
/// A push is identified by device token and `apns-id`. When the current generation is full, the
/// previous one is discarded, so that between `capacity` and twice as many are recorded.
struct AttemptCounts {
    private struct Push: Hashable {
        var token: Int
        var identifier: Int
    }

    private let capacity: Int
    private var present: [Push: Int] = [:]
    private var past: [Push: Int] = [:]

    init(capacity: Int = 65_536) { self.capacity = capacity }

    var count: Int { present.count + past.count }

    /// Counts an attempt, and returns its number, from 1.
    mutating func next(token: ArraySlice<UInt8>, identifier: ArraySlice<UInt8>) -> Int {
        let push = Push(token: token.hashValue, identifier: identifier.hashValue)
        let attempt = (present[push] ?? past[push] ?? 0) + 1
        if present.count >= capacity {
            past = present
            present = [:]
        }
        present[push] = attempt
        return attempt
    }
}
