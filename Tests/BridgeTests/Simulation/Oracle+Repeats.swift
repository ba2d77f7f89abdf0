import BridgeTesting
import Delivery
import Encoding

/// Checks that nothing is pushed again of which a commit says that it is done.
extension Oracle {
    /// A push is stored in the retry topic, whether or not its writer learns that.
    func noteStored(_ headers: [ResultRecord.Header], _ partition: Int32, _ offset: Int64) {
        guard let (position, id, _) = Self.retry(headers),
            !isPast(Self.retryTime(headers), at: position)
        else { return }
        retryLogs.noteStored(
            RetryLogs.Push(position, id), at: Position(partition: partition, offset: offset),
            mayMiss: topic.awaitingReset.contains(partition))
    }

    /// A member moves a push to the retry topic only while it has the record, or one of those that
    /// the push has there: else the next owner sends it, too. A record whose log was replaced has
    /// no next owner, nor has one that Kafka has removed.
    func checkRetry(_ headers: [ResultRecord.Header], of member: SeededMember) {
        guard let (position, id, _) = Self.retry(headers),
            !isPast(Self.retryTime(headers), at: position)
        else { return }
        let locations = retryLogs[RetryLogs.Push(position, id)]
        let partitions = [position.partition] + locations.known.map(\.partition)
        guard !locations.mayBeGone, !partitions.contains(where: member.mayOwn),
            !([position] + locations.known).contains(where: { isLeftOver($0, of: member) })
        else { return }
        fail("member \(member.number) moves a push of \(position), not its own, to the retry topic")
    }

    /// What commits covered is not pushed again by the next owners of the partitions: that of the
    /// record, and those where the push lies in the retry topic.
    func checkRepeat(_ outcome: String, at position: Position, _ retries: RetryLogs.Positions) {
        guard !hasClockJumped, !retries.mayBeGone,
            let sent = outcome.components(after: #""sent_at":""#)?.quoted,
            ([position] + retries.known).allSatisfy({ wasCovered($0, before: sent) })
        else { return }
        let begin = assigned[position.partition]?.at ?? ""
        fail("\(position) was pushed at \(sent), and covered by a commit at \(begin)")
    }

    /// True for a record that a member had before its position was reset: whether anybody will read
    /// it again cannot be known, so the member finishes it, whoever has the partition by then.
    private func isLeftOver(_ position: Position, of member: SeededMember) -> Bool {
        member.handedBeforeReset[position.partition].map { position.offset <= $0 } ?? false
    }

    /// The same for any member that had not left when it sent the push.
    private func isLeftOver(_ position: Position, sent: Substring) -> Bool {
        topic.members.contains { member in
            isLeftOver(position, of: member)
                && member.leftAt.map { sent <= Timestamp.text(milliseconds: $0) } ?? true
        }
    }

    /// True when a commit covered a record before its partition was assigned last, earlier than
    /// that. A record that Kafka has removed is finished by whoever has it.
    private func wasCovered(_ position: Position, before sent: Substring) -> Bool {
        guard let assigned = assigned[position.partition], sent > assigned.at,
            !sharedPartitions.contains(position.partition),
            position.offset >= topic.range(of: position.partition).low,
            !isLeftOver(position, sent: sent)
        else { return false }
        return position.offset < assigned.next || assigned.completed.contains(position.offset)
    }

    /// Where the broker refuses metadata, half of that is used from then on.
    func note(_ report: CommitReport, of member: Int) {
        guard report.failure?.code == "OFFSET_METADATA_TOO_LARGE" else { return }
        for commit in report.commits {
            let length = commit.metadata.unicodeScalars.count
            guard length <= metadataLeft[member] ?? .max else { continue }
            metadataLeft[member] = length / 2
        }
    }

    func checkLength(of commit: SeededTopic.Commit) {
        let length = commit.position.metadata.unicodeScalars.count
        let maximum = metadataLeft[commit.member] ?? .max
        if length > maximum {
            fail("\(commit) has \(length) characters, where \(maximum) are left")
        }
    }
}
