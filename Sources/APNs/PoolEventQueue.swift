internal import HTTP2

/// The events that a pool's owner has not taken yet.
struct PoolEventQueue {
    /// The result of almost every request allocates nothing while it waits.
    private enum Waiting {
        /// A 200 without further details.
        case accepted(tag: UInt64, credential: CredentialVersion)
        case other(PoolEvent)
    }

    private var events = EventQueue<Waiting>()

    /// Adds an event at the end.
    mutating func append(_ event: PoolEvent) { events.append(.other(event)) }

    /// APNs has accepted a request without further details.
    mutating func accepted(_ tag: UInt64, credential: CredentialVersion) {
        events.append(.accepted(tag: tag, credential: credential))
    }

    /// Takes the oldest event if it is a 200 without further details; leaves any other.
    mutating func takeAccepted() -> (tag: UInt64, credential: CredentialVersion)? {
        guard case .accepted(let tag, let credential)? = events.first else { return nil }
        events.removeFirst()
        return (tag, credential)
    }

    /// Takes the oldest event; nil when there is none.
    mutating func take() -> PoolEvent? {
        switch events.take() {
        case .accepted(let tag, let credential):
            .responded(tag: tag, APNsResponse(status: 200), credential: credential)
        case .other(let event): event
        case nil: nil
        }
    }
}
