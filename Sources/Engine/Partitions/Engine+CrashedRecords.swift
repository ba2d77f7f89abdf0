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
            ? retryState(of: record, partitions[index].content) : nil
        let wasSent = suspect.wasSent || state?.doubt != nil
        mapped.reset()
        let place = mapped.append()
        mapped.notifications[place].app = settings.apps.count == 1 ? 0 : AppID.none.index
        mapped.notifications[place].index = state?.index ?? 0
        mapped.notifications[place].eventTime =
            state?.origin.timestamp ?? record.timestamp ?? wallClock
        mapped.notifications[place].drop = Drop(
            .crashed, "the worker crashed while it processed this",
            specifics: ", \(suspect.crashes) times")
        noteCrashed(record, suspect, wasSent ? .unknown : .dropped)
        open(record, retry: state, doubt: wasSent ? DropReason.crashed.rawValue : nil)
    }

    private mutating func retryState(
        of record: borrowing Record, _ content: PartitionProgress.Content
    ) -> RetryState? {
        switch content {
        case .events: return nil
        case .retries: return try? RetryRecord.state(of: record)
        case .replays:
            return try? RetryRecord.replayState(
                of: record, birth: nextBirth(), now: wallClock, until: wallClock)
        }
    }

    private mutating func noteCrashed(
        _ record: borrowing Record, _ suspect: SuspectRecord, _ verdict: Verdict
    ) {
        notices.append(
            Notice(
                .error, "record ended: the worker crashed each time it processed it",
                [
                    ("topic", .text(record.topicPartition.topic)),
                    ("partition", .number(Int(record.topicPartition.partition))),
                    ("offset", .number(Int(record.offset))),
                    ("crashes", .number(suspect.crashes)), ("verdict", .text(verdict.rawValue)),
                    (
                        "action",
                        .text(
                            "this is a fault of the bridge or of its machine: report it with the"
                                + " record and the trace of the crash")
                    ),
                ]))
    }

    /// A partition was assigned whose last starts made no progress.
    mutating func noteSingleRecords(of partition: PartitionProgress) {
        let place = partition.topicPartition
        var fields: [Notice.Field] = [
            ("topic", .text(place.topic)), ("partition", .number(Int(place.partition))),
            ("starts", .number(partition.watch.starts)),
        ]
        if let suspect = partition.watch.suspects.first {
            fields.append(("suspect_offset", .number(Int(suspect.offset))))
            fields.append(("crashes", .number(suspect.crashes)))
        }
        fields.append(
            (
                "action",
                .text(
                    "find out why the bridge was killed or crashed; a record that crashes it is"
                        + " found and ended")
            ))
        notices.append(
            Notice(
                .warning,
                "taking records of the partition one at a time: its last starts made no progress",
                fields))
    }
}
