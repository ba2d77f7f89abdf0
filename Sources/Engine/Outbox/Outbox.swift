internal import Delivery
internal import EventLoop

/// What is owed to Kafka: pushes with result records to publish, in the order of their verdicts,
/// and those whose records Kafka refused.
struct Outbox: ~Copyable {
    /// How long a refused record waits before it is offered again.
    static let offerInterval = Duration.seconds(1)

    private var pushes: RingQueue
    private var refused = DeadlineQueue()
    var writer: ResultWriter
    /// How many partitions the topic of the outcomes has; nil while nobody knows.
    var outcomePartitions: Int?
    /// How many partitions the source topics have, as far as that is known.
    var sourcePartitions: [String: Int] = [:]

    init(_ settings: EngineSettings) {
        pushes = RingQueue(capacity: settings.maxInFlight)
        writer = ResultWriter(settings)
    }

    /// How many entries there are, stale ones included.
    var count: Int { pushes.count }

    /// The push whose records are published next; it may be done by now.
    var first: PushID? { pushes.first }

    mutating func append(_ id: PushID) { pushes.append(id) }

    mutating func removeFirst() { pushes.popFirst() }

    /// Kafka refused a record of a push, which is offered again after a while.
    mutating func refuse(_ id: PushID, now: Instant) {
        refused.add(
            (now + Self.offerInterval).nanoseconds, id: id.slot, generation: id.generation)
    }

    /// When a refused record is offered again; nil when none is.
    var nextOffer: Instant? { refused.next.map { Instant(nanoseconds: $0) } }

    /// A push whose refused records are to be offered now; it may be done.
    mutating func popOffer(now: Instant) -> PushID? {
        refused.popExpired(at: now.nanoseconds).map {
            PushID(slot: $0.id, generation: $0.generation)
        }
    }
}
