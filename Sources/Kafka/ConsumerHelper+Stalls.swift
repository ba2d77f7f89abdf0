internal import CRDKafka
internal import Delivery
internal import Synchronization

/// A partition that is not paused and whose log grows, but that delivers nothing.
struct Stall {
    var partition: TopicPartition
    /// The library's position, which has not moved.
    var position: Int64
    /// The end of the log.
    var end: Int64
}

/// Tracks how long partitions have been stalled although their logs grow. Confined to one thread.
struct StallWatch {
    /// The shortest time between two reassignments of a partition, in milliseconds.
    private static let healInterval = 600_000

    /// How long a partition may stall, in milliseconds.
    let limit: Int
    private var nextCheck: Int
    private var positions: [TopicPartition: Int64] = [:]
    private var suspects: [TopicPartition: (position: Int64, since: Int)] = [:]
    private var healed: [TopicPartition: Int] = [:]

    init(limit: Int) {
        self.limit = limit
        nextCheck = milliseconds() + limit / 2
    }

    /// The longest wait until ``unmoved(at:_:)`` is due.
    var wait: Int32 { Int32(clamping: max(1, nextCheck - milliseconds())) }

    /// True when a check is due, which happens twice within the limit.
    mutating func isDue() -> Bool {
        let now = milliseconds()
        guard now >= nextCheck else { return false }
        nextCheck = now + limit / 2
        return true
    }

    /// Clears everything: the owner has not taken what was fetched.
    mutating func reset() {
        positions = [:]
        suspects = [:]
    }

    /// The partitions that have not moved since the last check.
    mutating func unmoved(_ now: [TopicPartition: Int64]) -> [TopicPartition] {
        let before = positions
        positions = now
        suspects = suspects.filter { now[$0.key] == $0.value.position }
        return now.keys.filter { before[$0] == now[$0] }
    }

    /// The partitions that have stalled for too long, given the ends of their logs.
    mutating func stalls(_ ends: [TopicPartition: Int64]) -> [Stall] {
        let now = milliseconds()
        var stalls: [Stall] = []
        for (partition, end) in ends {
            guard let position = positions[partition], position < end else {
                suspects[partition] = nil
                continue
            }
            let suspect = suspects[partition] ?? (position, now)
            suspects[partition] = suspect
            let last = healed[partition]
            guard now - suspect.since >= limit, last.map({ now - $0 >= Self.healInterval }) ?? true
            else { continue }
            healed[partition] = now
            stalls.append(Stall(partition: partition, position: position, end: end))
        }
        return stalls
    }
}

extension ConsumerHelper {
    /// Checks whether a partition is stalled although its log grows, and whether the logs of paused
    /// partitions are still the same.
    func checkStalls(_ watch: inout StallWatch, _ queue: borrowing FetchWatch) {
        guard watch.isDue() else { return }
        checkPaused()
        guard queue.isEmpty else { return watch.reset() }
        let unmoved = watch.unmoved(positions())
        guard !unmoved.isEmpty else { return }
        let stalls = watch.stalls(askEnds(of: unmoved, milliseconds: 2000))
        guard !stalls.isEmpty else { return }
        state.withLock { $0.stalls += stalls }
        owner.signal()
    }

    /// The stalled partitions; each is reported once.
    func takeStalls() -> [Stall] {
        state.withLock { state in
            guard !state.stalls.isEmpty else { return [] }
            defer { state.stalls = [] }
            return state.stalls
        }
    }

    /// The library's position in each partition that records may come from.
    ///
    /// Positions count, not the last record: the last offsets of a log may have no record.
    func positions() -> [TopicPartition: Int64] {
        let (flowing, known) = state.withLock { ($0.assigned, $0.positions) }
        let list = PartitionList(flowing)
        unsafe rd_kafka_position(client.pointer, list.pointer)
        var positions: [TopicPartition: Int64] = [:]
        list.forEach {
            positions[$0.partition] = $0.offset >= 0 ? $0.offset : known[$0.partition]
        }
        return positions
    }

    /// Asks the leaders for the ends of logs, one request per leader.
    func askEnds(
        of partitions: [TopicPartition], milliseconds: Int32
    ) -> [TopicPartition: Int64] {
        let list = PartitionList()
        for partition in partitions {
            list.append(partition, offset: Int64(RD_KAFKA_OFFSET_END))
        }
        let error = unsafe rd_kafka_offsets_for_times(client.pointer, list.pointer, milliseconds)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR else { return [:] }
        var ends: [TopicPartition: Int64] = [:]
        list.forEach { found in
            guard found.error == RD_KAFKA_RESP_ERR_NO_ERROR, found.offset >= 0 else { return }
            ends[found.partition] = found.offset
            noteEnd(of: found.partition, found.offset)
        }
        return ends
    }
}
