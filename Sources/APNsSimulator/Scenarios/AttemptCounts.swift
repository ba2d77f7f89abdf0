/// How often each push has been tried, for as many of the latest pushes as memory is given to.
///
/// A push is a device token and an `apns-id`. When the present generation is full the one
/// before it is forgotten, so that between `capacity` and twice as many are remembered.
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

    /// Counts one more attempt, and says which one it is, from 1.
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
