internal import APNs
internal import Delivery
public import Kafka

/// What a dry run has read, and what would become of it.
public struct DryRunTotals: Equatable, Sendable {
    /// The upper bounds in bytes by which payloads are counted; APNs accepts no larger ones.
    static let bounds = [256, 512, 1024, 2048, 4096, 5120]

    /// The connector's name.
    public var connector: String
    /// What was to be read of each partition.
    public var spans: [PartitionReader.Span]
    /// Records read.
    public private(set) var records = 0
    /// Records that `when` filters out.
    public private(set) var filtered = 0
    /// Records that the group has done, as its commits say.
    public private(set) var alreadyDone = 0
    /// Pushes that would be sent, by push type.
    public private(set) var sent: [String: Int] = [:]
    /// Pushes that would be dropped, by reason.
    public private(set) var dropped: [String: Int] = [:]
    /// The size in bytes of all payloads that would be sent.
    public private(set) var bytes = 0
    /// The size of the smallest of them.
    public private(set) var smallest = Int.max
    /// The size of the largest of them.
    public private(set) var largest = 0
    /// Payloads by size, one count for each of ``bounds``.
    public private(set) var sizes = Array(repeating: 0, count: bounds.count)
    /// True when it was stopped before the end.
    public var wasStopped = false

    /// Nothing was read yet.
    public init(connector: String, spans: [PartitionReader.Span]) {
        self.connector = connector
        self.spans = spans
    }

    /// Pushes that would be sent.
    public var sentCount: Int { sent.values.reduce(0, +) }
    /// Pushes that would be dropped.
    public var droppedCount: Int { dropped.values.reduce(0, +) }

    /// Counts a record that the group has done.
    mutating func countDone() {
        records += 1
        alreadyDone += 1
    }

    /// Counts what a record becomes.
    mutating func count(_ rendered: RenderedRecord) {
        records += 1
        guard !rendered.isSkipped else { return filtered += 1 }
        for notification in rendered.notifications {
            switch notification.verdict {
            case .drop(let drop): dropped[drop.reason.rawValue, default: 0] += 1
            case .send(let request):
                sent[notification.notification.pushType.rawValue, default: 0] += 1
                countSize(request.payload.count)
            }
        }
    }

    private mutating func countSize(_ size: Int) {
        bytes += size
        smallest = min(smallest, size)
        largest = max(largest, size)
        let index = Self.bounds.firstIndex { size <= $0 } ?? Self.bounds.count - 1
        sizes[index] += 1
    }
}
