internal import CRDKafka
internal import Delivery

/// Detects when the library's fetcher sleeps although there is room; fixed in librdkafka 2.2, which
/// checks on its own every `fetch.queue.backoff.ms`.
///
/// When its queue is full, or all partitions of a broker are paused, the fetcher of older versions
/// sleeps for up to a second and does not notice when this changes. Any request to the same broker
/// wakes it. Confined to one thread.
@safe struct FetchWatch: ~Copyable {
    /// True for the versions that need this workaround.
    private static var isNeeded: Bool { rd_kafka_version() < 0x0202_00FF }
    /// The interval between checks, in milliseconds.
    private static let pace: Int32 = 20
    /// The time between two checks of the ends of the logs, in milliseconds.
    private static let checkInterval = 1000

    private let queue: OpaquePointer
    /// Half of what fits in the library's queue.
    private let halfCount: Int
    private let halfBytes: Int
    private var records = 0
    private var bytes = 0
    /// The average size of the records taken last.
    private var recordBytes = 0
    private var length = 0
    private var rounds = 0
    private var nextCheck = 0
    /// True when something was taken since the ends of the logs were checked.
    private var hasUnchecked = false
    /// How often the fetcher was woken since something arrived.
    private var fruitless = 0
    /// True when something was taken or arrived since the last check.
    private(set) var hasMoved = false
    /// The log ends up to which everything was read, as received with records: while transactions
    /// are open, the end that the library returns is not the one it reads to.
    fileprivate var readTo: [TopicPartition: Int64] = [:]

    init(_ client: Client) {
        unsafe queue = rd_kafka_queue_get_consumer(client.pointer)
        halfCount = (client.number("queued.min.messages") ?? 100_000) / 2
        halfBytes = (client.number("queued.max.messages.kbytes") ?? 65_536) * 1024 / 2
    }

    deinit { unsafe rd_kafka_queue_destroy(queue) }

    /// The time until the next check: longer when waking has not helped for seconds.
    var interval: Int32 { fruitless > 100 ? 1000 : Self.pace }

    /// The time until the ends of the logs are to be checked; nil when nothing was taken since the
    /// last check.
    var timeToCheck: Int32? {
        hasUnchecked ? Int32(clamping: max(1, nextCheck - milliseconds())) : nil
    }

    /// True at most once a second.
    mutating func isTimeToCheck() -> Bool {
        let now = milliseconds()
        guard now >= nextCheck else { return false }
        nextCheck = now + Self.checkInterval
        hasUnchecked = false
        return true
    }

    /// True when everything fetched was taken.
    var isEmpty: Bool { unsafe rd_kafka_queue_length(queue) == 0 }

    /// True while the queue is less than half full and the fetcher may be asleep nevertheless.
    var isLow: Bool {
        Self.isNeeded && length < halfCount && length * recordBytes < halfBytes
    }

    /// Records how much has been taken so far, and what waits in the queue.
    mutating func note(records now: Int, bytes nowBytes: Int) {
        rounds += 1
        let waiting = unsafe rd_kafka_queue_length(queue)
        hasMoved = now != records
        if hasMoved { recordBytes = (nowBytes - bytes) / (now - records) }
        if hasMoved { hasUnchecked = true }
        if hasMoved || waiting != length { fruitless = 0 }
        (records, bytes, length) = (now, nowBytes, waiting)
    }

    /// A few of the partitions, different ones each time, to keep requests small.
    mutating func next(of partitions: [TopicPartition]) -> [TopicPartition] {
        fruitless += 1
        let start = rounds &* 32 % partitions.count
        return (0..<min(32, partitions.count)).map { partitions[(start + $0) % partitions.count] }
    }
}

extension ConsumerHelper {
    /// The partitions most of whose untaken records are not in the queue yet.
    ///
    /// Positions count, not records: the last offsets of a log may have no record.
    func lagging(_ watch: borrowing FetchWatch) -> [TopicPartition] {
        var lagging: [TopicPartition] = []
        for (partition, position) in positions() {
            guard let end = lastEnd(of: partition), position < end, watch.readTo[partition] != end
            else { continue }
            lagging.append(partition)
        }
        return lagging
    }

    /// The end of a log as received with its last records.
    private func lastEnd(of partition: TopicPartition) -> Int64? {
        var (low, high): (Int64, Int64) = (-1, -1)
        let error = unsafe rd_kafka_get_watermark_offsets(
            client.pointer, partition.topic, partition.partition, &low, &high)
        return error == RD_KAFKA_RESP_ERR_NO_ERROR && high >= 0 ? high : nil
    }

    /// Asks every leader of these partitions for the log ends, which wakes its fetcher; remembers
    /// those up to which everything was read.
    func wakeFetchers(of lagging: [TopicPartition], _ watch: inout FetchWatch) {
        let ends = askEnds(of: watch.next(of: lagging), milliseconds: 500)
        let positions = positions()
        for (partition, end) in ends where (positions[partition] ?? -1) >= end {
            watch.readTo[partition] = lastEnd(of: partition)
        }
    }
}
