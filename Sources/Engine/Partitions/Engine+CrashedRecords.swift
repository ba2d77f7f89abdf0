internal import Configuration
internal import Delivery

/// Records that crash the worker: how they are ended, and what the log says.
extension Engine {
    /// Ends a record that has crashed the worker each time it was tried, without mapping it.
    ///
    /// A retry record is not even read after two more crashes: without the position of its event,
    /// it is reported as a whole.
    mutating func end(_ record: borrowing Record, _ suspect: SuspectRecord, _ index: Int) {
        counters.records += 1
        partitions[index].watch.hasTaken = true
        guard partitions[index].tracker.begin(record.offset) else { return }
        let state =
            suspect.crashes < StartWatch.toleratedCrashes + 2
            ? stateOfCrashed(record, partitions[index].content) : nil
        let wasSent = suspect.wasSent || state?.doubt != nil
        mapped.reset()
        let position = mapped.append()
        mapped.notifications[position].app = settings.apps.count == 1 ? 0 : AppID.none.index
        mapped.notifications[position].index = state?.index ?? 0
        mapped.notifications[position].eventTime =
            state?.origin.timestamp ?? record.timestamp ?? wallClock
        mapped.notifications[position].drop = Drop(
            .crashed, "the worker crashed while it processed this",
            specifics: ", \(suspect.crashes) times")
        notices.append(
            .crashed(
                record.topicPartition, offset: record.offset, crashes: suspect.crashes,
                wasSent ? .unknown : .dropped))
        open(record, retry: state, doubt: wasSent ? DropReason.crashed.rawValue : nil)
    }

    /// What a record says about its push; nil if that cannot be read, or somebody else may have
    /// written it.
    private mutating func stateOfCrashed(
        _ record: borrowing Record, _ content: PartitionProgress.Content
    ) -> RetryState? {
        switch content {
        case .events: nil
        case .retries: try? retryState(of: record)
        case .replays: try? replayState(of: record, until: wallClock)
        }
    }

    /// A partition was assigned whose last starts made no progress.
    mutating func noteSingleRecords(of partition: PartitionProgress) {
        notices.append(
            .takenOneAtATime(
                partition.topicPartition, starts: partition.watch.starts,
                suspect: partition.watch.suspects.first))
    }
}
