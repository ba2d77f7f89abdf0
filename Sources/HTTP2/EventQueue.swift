/// Events in their order, in storage that is used again.
struct EventQueue<Event> {
    private var events: [Event] = []
    private var next = 0

    mutating func append(_ event: Event) { events.append(event) }

    var isEmpty: Bool { events.isEmpty }

    /// Takes the oldest event.
    mutating func take() -> Event? {
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
