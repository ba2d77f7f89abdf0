internal import Delivery

/// Hands records to Kafka, and again where that fails, until Kafka has them or refuses their size.
///
/// A failure that a retry may get over, such as a missing right or topic, is waited out: nothing
/// that a provider sent is dropped for it.
struct RecordOutlet<Sink: ResultSink & ~Copyable>: ~Copyable {
    private struct Held {
        var key: [UInt8]
        var value: [UInt8]
        /// Kafka's library has it, and has not told its end.
        var isHandedOver = false
        /// It is not to be sent again if Kafka's library gives it back.
        var isUnwanted = false
    }

    /// How long a record waits after a failure, in nanoseconds.
    private static var pause: UInt64 { 1_000_000_000 }

    var sink: Sink
    private let topic: String
    /// Records whose end Kafka has not told.
    private var held: [UInt64: Held] = [:]
    /// Tickets that are still to be handed over, in order.
    private var queue: [UInt64] = []
    private var head = 0
    private var failed: [UInt64] = []
    private var retryAt: UInt64?
    /// The failure that keeps records waiting; nil when none does.
    private(set) var failure: KafkaFailure?
    /// The sink cannot continue.
    private(set) var isBroken = false

    init(sink: consuming Sink, topic: String) {
        self.sink = sink
        self.topic = topic
    }

    /// When ``settle(at:_:)`` has something to do.
    var nextDeadline: UInt64? { retryAt }

    mutating func publish(ticket: UInt64, key: [UInt8], value: [UInt8]) {
        held[ticket] = Held(key: key, value: value)
        queue.append(ticket)
    }

    /// Hears how a record has ended, and answers with those that are to be discarded for it.
    typealias Ear = (_ ticket: UInt64, GatewayCore.RecordEnd) -> [UInt64]

    /// Hands over what waits, and tells what has ended.
    mutating func settle(at now: UInt64, _ body: Ear) {
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

    private mutating func handOver(at now: UInt64, _ body: Ear) {
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
        _ ticket: UInt64, _ end: Acknowledgement, at now: UInt64, _ body: Ear
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

    /// Forgets a record, and those that are to be discarded for its end.
    private mutating func end(_ ticket: UInt64, _ end: GatewayCore.RecordEnd, _ body: Ear) {
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
