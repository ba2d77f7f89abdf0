internal import CRDKafka
internal import Delivery
internal import Synchronization

/// What a group does with topics that match a pattern and of which it lacks offsets.
///
/// `start: latest` is for the topics that match when the group begins: one that appears later is
/// read from its beginning. One member commits where the group begins, at once for all topics that
/// match then: the member with partition 0 of the first of them. The others wait for that commit.
/// So a missing offset beside others always means that topic or partition has appeared since.
struct NewTopics {
    /// The topics that appeared since the group began.
    var appeared: Set<String> = []
    /// The partitions of other members for which this one commits where the group begins.
    var others: [TopicPartition] = []
    /// The partition whose member commits where the group begins; nil unless that is awaited.
    var awaited: TopicPartition?
    var error = RD_KAFKA_RESP_ERR_NO_ERROR
}

extension ConsumerHelper {
    /// Notes that a topic does not exist; false if that is a failure. It is none for a topic that
    /// matches a pattern, whose partitions the group takes away, and for a pattern without a match.
    func noteMissing(_ topic: some StringProtocol) -> Bool {
        let topic = String(topic)
        guard TopicPattern.isPattern(topic) || topics.pattern(of: topic) != nil else {
            return false
        }
        state.withLock { state in
            if state.missing.count >= 1000 {
                state.missing.formIntersection(topics.patterns.map(\.text))
            }
            state.missing.insert(topic)
            if TopicPattern.isPattern(topic) { state.hasMatch = false }
        }
        return true
    }

    /// True when no topic matches a pattern, and none of the source is read by name.
    var awaitsTopics: Bool {
        guard !topics.patterns.isEmpty, topics.names.allSatisfy(alwaysFromBeginning.contains)
        else { return false }
        return state.withLock { state in
            !state.hasMatch && topics.patterns.allSatisfy { state.missing.contains($0.text) }
        }
    }

    /// The group has assigned partitions: those of a topic that matches show that there is one, and
    /// without topics of its own a group does not assign even an empty list before.
    func noteAssigned(_ partitions: [TopicPartition]) {
        guard !topics.patterns.isEmpty else { return }
        let isMatched =
            partitions.isEmpty
            ? topics.names.isEmpty : !topics.matching(partitions.map(\.topic)).isEmpty
        if isMatched { state.withLock { $0.hasMatch = true } }
    }

    /// The patterns that a topic of these partitions matches.
    func patterns(of partitions: [TopicPartition]) -> [String] {
        topics.patterns.filter { pattern in partitions.contains { pattern.matches($0.topic) } }
            .map(\.text)
    }

    /// True for a topic that matches a pattern and did not exist any more.
    func isMissing(_ topic: String) -> Bool { state.withLock { $0.missing.contains(topic) } }

    /// How often a request fails before its topics count as deleted.
    private static let maxTries = 4

    /// True for a topic that matches a pattern while it is open whether it was deleted.
    func mayBeDeleted(_ topic: String, _ request: StartOffsetsRequest) -> Bool {
        request.tries < Self.maxTries && topics.pattern(of: topic) != nil
    }

    /// The topics that match a pattern and were deleted after the group had assigned them.
    ///
    /// Such a topic must not keep the others of the request from being read. The group takes it
    /// away with its next rebalance; if it is created again before that, it is read from its
    /// beginning.
    func deletedTopics(
        among missing: [TopicPartition], _ request: StartOffsetsRequest
    ) -> Set<String> {
        guard request.tries >= Self.maxTries else { return [] }
        let new = topics.matching(Set(missing.map(\.topic)))
        guard !new.isEmpty,
            let found = try? client.allTopics(milliseconds: 2000, areUsable: false)
        else { return [] }
        return Set(new.filter { found[$0] == nil })
    }

    /// How often a member waits for another's commit before it commits itself: half a minute. The
    /// other one may have ended before it did.
    static let maxWaits = 60

    /// Finds out which of the requested partitions are of topics that have appeared; asks Kafka
    /// only for a group that starts at the end of topics. `takesOver` is true for a member that has
    /// waited for another long enough.
    func newTopics(
        _ partitions: [TopicPartition], without missing: [TopicPartition],
        takesOver: Bool = false
    ) -> NewTopics {
        var result = NewTopics()
        let new = start == .latest ? Set(topics.matching(Set(missing.map(\.topic)))) : []
        guard !new.isEmpty else { return result }
        guard let found = try? client.allTopics(milliseconds: 2000) else {
            result.error = RD_KAFKA_RESP_ERR__TIMED_OUT
            return result
        }
        // A topic that was created a moment ago is not known to every broker yet.
        let matching = Set(topics.matching(found.keys)).union(new)
        let groups = Dictionary(grouping: matching) { topics.pattern(of: $0)?.text ?? "" }
        for group in groups.values where !new.isDisjoint(with: group) && !isStopping {
            let names = group.sorted()
            let all = names.flatMap { name in
                let least = partitions.filter { $0.topic == name }.map(\.partition).max() ?? -1
                let count = max(Int32(found[name]?.partitions ?? 0), least + 1)
                return (0..<count).map { TopicPartition(topic: name, partition: $0) }
            }
            guard let offsets = partitionsWithOffsets(among: all, &result.error) else { break }
            let first = TopicPartition(topic: names.first ?? "", partition: 0)
            // All of them were committed at once, if only a moment ago.
            let isCommitted = missing.contains { offsets.contains($0) }
            if !offsets.isEmpty, !isCommitted {
                result.appeared.formUnion(new.intersection(names))
            } else if offsets.isEmpty, takesOver || partitions.contains(first) {
                result.others += Set(all).subtracting(partitions)
            } else {
                result.awaited = first
            }
        }
        return result
    }

    /// Those of these partitions of which the group has an offset; nil when Kafka does not say.
    private func partitionsWithOffsets(
        among partitions: [TopicPartition], _ error: inout rd_kafka_resp_err_t
    ) -> Set<TopicPartition>? {
        let list = PartitionList(partitions)
        var problem = unsafe rd_kafka_committed(client.pointer, list.pointer, 5000)
        var found: Set<TopicPartition> = []
        list.forEach { element in
            if element.offset >= 0 { found.insert(element.partition) }
            let isGone = element.error == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART
            if problem == RD_KAFKA_RESP_ERR_NO_ERROR, !isGone { problem = element.error }
        }
        error = problem
        return problem == RD_KAFKA_RESP_ERR_NO_ERROR ? found : nil
    }

    /// The ends of the logs of other members' partitions, at which the group begins; fewer, with an
    /// error, when one is not known.
    func ends(
        of partitions: [TopicPartition], _ error: inout rd_kafka_resp_err_t
    ) -> [PartitionStart] {
        let counts = Dictionary(grouping: partitions, by: \.topic)
            .mapValues { Int($0.map(\.partition).max() ?? 0) + 1 }
        var ends: [PartitionStart] = []
        for partition in partitions where error == RD_KAFKA_RESP_ERR_NO_ERROR && !isStopping {
            var (low, high): (Int64, Int64) = (0, 0)
            error = unsafe rd_kafka_query_watermark_offsets(
                client.pointer, partition.topic, partition.partition, &low, &high, 2000)
            let mark = LogMark(partitionCount: counts[partition.topic])
            ends.append(
                PartitionStart(partition: partition, committed: high, metadata: mark.text))
        }
        return ends
    }
}
