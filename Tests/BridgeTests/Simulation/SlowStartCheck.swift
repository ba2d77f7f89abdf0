import Delivery

/// Checks that a new connection begins with few open requests, and doubles their number only when
/// that many have been answered: they are sent again if it breaks.
struct SlowStartCheck {
    /// The most requests that may be open at first.
    let first: Int
    /// How long it takes until a request can follow a response.
    let roundTrip: Duration
    private var arrivals: [(time: Instant, count: Int)] = []
    private var count = 0

    init(first: Int, roundTrip: Duration) { (self.first, self.roundTrip) = (first, roundTrip) }

    /// Requests have arrived; returns what is wrong with that.
    mutating func arrived(_ more: Int, at time: Instant) -> String? {
        count += more
        arrivals.append((time, more))
        // At best, each request was answered as soon as it arrived.
        let responded = arrivals.prefix { $0.time + roundTrip <= time }.reduce(0) { $0 + $1.count }
        guard count > responded + limit(responded) else { return nil }
        return "a new connection has \(count) requests and at most \(responded) responses"
    }

    /// The most requests that may be open after so many responses.
    private func limit(_ responded: Int) -> Int {
        var (limit, left) = (first, responded)
        while left >= limit {
            left -= limit
            limit *= 2
        }
        return limit
    }
}
