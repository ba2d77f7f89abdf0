import Delivery
import Encoding
import Foundation
import Kafka
import Testing

/// A group that reads topics by a pattern, while a seed creates and deletes topics, and lets
/// members join and leave.
private final class ChangingTopics {
    private static let maxMembers = 3

    private let kafka: RealKafka
    private let prefix = RealKafka.uniqueName()
    private let group = RealKafka.uniqueName()
    private var random: SeededGenerator
    private var members: [KafkaMember] = []
    private var topicCount = 0
    /// How many records each partition has; of a deleted topic none.
    private var written: [TopicPartition: Int64] = [:]
    /// The offsets that somebody has read.
    private var read: [TopicPartition: Set<Int64>] = [:]
    /// What the group has stored, as far as its members know.
    private var stored: [TopicPartition: Int64] = [:]
    /// How many assignments and reports of each member have been noted.
    private var noted: [ObjectIdentifier: (assigned: Int, reports: Int)] = [:]
    private(set) var broken: [String] = []
    private(set) var history: [String] = []

    init(_ kafka: RealKafka, seed: UInt64) throws {
        self.kafka = kafka
        random = SeededGenerator(seed: seed)
        // It stays, and so do the group's offsets; what is in it was there before the group.
        let first = "\(prefix).0"
        try kafka.createTopic(first, partitions: 2)
        try fill(kafka, first, count: 4, partitions: 2)
        for partition in 0..<2 {
            let first = TopicPartition(topic: first, partition: Int32(partition))
            (written[first], read[first], stored[first]) = (2, [0, 1], 2)
        }
        try join()
        try wait("the first member has the first topic") { members[0].owned.count == 2 }
    }

    deinit { for member in members { member.consumer.close() } }

    func step() throws {
        switch random.next(upperBound: 8 as UInt64) {
        case 0, 1: try create()
        case 2: try delete()
        case 3 where members.count < Self.maxMembers: try join()
        case 4 where members.count > 1: try leave()
        default: try write()
        }
        if Bool.random(using: &random) {
            try waitUntilRead()
        } else {
            turn()
        }
    }

    private func create() throws {
        topicCount += 1
        let topic = "\(prefix).\(topicCount)"
        let partitions = Int.random(in: 1...2, using: &random)
        history.append("create \(topicCount)")
        try kafka.createTopic(topic, partitions: partitions)
        for partition in 0..<partitions {
            written[TopicPartition(topic: topic, partition: Int32(partition))] = 0
        }
        try write(to: topic)
    }

    private func write() throws {
        let topics = Set(written.keys.map(\.topic)).sorted()
        try write(to: try #require(topics.randomElement(using: &random)))
    }

    private func write(to topic: String) throws {
        let partitions = written.keys.filter { $0.topic == topic }
        let count = Int.random(in: 1...5, using: &random)
        try fill(kafka, topic, count: count * partitions.count, partitions: partitions.count)
        for partition in partitions { written[partition, default: 0] += Int64(count) }
        history.append("write \(count) to \(topic)")
    }

    /// What has not been read of it is gone.
    private func delete() throws {
        let topics = Set(written.keys.map(\.topic)).subtracting(["\(prefix).0"]).sorted()
        guard let topic = topics.randomElement(using: &random) else { return }
        history.append("delete \(topic)")
        try kafka.deleteTopic(topic)
        for partition in written.keys where partition.topic == topic {
            (written[partition], read[partition], stored[partition]) = (nil, nil, nil)
        }
    }

    private func join() throws {
        history.append("join")
        members.append(
            try KafkaMember(
                kafka, group: group, topic: "^\(prefix)\\..*", start: .latest,
                ["topic.metadata.refresh.interval.ms": "1000"]))
    }

    /// A member leaves as a bridge does: after its last commit.
    private func leave() throws {
        history.append("leave")
        let member = members.remove(at: Int.random(in: members.indices, using: &random))
        member.commitAll(recordsCount: true)
        let sent = member.reports.count
        let isWaiting = member.owned.keys.contains { member.offsets[$0] != nil }
        if isWaiting {
            try wait("the last commit is answered") {
                member.turn()
                return member.reports.count > sent
            }
        }
        note(member)
        noted[ObjectIdentifier(member)] = nil
        member.consumer.close()
    }

    /// Lets all members read and commit, and checks what they have done.
    private func turn() {
        for member in members {
            member.turn()
            note(member)
            member.commitAll(recordsCount: true)
        }
    }

    /// Checks what a member has done since the last time.
    private func note(_ member: KafkaMember) {
        let before = noted[ObjectIdentifier(member)] ?? (0, 0)
        noted[ObjectIdentifier(member)] = (member.assigned.count, member.reports.count)
        for partition in member.assigned[before.assigned...] {
            let name = partition.topicPartition
            let start = partition.committed ?? 0
            if written[name] != nil, start < stored[name] ?? 0 {
                broken.append("\(name) is read again from \(start): \(stored[name] ?? 0) is stored")
            }
        }
        let names = Dictionary(
            member.assigned.map { ($0.id, $0.topicPartition) }, uniquingKeysWith: { $1 })
        for (id, offsets) in member.offsets {
            guard let name = names[id], written[name] != nil else { continue }
            read[name, default: []].formUnion(offsets)
        }
        for report in member.reports[before.reports...] where report.failure == nil {
            for commit in report.commits {
                guard let name = names[commit.assignment], written[name] != nil else { continue }
                stored[name] = max(stored[name] ?? 0, commit.next)
            }
        }
    }

    /// Waits until somebody has read everything that is in the topics that there are.
    func waitUntilRead() throws {
        try wait("everything is read") {
            written.allSatisfy { partition, count in
                Int64(read[partition]?.count ?? 0) >= count
            }
        }
    }

    private func wait(_ what: String, until isDone: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(120)
        while true {
            turn()
            if try isDone() { return }
            try #require(
                ContinuousClock.now < end, "\(what) is late: \(history) \(missing) \(states)")
            var entries = members.map {
                pollfd(fd: $0.consumer.descriptor, events: Int16(POLLIN), revents: 0)
            }
            unsafe poll(&entries, nfds_t(entries.count), 20)
        }
    }

    /// What the members own, from which position, and what has failed there.
    private var states: [String] {
        members.map { member in
            let owned = member.owned.map { id, partition in
                let start = member.assigned.first { $0.id == id }?.committed ?? -1
                let last = member.offsets[id]?.max() ?? -1
                return "\(partition.topic)/\(partition.partition) from \(start), read \(last)"
            }
            let phase = member.consumer.mayCommit ? "in the group" : "joining"
            return "\(phase): \(owned.sorted()) \(member.failures)"
        }
    }

    private var missing: [String] {
        written.compactMap { partition, count in
            let found = read[partition]?.count ?? 0
            return found < count ? "\(found) of \(count) in \(partition)" : nil
        }
    }
}

@Suite(RealKafka.available, .serialized) struct `Topics that come and go under a group` {
    @Test(arguments: [1, 2] as [UInt64])
    func `are read to their ends while members join and leave, and nothing stored again`(
        seed: UInt64
    ) throws {
        let world = try ChangingTopics(try RealKafka.shared(), seed: seed)
        for _ in 0..<24 { try world.step() }
        try world.waitUntilRead()
        #expect(world.broken == [], "\(world.history)")
    }
}
