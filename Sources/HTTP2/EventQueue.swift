/// Events in their order, in storage that is used again.
public struct EventQueue<Event> {
    private var events: [Event] = []
    private var next = 0

    /// An empty queue.
    public init() {}

    var isEmpty: Bool { events.isEmpty }

    /// The oldest event; nil when there is none.
    var first: Event? { next < events.count ? events[next] : nil }

    /// Adds an event behind the others.
    public mutating func append(_ event: Event) { events.append(event) }

    /// Takes the oldest event; nil when there is none.
    public mutating func take() -> Event? {
        guard let event = first else { return nil }
        removeFirst()
        return event
    }

    /// Forgets the oldest event, which there must be.
    mutating func removeFirst() {
        next += 1
        guard next == events.count else { return }
        events.removeAll(keepingCapacity: true)
        next = 0
    }
}
