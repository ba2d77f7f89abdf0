/// Events in order, in reused storage.
public struct EventQueue<Event> {
    private var events: [Event] = []
    private var next = 0

    /// Creates an empty queue.
    public init() {}

    var isEmpty: Bool { events.isEmpty }

    /// The oldest event; nil when the queue is empty.
    public var first: Event? { next < events.count ? events[next] : nil }

    /// Adds an event at the end.
    public mutating func append(_ event: Event) { events.append(event) }

    /// Removes and returns the oldest event; nil when the queue is empty.
    public mutating func take() -> Event? {
        guard let event = first else { return nil }
        removeFirst()
        return event
    }

    /// Removes the oldest event; the queue must not be empty.
    public mutating func removeFirst() {
        next += 1
        guard next == events.count else { return }
        events.removeAll(keepingCapacity: true)
        next = 0
    }
}
