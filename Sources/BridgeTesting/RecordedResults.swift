public import Delivery
internal import Encoding
internal import JSON

/// A sink that keeps result records in a ``ResultLog`` and acknowledges them as scripted.
public struct RecordedResults: ResultSink, ~Copyable {
    private let producer: Producer

    /// Creates a producer for `log`; `onPublished` is called with each record that it accepts.
    public init(
        log: ResultLog, seed: Seed, onPublished: @escaping (ResultRecord) -> Void = { _ in }
    ) {
        producer = Producer(
            log: log, generator: seed.generator(200), onPublished: onPublished)
    }

    deinit { producer.isClosed = true }

    /// Keeps a copy, whose result the rules of the log decide.
    public mutating func publish(
        _ record: borrowing ResultRecord, ticket: UInt64
    ) -> PublishResult {
        producer.publish(copy record, ticket)
    }

    /// The count given by the log.
    public mutating func partitionCount(of topic: String) -> Int? {
        producer.log.partitionCounts[topic]
    }

    /// Reports finished records.
    public mutating func acknowledgements(_ body: (_ ticket: UInt64, Acknowledgement) -> Void) {
        for (ticket, end) in producer.takeEnded() { body(ticket, end) }
    }

    /// There are no failures besides those of records.
    public mutating func nextFailure() -> KafkaFailure? { nil }

    /// Nothing lingers.
    public mutating func flush() {}

    /// Closes the producer: records in progress may or may not be stored.
    public mutating func close() { producer.isClosed = true }
}

/// The part of a sink that the clock's events refer to.
private final class Producer {
    /// What decides the partition of a record.
    private struct Position: Hashable {
        var topic: String
        var partition: Int32?
        var key: [UInt8]?
    }

    let log: ResultLog
    let onPublished: (ResultRecord) -> Void
    var generator: SeededGenerator
    var isClosed = false
    private var underway = 0
    private var ended: [(UInt64, Acknowledgement)] = []
    /// When the last record of each partition is stored: an idempotent producer keeps their order.
    private var lastStored: [Position: Instant] = [:]
    private var acknowledged: [Int] = []

    init(
        log: ResultLog, generator: SeededGenerator, onPublished: @escaping (ResultRecord) -> Void
    ) {
        self.log = log
        self.onPublished = onPublished
        self.generator = generator
    }

    func publish(_ record: ResultRecord, _ ticket: UInt64) -> PublishResult {
        guard underway < log.queueLimit else { return .full }
        let response =
            log.response(to: record) ?? .stored(after: generator.duration(in: log.latency))
        switch response {
        case .full:
            // Without records in progress, no acknowledgement would announce free room.
            log.clock.schedule(after: log.latency.upperBound) { self.log.clock.wake() }
            return .full
        case .tooLargeAtOnce: return .tooLarge
        case .failedAtOnce: return .failed(log.failure)
        case .stored(let delay): store(record, ticket, after: delay, isConfirmed: true)
        case .storedUnconfirmed(let delay): store(record, ticket, after: delay, isConfirmed: false)
        case .failed(let delay): end(ticket, .failed(log.failure), after: delay)
        case .tooLarge(let delay): end(ticket, .tooLarge, after: delay)
        }
        onPublished(record)
        return .queued
    }

    /// The broker stores the record half-way; the acknowledgement takes the other half.
    private func store(
        _ record: ResultRecord, _ ticket: UInt64, after delay: Duration, isConfirmed: Bool
    ) {
        underway += 1
        // Without a number, the key decides.
        let position = Position(
            topic: record.topic, partition: record.partition,
            key: record.partition == nil ? record.key : nil)
        let time = max(log.clock.now + delay / 2, lastStored[position] ?? .distantPast)
        lastStored[position] = time
        log.clock.schedule(at: time) { [self] in
            log.reach.run(unless: { [self] in isClosed }) { [self] in
                let index = log.store(record)
                log.clock.schedule(after: delay - delay / 2) { [self] in
                    log.reach.run { [self] in stored(index, ticket, isConfirmed: isConfirmed) }
                }
            }
        }
    }

    private func stored(_ index: Int, _ ticket: UInt64, isConfirmed: Bool) {
        underway -= 1
        guard !isClosed else { return }
        if isConfirmed { acknowledged.append(index) }
        ended.append((ticket, isConfirmed ? .stored : .failed(log.failure)))
        log.clock.wake()
    }

    private func end(_ ticket: UInt64, _ end: Acknowledgement, after delay: Duration) {
        underway += 1
        log.clock.schedule(after: delay) { [self] in
            underway -= 1
            guard !isClosed else { return }
            ended.append((ticket, end))
            log.clock.wake()
        }
    }

    func takeEnded() -> [(UInt64, Acknowledgement)] {
        for index in acknowledged { log.acknowledge(index) }
        acknowledged = []
        defer { ended = [] }
        return ended
    }
}
