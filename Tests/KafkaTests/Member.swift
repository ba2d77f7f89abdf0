import Delivery
import Glibc

@testable import Kafka

/// A consumer and everything it has reported, driven as a worker would drive it.
final class Member {
    /// The contents of a record when it was handed over.
    struct Seen: Equatable {
        var assignment: AssignmentID
        var topicPartition: TopicPartition
        var offset: Int64
        var timestamp: Int64?
        var key: String?
        var value: String?
        var headers: [String]
    }

    var consumer: Consumer
    var records: [Seen] = []
    var assigned: [AssignedPartition] = []
    /// How often the group has assigned partitions, or none.
    var assignments = 0
    var revoking: [AssignmentID] = []
    var lost: [AssignmentID] = []
    var replaced: [AssignmentID] = []
    var reports: [CommitReport] = []
    var failures: [KafkaFailure] = []
    /// False when it closed without leaving the group.
    var hasLeft = true
    /// How many records each round may take.
    var limit = 512
    /// Releases revoked partitions at once.
    var givesUpAtOnce = true
    /// What its log has said of its group.
    private var phase = GroupPhase()
    /// True while it waits to join, for a member whose property `debug` has `cgrp`.
    var isJoining: Bool { phase.isJoining(at: 0) }

    init(_ consumer: consuming Consumer) { self.consumer = consumer }

    convenience init(
        _ properties: KafkaProperties, group: String = "group", topic: String = "orders",
        start: StartPosition = .earliest, alwaysFromBeginning: [String] = [],
        instance: String? = nil
    ) throws {
        var all: KafkaProperties = [
            "session.timeout.ms": "4000", "heartbeat.interval.ms": "200",
            "fetch.wait.max.ms": "10", "reconnect.backoff.ms": "20",
            "reconnect.backoff.max.ms": "200",
        ]
        for property in properties.all { all[property.name] = property.value }
        self.init(
            try Consumer(
                properties: all, group: group, topics: [topic], start: start,
                alwaysFromBeginning: alwaysFromBeginning, instance: instance))
    }

    /// One turn: reads records and events; true if there are more.
    @discardableResult
    func turn() -> Bool {
        let taken = consumer.take(atMost: limit) { records.append(Self.read($0)) }
        while let change = consumer.nextChange() {
            switch change {
            case .assigned(let partitions):
                assigned += partitions
                assignments += 1
            case .revoking(let ids):
                revoking += ids
                if givesUpAtOnce { consumer.release(ids) }
            case .lost(let ids): lost += ids
            case .replaced(let id, let partition):
                replaced.append(id)
                assigned.append(partition)
            }
        }
        while let report = consumer.nextCommitReport() { reports.append(report) }
        while let failure = consumer.nextFailure() { failures.append(failure) }
        while let line = consumer.nextLog() { phase.note(line) }
        return limit > 0 && taken == limit
    }

    /// False while a commit would come too late.
    var mayCommit: Bool { consumer.mayCommit }

    /// The partitions that it owns now, by assignment.
    var owned: [AssignmentID: TopicPartition] {
        var owned = Dictionary(uniqueKeysWithValues: assigned.map { ($0.id, $0.topicPartition) })
        for id in revoking + lost + replaced { owned[id] = nil }
        return owned
    }

    private static func read(_ record: borrowing Record) -> Seen {
        var headers: [String] = []
        record.forEachHeader { name, value, isNull in
            headers.append("\(text(name))=\(isNull ? "null" : text(value))")
        }
        return Seen(
            assignment: record.assignment, topicPartition: record.topicPartition,
            offset: record.offset, timestamp: record.timestamp,
            key: record.hasKey ? record.withKey { text($0) } : nil,
            value: record.hasValue ? record.withValue { text($0) } : nil, headers: headers)
    }
}

func text(_ bytes: RawSpan) -> String {
    unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
}

/// Turns the members, waking when they are signalled, until the condition holds or time is up.
func turn(_ members: Member..., seconds: Double = 30, until done: () -> Bool) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    repeat {
        var hasMore = false
        for member in members where member.turn() { hasMore = true }
        if done() { return true }
        var entries = members.map {
            pollfd(fd: $0.consumer.descriptor, events: Int16(POLLIN), revents: 0)
        }
        unsafe poll(&entries, nfds_t(entries.count), hasMore ? 0 : 20)
    } while clock.now < end
    return false
}

/// Writes records with these values to one partition.
func write(
    _ values: [String], to topic: String = "orders", partition: Int32 = 0,
    _ properties: KafkaProperties
) throws {
    var writer = try RecordWriter(properties: properties)
    for value in values {
        try writer.write(topic, value: [UInt8](value.utf8), partition: partition)
    }
    try writer.flush()
}

extension EmbeddedCluster {
    /// A cluster with the topic `orders`.
    static func withOrders(partitions: Int = 1) throws -> EmbeddedCluster {
        let cluster = try EmbeddedCluster()
        try cluster.createTopic("orders", partitions: partitions)
        return cluster
    }

    /// Keeps leaders of groups from assigning partitions before the other members ask for them.
    ///
    /// The mock cluster refuses a member that asks after the leader has assigned (INVALID_REQUEST),
    /// where Kafka answers it: the member then joins again, which begins another rebalance. A
    /// leader first asks for the partitions of topics, by a Metadata request.
    func delayAssignments() { delayRequests(api: 3, count: 1000, milliseconds: 1000) }

    var properties: KafkaProperties { ["bootstrap.servers": bootstrapServers] }
}
