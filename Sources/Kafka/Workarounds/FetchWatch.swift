internal import CRDKafka
internal import Delivery

/// Whether the library's fetcher may have fallen asleep although there is room; ended by librdkafka
/// 2.2, which looks by itself every `fetch.queue.backoff.ms`.
///
/// When its queue is full, or all partitions of a broker are paused, the fetcher of older versions
/// sleeps for up to a second and does not notice that this has ended. Any request to the same
/// broker wakes it. Belongs to one thread.
@safe struct FetchWatch: ~Copyable {
    /// True for the versions that need it.
    private static var isNeeded: Bool { rd_kafka_version() < 0x0202_00FF }
    /// How often it is looked, in milliseconds.
    private static let pace: Int32 = 20

    private let queue: OpaquePointer
    /// Half of what the library's queue takes.
    private let halfCount: Int
    private let halfBytes: Int
    private var records = 0
    private var bytes = 0
    /// How large the records are that were taken last.
    private var recordBytes = 0
    private var length = 0
    private var rounds = 0
    /// How often the fetcher was woken since something came.
    private var fruitless = 0
    /// True when something was taken, or came, since it was last looked.
    private(set) var hasMoved = false
    /// The ends below which the leader said there is nothing to read, as they came with records:
    /// with open transactions the library tells another one than it reads to.
    fileprivate var readTo: [TopicPartition: Int64] = [:]

    init(_ client: Client) {
        unsafe queue = rd_kafka_queue_get_consumer(client.pointer)
        halfCount = (client.number("queued.min.messages") ?? 100_000) / 2
        halfBytes = (client.number("queued.max.messages.kbytes") ?? 65_536) * 1024 / 2
    }

    deinit { unsafe rd_kafka_queue_destroy(queue) }

    /// How long to wait until it is looked again: longer where waking has not helped for seconds.
    var interval: Int32 { fruitless > 100 ? 1000 : Self.pace }

    /// True about once a second.
    var isTimeToCheck: Bool { rounds % 50 == 0 }

    /// True when everything that was fetched is taken.
    var isEmpty: Bool { unsafe rd_kafka_queue_length(queue) == 0 }

    /// True while less than half of the queue is filled and the fetcher may sleep all the same.
    var isLow: Bool {
        Self.isNeeded && length < halfCount && length * recordBytes < halfBytes
    }

    /// Notes how much was taken until now, and what waits in the queue.
    mutating func note(records now: Int, bytes nowBytes: Int) {
        rounds += 1
        let waiting = unsafe rd_kafka_queue_length(queue)
        hasMoved = now != records
        if hasMoved { recordBytes = (nowBytes - bytes) / (now - records) }
        if hasMoved || waiting != length { fruitless = 0 }
        (records, bytes, length) = (now, nowBytes, waiting)
    }

    /// Some of the partitions, others each time: a request names no more.
    mutating func next(of partitions: [TopicPartition]) -> [TopicPartition] {
        fruitless += 1
        let start = rounds &* 32 % partitions.count
        return (0..<min(32, partitions.count)).map { partitions[(start + $0) % partitions.count] }
    }
}

extension ConsumerHelper {
    /// The partitions with records that are neither taken nor, most of them, in the queue.
    ///
    /// The library's position counts: at the end of a log there may be offsets without records.
    func lagging(_ watch: borrowing FetchWatch) -> [TopicPartition] {
        var lagging: [TopicPartition] = []
        for (partition, position) in positions() {
            guard let end = lastEnd(of: partition), position < end, watch.readTo[partition] != end
            else { continue }
            lagging.append(partition)
        }
        return lagging
    }

    /// The end of a log that came with its last records.
    private func lastEnd(of partition: TopicPartition) -> Int64? {
        var (low, high): (Int64, Int64) = (-1, -1)
        let error = unsafe rd_kafka_get_watermark_offsets(
            client.pointer, partition.topic, partition.partition, &low, &high)
        return error == RD_KAFKA_RESP_ERR_NO_ERROR && high >= 0 ? high : nil
    }

    /// Asks every leader of these partitions where they end, which wakes its fetcher; remembers
    /// where it says that everything was read.
    func wakeFetchers(of lagging: [TopicPartition], _ watch: inout FetchWatch) {
        let ends = askEnds(of: watch.next(of: lagging), milliseconds: 500)
        let positions = positions()
        for (partition, end) in ends where (positions[partition] ?? -1) >= end {
            watch.readTo[partition] = lastEnd(of: partition)
        }
    }
}
