internal import Delivery

/// Publishes records, retrying until Kafka has them or rejects their size.
///
/// Failures that a retry may overcome, such as a missing permission or topic, are waited out:
/// nothing that a provider sent is dropped because of them.
struct RecordOutlet<Sink: ResultSink & ~Copyable>: ~Copyable {
    private struct Held {
        var key: [UInt8]
        var value: [UInt8]
        /// The library has it, and has not reported its result.
        var isHandedOver = false
        /// It must not be published again if the library returns it.
        var isUnwanted = false
    }

    /// How long to wait after a failure.
    private static var pause: Duration { .seconds(1) }

    var sink: Sink
    private let topic: String
    /// Records whose result Kafka has not reported.
    private var held: [UInt64: Held] = [:]
    /// Tickets to publish, in order.
    private var queue: [UInt64] = []
    private var head = 0
    private var failed: [UInt64] = []
    private var retryAt: Instant?
    /// The failure because of which records wait; nil without one.
    private(set) var failure: KafkaFailure?
    /// The sink cannot continue.
    private(set) var isBroken = false

    init(sink: consuming Sink, topic: String) {
        self.sink = sink
        self.topic = topic
    }

    /// When ``settle(at:_:)`` has something to do.
    var nextDeadline: Instant? { retryAt }

    mutating func publish(ticket: UInt64, key: [UInt8], value: [UInt8]) {
        held[ticket] = Held(key: key, value: value)
        queue.append(ticket)
    }

    /// Receives the result of a record, and returns the records to discard because of it.
    typealias ResultHandler = (_ ticket: UInt64, GatewayCore.RecordEnd) -> [UInt64]

    /// Publishes waiting records, and reports results.
    mutating func settle(at now: Instant, _ body: ResultHandler) {
        var ends: [(UInt64, Acknowledgement)] = []
        sink.acknowledgements { ends.append(($0, $1)) }
        for (ticket, end) in ends { note(ticket, end, at: now, body) }
        if let due = retryAt, due <= now {
            retryAt = nil
            queue.insert(contentsOf: failed.sorted(), at: head)
            failed.removeAll()
        }
        handOver(at: now, body)
    }

    private mutating func handOver(at now: Instant, _ body: ResultHandler) {
        while head < queue.count, retryAt == nil {
            let ticket = queue[head]
            guard let record = held[ticket] else {
                head += 1
                continue
            }
            let result = sink.publish(
                ResultRecord(topic: topic, key: record.key, value: record.value, headers: []),
                ticket: ticket)
            if result == .full { break }
            head += 1
            switch result {
            case .queued: held[ticket]?.isHandedOver = true
            case .full: break
            case .tooLarge: note(ticket, .tooLarge, at: now, body)
            case .failed(let failure): note(ticket, .failed(failure), at: now, body)
            }
        }
        queue.removeSubrange(..<head)
        head = 0
    }

    private mutating func note(
        _ ticket: UInt64, _ end: Acknowledgement, at now: Instant, _ body: ResultHandler
    ) {
        held[ticket]?.isHandedOver = false
        switch end {
        case .stored:
            failure = nil
            self.end(ticket, .stored, body)
        case .tooLarge: self.end(ticket, .refused, body)
        case .failed(let failure):
            self.failure = failure
            if failure.isFatal { isBroken = true }
            if held[ticket]?.isUnwanted == true { return self.end(ticket, .discarded, body) }
            failed.append(ticket)
            retryAt = retryAt ?? now + Self.pause
        }
    }

    /// Removes a record, and those to be discarded because of it.
    private mutating func end(
        _ ticket: UInt64, _ end: GatewayCore.RecordEnd, _ body: ResultHandler
    ) {
        held[ticket] = nil
        for other in body(ticket, end) {
            guard let record = held[other] else { continue }
            if record.isHandedOver {
                held[other]?.isUnwanted = true
            } else {
                self.end(other, .discarded, body)
            }
        }
    }
}
