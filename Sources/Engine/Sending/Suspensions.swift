internal import Delivery

/// When sending was suspended for an app: that time does not count against its pushes, wherever
/// they spent it.
struct Suspensions: Sendable {
    private struct Span {
        var start: Instant
        var end: Instant
    }

    /// So many of the latest ones are remembered.
    private static let limit = 16

    /// In rising order, and apart from each other.
    private var spans: [Span] = []

    /// Adds a suspension that has ended. It may overlap others: a fault of the credential may lie
    /// within one of the device tokens.
    mutating func add(from start: Instant, to end: Instant) {
        var span = Span(start: start, end: end)
        while let last = spans.last, last.end >= span.start {
            span.start = min(span.start, last.start)
            span.end = max(span.end, last.end)
            spans.removeLast()
        }
        spans.append(span)
        if spans.count > Self.limit { spans.removeFirst() }
    }

    /// How much of the time from `start` to `end` was suspended. `ongoing` is the beginning of a
    /// suspension that lasts until `end`, nil when there is none.
    func duration(from start: Instant, to end: Instant, ongoing: Instant?) -> Duration {
        let ongoing = ongoing.map { min(max($0, start), end) } ?? end
        var total = ongoing.duration(to: end)
        for span in spans {
            let first = max(span.start, start)
            let last = min(span.end, ongoing)
            if first < last { total += first.duration(to: last) }
        }
        return total
    }
}
