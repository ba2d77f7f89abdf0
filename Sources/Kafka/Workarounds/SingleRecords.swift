internal import CRDKafka

/// Records that the library passes over when they are taken in batches; fixed in librdkafka 2.13.2.
///
/// Since 2.2 `rd_kafka_consume_batch_queue` takes the end of a partition, and an error, for a
/// record of the application: its position moves past one that was not handed over, and after a
/// pause or a change of the assignment the library reads on behind it (confluentinc/librdkafka
/// issue 4844). There they are taken one at a time.
struct SingleRecords {
    /// True for the versions that need this workaround.
    static let areNeeded = areNeeded(version: rd_kafka_version())

    static func areNeeded(version: Int32) -> Bool { (0x0202_0000..<0x020D_0200).contains(version) }

    /// Takes at most so many messages of a queue without waiting; returns how many there were.
    static func take(
        _ limit: Int, of queue: OpaquePointer?,
        into batch: UnsafeMutableBufferPointer<UnsafeMutablePointer<rd_kafka_message_t>?>
    ) -> Int {
        var count = 0
        while count < limit, let message = unsafe rd_kafka_consume_queue(queue, 0) {
            unsafe batch[count] = message
            count += 1
        }
        return count
    }
}
