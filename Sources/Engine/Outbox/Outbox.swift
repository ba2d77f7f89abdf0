internal import Delivery
internal import EventLoop

/// What Kafka is owed: pushes with result records to publish, in the order of their verdicts, and
/// pushes whose records Kafka refused.
struct Outbox: ~Copyable {
    /// How long a refused record waits before it is published again.
    static let offerInterval = Duration.seconds(1)

    private var pushes: RingQueue
    private var refused = DeadlineQueue()
    var writer: ResultWriter
    var refusals = RefusalLog()
    /// The partition count of the outcomes topic; nil while unknown.
    var outcomePartitions: Int?
    /// The partition counts of the source topics, as far as known.
    var sourcePartitions: [String: Int] = [:]

    init(_ settings: EngineSettings) {
        pushes = RingQueue(capacity: settings.maxInFlight)
        writer = ResultWriter(settings)
    }

    /// The number of entries, including stale ones.
    var count: Int { pushes.count }

    /// The push whose records are published next; it may be done.
    var first: PushID? { pushes.first }

    mutating func append(_ id: PushID) { pushes.append(id) }

    mutating func removeFirst() { pushes.popFirst() }

    /// Schedules a refused record to be published again.
    mutating func refuse(_ id: PushID, now: Instant) {
        refused.add(
            (now + Self.offerInterval).nanoseconds, id: id.slot, generation: id.generation)
    }

    /// When a refused record is next published again; nil when there is none.
    var nextOffer: Instant? { refused.next.map { Instant(nanoseconds: $0) } }

    /// A push whose refused records are due; it may be done.
    mutating func popOffer(now: Instant) -> PushID? {
        refused.popExpired(at: now.nanoseconds).map {
            PushID(slot: $0.id, generation: $0.generation)
        }
    }
}
