public import Delivery
internal import EventLoop

/// A result sink, driven as a worker drives it, with everything that it has reported.
public final class ObservedSink {
    private let sink: any AnySink
    /// How the sink has answered each ticket that it had queued.
    private(set) var acknowledged: [UInt64: Acknowledgement] = [:]
    private(set) var violations: [String] = []

    /// Observes a sink.
    public init<Sink: ResultSink & ~Copyable>(_ sink: consuming Sink) {
        self.sink = SinkBox(sink)
    }

    /// Publishes a record whose headers and content are copied.
    func publish(_ record: KafkaRecord, to topic: String, ticket: UInt64) -> PublishResult {
        sink.publish(
            ResultRecord(
                topic: topic, partition: record.partition, key: record.key, value: record.value,
                headers: record.resultHeaders), ticket: ticket)
    }

    func partitionCount(of topic: String) -> Int? { sink.partitionCount(of: topic) }

    /// Takes acknowledgements.
    func turn() {
        sink.acknowledgements { ticket, result in
            if acknowledged.updateValue(result, forKey: ticket) != nil {
                violations.append("ticket \(ticket) was acknowledged twice")
            }
        }
        while let failure = sink.nextFailure() { violations.append("\(failure)") }
    }

    func close() { sink.close() }
}

/// A sink whose type is hidden.
private protocol AnySink: AnyObject {
    func publish(_ record: borrowing ResultRecord, ticket: UInt64) -> PublishResult
    func partitionCount(of topic: String) -> Int?
    func acknowledgements(_ body: (_ ticket: UInt64, Acknowledgement) -> Void)
    func nextFailure() -> KafkaFailure?
    func close()
}

private final class SinkBox<Sink: ResultSink & ~Copyable>: AnySink {
    private var sink: Sink

    init(_ sink: consuming Sink) { self.sink = sink }

    func publish(_ record: borrowing ResultRecord, ticket: UInt64) -> PublishResult {
        sink.publish(record, ticket: ticket)
    }
    func partitionCount(of topic: String) -> Int? { sink.partitionCount(of: topic) }
    func acknowledgements(_ body: (_ ticket: UInt64, Acknowledgement) -> Void) {
        sink.acknowledgements(body)
    }
    func nextFailure() -> KafkaFailure? { sink.nextFailure() }
    func close() { sink.close() }
}
