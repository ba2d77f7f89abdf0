/// How many requests may be open on a new connection: few at first, doubling each time that many
/// have been answered.
///
/// Requests open when a connection breaks may have been processed and are sent again: a connection
/// that breaks after a second must not affect hundreds of pushes each time.
struct SlowStart {
    /// The most requests that may be open.
    private(set) var limit: Int
    private var responded = 0

    init(_ first: Int) { limit = first }

    /// A response has been received.
    mutating func responded() {
        responded += 1
        guard responded >= limit else { return }
        responded = 0
        limit = min(2 * limit, 1 << 30)
    }
}
