/// How many requests may be open on a young connection: few, and twice as many each time that so
/// many have been answered.
///
/// What is open when a connection breaks may have been processed and is sent again: one that is
/// broken after a second must not take hundreds of pushes with it each time.
struct SlowStart {
    /// The most requests that may be open.
    private(set) var limit: Int
    private var answered = 0

    init(_ first: Int) { limit = first }

    /// A request has been answered.
    mutating func responded() {
        answered += 1
        guard answered >= limit else { return }
        answered = 0
        limit = min(2 * limit, 1 << 30)
    }
}
