internal import CRDKafka
internal import Delivery

/// When the library's queue was empty: what it announces later had not happened before.
struct LogEnds {
    /// The last moment at which everything that had arrived was taken.
    private(set) var emptyAt = Instant.distantPast

    /// Everything that had arrived was taken.
    mutating func queueWasEmpty() {
        emptyAt = Instant(nanoseconds: UInt64(milliseconds()) * 1_000_000)
    }
}

/// Records that come while this member waits at the end of a log, and the broker's times of them.
///
/// Such a record was stored after the queue had been empty for the last time before the library
/// announced the end, however long its threads or this one stood still in between.
extension Assignments {
    /// The library announces that the log had no more records.
    ///
    /// With transactions, that is where the first open one begins: its records are older.
    mutating func reachedEnd(_ message: UnsafeMutablePointer<rd_kafka_message_t>) {
        guard let index = unsafe slot(of: message), let client else { return }
        var (low, high): (Int64, Int64) = (-1, -1)
        let partition = slots[index].topicPartition
        let error = unsafe rd_kafka_get_watermark_offsets(
            client.pointer, partition.topic, partition.partition, &low, &high)
        guard error == RD_KAFKA_RESP_ERR_NO_ERROR, unsafe high == message.pointee.offset,
            !slots[index].isRevoked, slots[index].fault == nil
        else { return }
        setEnd(at: index, logEnds.emptyAt > .distantPast ? logEnds.emptyAt : nil)
    }

    /// The logs are read again from earlier records.
    mutating func forgetEnds() {
        for index in slots.indices { setEnd(at: index, nil) }
    }

    /// The broker's time of a record that is handed over, if it came at the end of its log.
    mutating func appendTime(
        of message: UnsafeMutablePointer<rd_kafka_message_t>, at index: Int
    ) -> AppendTime? {
        guard slots[index].endedAt != nil else { return nil }
        return unsafe leaveEnd(message, at: index)
    }

    private mutating func leaveEnd(
        _ message: UnsafeMutablePointer<rd_kafka_message_t>, at index: Int
    ) -> AppendTime? {
        var kind = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE
        let time = unsafe rd_kafka_message_timestamp(message, &kind)
        let ended = slots[index].endedAt
        setEnd(at: index, nil)
        guard let ended, kind == RD_KAFKA_TIMESTAMP_LOG_APPEND_TIME, time > 0
        else { return nil }
        return AppendTime(time: time, notBefore: ended)
    }
}
