/// The events that the owner has not taken yet; as many as requests may be open, and a few.
struct EventQueue: ~Copyable {
    private var events: [PoolEvent] = []
    private var taken = 0

    mutating func append(_ event: PoolEvent) { events.append(event) }

    mutating func next() -> PoolEvent? {
        guard taken < events.count else {
            events.removeAll(keepingCapacity: true)
            taken = 0
            return nil
        }
        defer { taken += 1 }
        return events[taken]
    }
}
