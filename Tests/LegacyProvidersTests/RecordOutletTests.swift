import Delivery
import Testing

@testable import LegacyProviders

@Suite struct `The way of a push to Kafka` {
    private static func outlet() -> RecordOutlet<FakeSink> {
        var outlet = RecordOutlet(sink: FakeSink(), topic: "t")
        outlet.publish(ticket: 1, key: [1], value: [2])
        outlet.publish(ticket: 2, key: [3], value: [4])
        return outlet
    }

    @Test func `reports what Kafka has stored, and what it will never accept`() {
        var outlet = Self.outlet()
        var ends: [UInt64: GatewayCore.RecordEnd] = [:]
        outlet.settle(at: .distantPast) {
            ends[$0] = $1
            return []
        }
        let handed = outlet.sink.handed
        #expect(handed == [1, 2])
        outlet.sink.ends = [(1, .stored), (2, .tooLarge)]
        outlet.settle(at: .distantPast) {
            ends[$0] = $1
            return []
        }
        #expect(ends == [1: .stored, 2: .refused])
    }

    @Test func `keeps what there is no room for`() {
        var outlet = Self.outlet()
        outlet.sink.room = 1
        outlet.settle(at: .distantPast) { _, _ in [] }
        let first = outlet.sink.handed
        #expect(first == [1])
        outlet.sink.room = 1
        outlet.settle(at: .distantPast) { _, _ in [] }
        let all = outlet.sink.handed
        #expect(all == [1, 2])
    }

    @Test func `retries failures a second later and in order, silently`() {
        var outlet = Self.outlet()
        var ends: [UInt64] = []
        outlet.settle(at: .distantPast) { ticket, _ in
            ends.append(ticket)
            return []
        }
        let failure = KafkaFailure(code: "TOPIC", detail: "no right", isFatal: false)
        outlet.sink.ends = [(2, .failed(failure)), (1, .failed(failure))]
        outlet.settle(at: .distantPast) { ticket, _ in
            ends.append(ticket)
            return []
        }
        outlet.publish(ticket: 3, key: [], value: [])
        outlet.settle(at: Instant.distantPast + .seconds(1) - .nanoseconds(1)) { ticket, _ in
            ends.append(ticket)
            return []
        }
        let before = (outlet.sink.handed, outlet.failure, outlet.nextDeadline)
        #expect(before.0 == [1, 2] && before.1 == failure)
        #expect(before.2 == .distantPast + .seconds(1))
        outlet.settle(at: Instant.distantPast + .seconds(1)) { ticket, _ in
            ends.append(ticket)
            return []
        }
        let after = outlet.sink.handed
        #expect(after == [1, 2, 1, 2, 3])
        #expect(ends == [])
    }

    @Test func `hands over nothing that is discarded for a record that is too large`() {
        var outlet = Self.outlet()
        outlet.publish(ticket: 3, key: [], value: [])
        outlet.sink.tooLarge = [1]
        var ends: [UInt64: GatewayCore.RecordEnd] = [:]
        outlet.settle(at: .distantPast) {
            ends[$0] = $1
            return $0 == 1 ? [2] : []
        }
        let handed = outlet.sink.handed
        #expect(handed == [3])
        #expect(ends == [1: .refused, 2: .discarded])
    }

    @Test func `does not send again what was discarded while Kafka's library had it`() {
        var outlet = Self.outlet()
        var ends: [UInt64: GatewayCore.RecordEnd] = [:]
        func note(_ ticket: UInt64, _ end: GatewayCore.RecordEnd) -> [UInt64] {
            ends[ticket] = end
            return ticket == 1 ? [2] : []
        }
        outlet.settle(at: .distantPast, note)
        let failure = KafkaFailure(code: "TOPIC", detail: "no right", isFatal: false)
        outlet.sink.ends = [(1, .tooLarge), (2, .failed(failure))]
        outlet.settle(at: .distantPast, note)
        outlet.settle(at: Instant.distantPast + .seconds(2), note)
        let handed = outlet.sink.handed
        #expect(handed == [1, 2])
        #expect(ends == [1: .refused, 2: .discarded])
    }

    @Test func `says that Kafka has what was discarded too late`() {
        var outlet = Self.outlet()
        var ends: [UInt64: GatewayCore.RecordEnd] = [:]
        func note(_ ticket: UInt64, _ end: GatewayCore.RecordEnd) -> [UInt64] {
            ends[ticket] = end
            return ticket == 1 ? [2] : []
        }
        outlet.settle(at: .distantPast, note)
        outlet.sink.ends = [(1, .tooLarge), (2, .stored)]
        outlet.settle(at: .distantPast, note)
        #expect(ends == [1: .refused, 2: .stored])
    }

    @Test func `reports that the sink cannot continue`() {
        var outlet = Self.outlet()
        outlet.settle(at: .distantPast) { _, _ in [] }
        let failure = KafkaFailure(code: "_FATAL", detail: "fenced", isFatal: true)
        outlet.sink.ends = [(1, .failed(failure))]
        outlet.settle(at: .distantPast) { _, _ in [] }
        let isBroken = outlet.isBroken
        #expect(isBroken)
    }
}

/// A sink that takes so much, and ends what the test names.
struct FakeSink: ResultSink, ~Copyable {
    var room = Int.max
    /// Tickets of records of which it refuses the size at once.
    var tooLarge: Set<UInt64> = []
    var handed: [UInt64] = []
    var ends: [(UInt64, Acknowledgement)] = []

    mutating func publish(_ record: borrowing ResultRecord, ticket: UInt64) -> PublishResult {
        guard !tooLarge.contains(ticket) else { return .tooLarge }
        guard room > 0 else { return .full }
        room -= 1
        handed.append(ticket)
        return .queued
    }

    mutating func partitionCount(of topic: String) -> Int? { nil }

    mutating func acknowledgements(_ body: (_ ticket: UInt64, Acknowledgement) -> Void) {
        for (ticket, end) in ends { body(ticket, end) }
        ends = []
    }

    mutating func nextFailure() -> KafkaFailure? { nil }
    mutating func flush() {}
    mutating func close() {}
}
