internal import CFuzzer
internal import Delivery
internal import Mapping

/// Bytes as the value of a record: mapping it must not cost more than its size allows.
///
/// An event of 1 MB may use up ``Mapper/workLimit``, some 60 thousand instructions for each of its
/// bytes; a smaller one can cost as much for each byte, because its elements may repeat its texts.
enum CostTarget {
    /// The most instructions for each byte.
    private static let limit: Int64 = 60_000
    /// What an event costs that has no bytes, and what the clock may be off.
    private static let base: Int64 = 50_000_000

    static func run(_ bytes: [UInt8]) {
        for plan in EventTarget.plans {
            var mapper = Mapper(plan: plan)
            var mapped = MappedRecord()
            let record = Record.owning(
                assignment: AssignmentID(0),
                topicPartition: TopicPartition(topic: "t", partition: 0), offset: 7, timestamp: 0,
                value: bytes)
            let start = fuzzer_instructions()
            mapper.map(record, now: 0, into: &mapped)
            let cost = fuzzer_instructions() - start
            precondition(
                cost <= base + limit * Int64(bytes.count),
                "\(cost) instructions for \(bytes.count) bytes")
        }
    }
}
