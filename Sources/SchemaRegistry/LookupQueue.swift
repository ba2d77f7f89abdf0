internal import Delivery
internal import Mapping

/// Which schemas to ask for, and when: pure values, without a clock.
///
/// While the registry does not respond, only one schema is asked for at a time, after pauses that
/// grow. One that the registry does not know is asked for again until its time is over.
struct LookupQueue: Sendable {
    /// How long a schema that the registry does not know is asked for.
    static let unknownTime = Duration.seconds(300)
    /// How long it takes until a time that was waited without result may be waited again, in
    /// multiples of that time.
    static let recovery = 12
    /// How often it is asked for meanwhile.
    static let unknownInterval = Duration.seconds(5)
    /// The first pause and the longest one while the registry does not respond.
    static let firstPause = Duration.seconds(1)
    static let maxPause = Duration.seconds(15)

    private struct Item: Sendable {
        var id: SchemaID
        var due: Instant
        /// When the registry first said that it does not know it, and when that ends the look-up.
        var unknown: (since: Instant, until: Instant)?
        /// The registry has not known it for long enough: it is asked for only once.
        var isLastTry: Bool
    }

    private var items: [Item] = []
    private var pause = Duration.zero
    private var pausedUntil = Instant.distantPast
    /// How long unknown schemas were waited for without result, as of a moment; it shrinks with
    /// time.
    private var wasted = (time: Duration.zero, at: Instant.distantPast)

    var isEmpty: Bool { items.isEmpty }

    /// Adds a schema, unless it is waited for already.
    mutating func add(_ id: SchemaID, isLastTry: Bool, now: Instant) {
        guard !items.contains(where: { $0.id == id }) else { return }
        items.append(Item(id: id, due: now, isLastTry: isLastTry))
    }

    /// When to ask next; nil when there is nothing to ask for.
    var next: Instant? {
        items.map(\.due).min().map { max($0, pausedUntil) }
    }

    /// The schema to ask for now.
    func due(at now: Instant) -> SchemaID? {
        guard now >= pausedUntil else { return nil }
        return items.filter { $0.due <= now }.min { $0.due < $1.due }?.id
    }

    /// Takes what a look-up has found; what to say to those who wait for it.
    mutating func settle(
        _ id: SchemaID, _ finding: SchemaLookup.Finding, now: Instant
    ) -> SchemaResult {
        guard let index = items.firstIndex(where: { $0.id == id }) else {
            return .unavailable("it is not waited for")
        }
        switch finding {
        case .schema(let schema):
            pause = .zero
            // Producers are faster than their registry: then waiting is worth it.
            if items[index].unknown != nil { wasted = (.zero, now) }
            items.remove(at: index)
            return .found(schema)
        case .unavailable(let detail):
            pause = pause == .zero ? Self.firstPause : min(pause * 2, Self.maxPause)
            pausedUntil = now + pause
            return .unavailable(detail)
        case .unknown(let message):
            pause = .zero
            let unknown = items[index].unknown ?? (now, now + allowance(at: now))
            guard !items[index].isLastTry, now < unknown.until else {
                if !items[index].isLastTry { spend(now - unknown.since, at: now) }
                items.remove(at: index)
                return .found(.unknown)
            }
            items[index].unknown = unknown
            items[index].due = now + Self.unknownInterval
            return .notYet(message)
        }
    }
    /// How long a schema that the registry does not know is asked for. All of them share this time:
    /// a writer of random IDs pauses a partition once, and not once for each ID.
    private func allowance(at now: Instant) -> Duration {
        Self.unknownTime - max(.zero, wasted.time - (now - wasted.at) / Self.recovery)
    }

    private mutating func spend(_ time: Duration, at now: Instant) {
        wasted = (min(Self.unknownTime, Self.unknownTime - allowance(at: now) + time), now)
    }
}
