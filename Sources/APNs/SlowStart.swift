/// How many requests may be open on a new connection: few at first, doubling each time that many
/// have been answered.
///
/// Requests open when a connection breaks may have been processed and are sent again: a connection
/// that breaks after a second must not affect hundreds of pushes each time.
struct SlowStart {
    /// The most requests that may be open.
    private(set) var limit: Int
    private var responses = 0

    init(_ first: Int) { limit = first }

    /// A response has been received.
    mutating func responded() {
        responses += 1
        guard responses >= limit else { return }
        responses = 0
        limit = min(2 * limit, 1 << 30)
    }
}
