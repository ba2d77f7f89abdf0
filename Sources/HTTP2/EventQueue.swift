/// Events in their order, in storage that is used again.
public struct EventQueue<Event> {
    private var events: [Event] = []
    private var next = 0

    /// An empty queue.
    public init() {}

    var isEmpty: Bool { events.isEmpty }

    /// Adds an event behind the others.
    public mutating func append(_ event: Event) { events.append(event) }

    /// Takes the oldest event; nil when there is none.
    public mutating func take() -> Event? {
        guard next < events.count else { return nil }
        let event = events[next]
        next += 1
        if next == events.count {
            events.removeAll(keepingCapacity: true)
            next = 0
        }
        return event
    }
}
