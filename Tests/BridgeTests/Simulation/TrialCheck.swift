import BridgeTesting
import Delivery
import EventLoop

@testable import Engine

/// Checks that APNs has no other push of a worker while Kafka has a commit of that worker that
/// counts a start against the first record of a partition: the end of the process would count
/// against that record.
struct TrialCheck {
    private var trials: [Int32: SeededTopic.Commit] = [:]
    private var startsBefore: [Int32: Int] = [:]
    private var commitsSeen = 0

    /// Notes the commits that were stored since the last call.
    mutating func note(_ topic: SeededTopic) {
        guard topic.commits.count > commitsSeen else { return }
        for commit in topic.commits[commitsSeen...] {
            let starts = StartMark(metadata: commit.position.metadata).starts
            let before = startsBefore[commit.partition] ?? 0
            trials[commit.partition] = before >= 3 && starts > before ? commit : nil
        }
        commitsSeen = topic.commits.count
    }

    /// A partition is assigned: its owner has read how many starts are counted.
    mutating func assigned(_ partition: Int32, _ topic: SeededTopic) {
        note(topic)
        trials[partition] = nil
        let committed = topic.committed[partition]
        startsBefore[partition] =
            StartMark(metadata: committed?.metadata ?? "", next: committed?.next ?? 0).starts
    }

    /// True when no record is alone.
    var isIdle: Bool { trials.isEmpty }

    /// What is wrong with the pushes of a member that APNs has, by the place of their records.
    func mistake(
        _ member: SeededMember, sent: [(topicPartition: TopicPartition, offset: Int64)]
    ) -> String? {
        for (partition, trial) in trials
        where trial.member == member.number && member.partitions.contains(partition)
            && member.topic.committed[partition] == trial.position
        {
            let topicPartition = member.topic.topicPartition(partition)
            if let other = sent.first(where: { $0.topicPartition != topicPartition }) {
                return
                    "offset \(other.offset) of partition \(other.topicPartition.partition) is with"
                    + " APNs while a commit counts a start against the first record of \(partition)"
            }
            if Set(sent.map(\.offset)).count > 1 {
                return "several records of \(partition) are with APNs while a commit counts a"
                    + " start against the first"
            }
        }
        return nil
    }
}

extension Engine {
    /// The places, as read, of the records of which APNs has a push.
    var offsetsInFlight: [(topicPartition: TopicPartition, offset: Int64)] {
        pushesCell.value.slotRange.compactMap { slot in
            let id = pushesCell.value.id(of: slot)
            guard pushesCell.value.isCurrent(id), pushesCell.value[id].state.kind == .inFlight,
                let partition = intakeCell.value.partitions[pushesCell.value.assignment(of: id)]
            else { return nil }
            return (partition.topicPartition, pushesCell.value[recordOf: id].offset)
        }
    }
}
