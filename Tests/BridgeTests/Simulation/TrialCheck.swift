import BridgeTesting
import Delivery
import EventLoop

@testable import Engine

/// Checks that APNs has no other push of a worker while Kafka has a commit of that worker that
/// names a record which has crashed a worker before: a crash would count against that record.
struct TrialCheck {
    /// A record of a partition that is being tried, as the last commit says.
    private struct Trial {
        var commit: SeededTopic.Commit
        var offset: Int64
    }

    private var trials: [Int32: Trial] = [:]
    private var commitsSeen = 0

    /// Notes the commits that were stored since the last call.
    mutating func note(_ topic: SeededTopic) {
        guard topic.commits.count > commitsSeen else { return }
        for commit in topic.commits[commitsSeen...] {
            let suspects = StartMark(metadata: commit.position.metadata).suspects
            let tried = suspects.first { $0.isBeingTried && $0.crashes > 0 }
            trials[commit.partition] = tried.map { Trial(commit: commit, offset: $0.offset) }
        }
        commitsSeen = topic.commits.count
    }

    /// A partition is assigned: its owner has read what is named, and counts that crash once.
    mutating func assigned(_ partition: Int32, _ topic: SeededTopic) {
        note(topic)
        trials[partition] = nil
    }

    /// True when nothing is being tried.
    var isIdle: Bool { trials.isEmpty }

    /// What is wrong with the pushes of a member that APNs has, by the place of their records.
    func mistake(
        _ member: SeededMember, sent: [(topicPartition: TopicPartition, offset: Int64)]
    ) -> String? {
        for (partition, trial) in trials
        where trial.commit.member == member.number && member.partitions.contains(partition)
            && member.topic.committed[partition] == trial.commit.position
        {
            let topicPartition = member.topic.topicPartition(partition)
            if let other = sent.first(where: {
                $0.topicPartition != topicPartition || $0.offset != trial.offset
            }) {
                return
                    "offset \(other.offset) of partition \(other.topicPartition.partition)"
                    + " is with APNs while a commit names offset \(trial.offset) of \(partition)"
            }
        }
        return nil
    }
}

extension Engine {
    /// The places, as read, of the records of which APNs has a push.
    var offsetsInFlight: [(topicPartition: TopicPartition, offset: Int64)] {
        pushes.slotRange.compactMap { slot in
            let id = pushes.id(of: slot)
            guard pushes.isCurrent(id), pushes[id].state.kind == .inFlight,
                let partition = partitions[assignment(of: id)]
            else { return nil }
            return (partition.topicPartition, records[pushes[id].record.slot].offset)
        }
    }
}
