internal import Delivery
internal import Engine
internal import Kafka

/// Finds the values of events for dead letters that do not have them: of an event with many pushes,
/// only the first dead letter has it.
struct ReplayValues {
    /// How much it keeps of what it has read, in bytes.
    private static let maxBytes = 64 << 20

    private struct Position: Hashable {
        let partition: TopicPartition
        let offset: Int64

        init(_ origin: RecordOrigin) {
            partition = origin.topicPartition
            offset = origin.offset
        }
    }

    private let properties: KafkaProperties
    /// The values by the place of their event; nil for one that is gone.
    private var known: [Position: [UInt8]?] = [:]
    private var order: [Position] = []
    private var byteCount = 0

    init(_ properties: KafkaProperties) { self.properties = properties }

    /// Keeps the value of a dead letter for others of the same event.
    mutating func note(_ letter: StoredDeadLetter, _ value: [UInt8]?) {
        guard let value, !letter.hasValueElsewhere else { return }
        keep(value, at: Position(letter.origin))
    }

    /// The value of the event of a dead letter: that of another dead letter, or that of the record
    /// itself; nil when Kafka has removed both.
    mutating func value(of letter: StoredDeadLetter) throws(KafkaFailure) -> [UInt8]? {
        let position = Position(letter.origin)
        if let found = known[position] { return found }
        let record = try PartitionReader.record(
            at: position.offset, of: position.partition, properties: properties)
        // A topic that was recreated has other records in the places of the old ones.
        let isSame = record.map { $0.timestamp == letter.origin.timestamp } ?? false
        let value = isSame ? record?.value : nil
        keep(value, at: position)
        return value
    }

    private mutating func keep(_ value: [UInt8]?, at position: Position) {
        guard known.updateValue(value, forKey: position) == nil else { return }
        order.append(position)
        byteCount += value?.count ?? 0
        while byteCount > Self.maxBytes, order.count > 1 {
            byteCount -= known.removeValue(forKey: order.removeFirst())??.count ?? 0
        }
    }
}
