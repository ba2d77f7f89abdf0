/// The events that a pool's owner has not taken yet, in reused storage.
struct EventQueue {
    /// The result of almost every request allocates nothing while it waits.
    private enum Waiting {
        /// A 200 without further details.
        case accepted(tag: UInt64, credential: CredentialVersion)
        case other(PoolEvent)
    }

    private var events: [Waiting] = []
    private var next = 0

    /// Adds an event at the end.
    mutating func append(_ event: PoolEvent) { events.append(.other(event)) }

    /// APNs has accepted a request without further details.
    mutating func accepted(_ tag: UInt64, credential: CredentialVersion) {
        events.append(.accepted(tag: tag, credential: credential))
    }

    /// Takes the oldest event if it is a 200 without further details; leaves any other.
    mutating func takeAccepted() -> (tag: UInt64, credential: CredentialVersion)? {
        guard next < events.count, case .accepted(let tag, let credential) = events[next] else {
            return nil
        }
        step()
        return (tag, credential)
    }

    /// Takes the oldest event; nil when there is none.
    mutating func take() -> PoolEvent? {
        if let (tag, credential) = takeAccepted() {
            return .responded(tag: tag, APNsResponse(status: 200), credential: credential)
        }
        guard next < events.count, case .other(let event) = events[next] else { return nil }
        step()
        return event
    }

    private mutating func step() {
        next += 1
        guard next == events.count else { return }
        events.removeAll(keepingCapacity: true)
        next = 0
    }
}
