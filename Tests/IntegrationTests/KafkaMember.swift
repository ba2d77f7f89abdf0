import Delivery
import Foundation
import Kafka

/// A consumer and everything it has reported, driven as a worker would drive it.
final class KafkaMember {
    var consumer: Consumer
    /// The offsets that came, by assignment, in order.
    var offsets: [AssignmentID: [Int64]] = [:]
    /// The brokers' times of records that came while it waited at the end of a log, by offset.
    var appended: [Int64: AppendTime] = [:]
    var assigned: [AssignedPartition] = []
    var revoking: [AssignmentID] = []
    var lost: [AssignmentID] = []
    var replaced: [AssignmentID] = []
    var reports: [CommitReport] = []
    var failures: [KafkaFailure] = []
    /// How many requests of each kind it sent, as far as the library's log shows them.
    var requests: [String: Int] = [:]
    var limit = 512
    var givesUpAtOnce = true

    init(
        _ kafka: RealKafka, group: String, topic: String, also further: [String] = [],
        instance: String? = nil, start: StartPosition = .earliest, isOwn: Bool = false,
        _ extra: KafkaProperties = [:]
    ) throws {
        var properties = kafka.properties
        properties["reconnect.backoff.ms"] = "20"
        properties["reconnect.backoff.max.ms"] = "200"
        properties["session.timeout.ms"] = "6000"
        properties["heartbeat.interval.ms"] = "200"
        for property in extra.all { properties[property.name] = property.value }
        consumer = try Consumer(
            properties: properties, group: group, topics: TopicSelection([topic] + further),
            start: start, alwaysFromBeginning: isOwn ? [topic] : [], instance: instance)
    }

    /// How far a partition has come: the offset of the next record to read.
    func next(_ assignment: AssignedPartition) -> Int64 {
        offsets[assignment.id]?.last.map { $0 + 1 } ?? assignment.committed ?? 0
    }

    var count: Int { offsets.values.reduce(0) { $0 + $1.count } }

    /// The partitions that it owns now.
    var owned: [AssignmentID: TopicPartition] {
        var owned = Dictionary(uniqueKeysWithValues: assigned.map { ($0.id, $0.topicPartition) })
        for id in revoking + lost + replaced { owned[id] = nil }
        return owned
    }

    /// Commits, for every partition that it owns, what it has seen.
    ///
    /// `recordsCount` if the commits say how many partitions the topic had, as a worker's do.
    func commitAll(recordsCount: Bool = false) {
        consumer.commit(
            owned.keys.compactMap { id in
                let count = assigned.last { $0.id == id }?.partitionCount
                let mark = LogMark(partitionCount: recordsCount ? count : nil)
                return offsets[id]?.last.map {
                    OffsetCommit(assignment: id, next: $0 + 1, metadata: mark.text)
                }
            })
    }

    /// The assignments in which a record is missing or came twice.
    var broken: [AssignedPartition] {
        assigned.filter { assignment in
            let start = assignment.committed ?? 0
            let came = offsets[assignment.id] ?? []
            return came != Array(start..<(start + Int64(came.count)))
        }
    }

    private func note(_ line: KafkaLog) {
        let parts = line.message.split(separator: " ")
        guard let sent = parts.firstIndex(of: "Sent"), sent + 1 < parts.count,
            parts[sent + 1].hasSuffix("Request")
        else { return }
        requests[String(parts[sent + 1].dropLast(7)), default: 0] += 1
    }

    /// Reads records and events; true if there are more.
    @discardableResult
    func turn() -> Bool {
        let taken = consumer.take(atMost: limit) {
            offsets[$0.assignment, default: []].append($0.offset)
            appended[$0.offset] = $0.appended
        }
        while let change = consumer.nextChange() {
            switch change {
            case .assigned(let partitions): assigned += partitions
            case .revoking(let ids):
                if givesUpAtOnce {
                    commitAll()
                    consumer.release(ids)
                }
                revoking += ids
            case .lost(let ids): lost += ids
            case .replaced(let id, let partition):
                replaced.append(id)
                assigned.append(partition)
            }
        }
        while let report = consumer.nextCommitReport() { reports.append(report) }
        while let failure = consumer.nextFailure() { failures.append(failure) }
        while let line = consumer.nextLog() { note(line) }
        return limit > 0 && taken == limit
    }
}

/// Turns the members, waking when they are signalled, until the condition holds or time is up.
func turn(
    _ members: KafkaMember..., seconds: Double = 30, until done: () throws -> Bool
) rethrows -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    repeat {
        var hasMore = false
        for member in members where member.turn() { hasMore = true }
        if try done() { return true }
        var entries = members.map {
            pollfd(fd: $0.consumer.descriptor, events: Int16(POLLIN), revents: 0)
        }
        unsafe poll(&entries, nfds_t(entries.count), hasMore ? 0 : 20)
    } while clock.now < end
    return false
}

/// Writes so many records, spread over the partitions.
func fill(
    _ kafka: RealKafka, _ topic: String, count: Int, partitions: Int, bytes: Int = 20
) throws {
    var writer = try RecordWriter(properties: kafka.properties)
    for index in 0..<count {
        try writer.write(
            topic, value: [UInt8](repeating: 0x78, count: bytes),
            partition: Int32(index % partitions))
    }
    try writer.flush(timeoutMilliseconds: 30_000)
}

/// Gives a topic so many partitions, and each of them a record.
func grow(_ kafka: RealKafka, _ topic: String, to count: Int) throws {
    try kafka.tool(
        "kafka-topics.sh",
        [
            "--bootstrap-server", kafka.bootstrapServers, "--alter", "--topic", topic,
            "--partitions", String(count),
        ])
    try fill(kafka, topic, count: count, partitions: count)
}
