internal import Delivery
internal import Encoding

/// What a result sink promises.
extension ConformanceTrial {
    func everyResult() throws {
        let topic = try kafka.createTopic(partitions: 1)
        let sink = try kafka.openSink()
        let records = (0..<60).map { Self.record($0, 0) }
        for (number, record) in records.enumerated() {
            let ticket = UInt64(1000 + number)
            let result = sink.publish(record, to: topic, ticket: ticket)
            expect(result == .queued, "not queued: \(result)")
        }
        acknowledge(sink, records.count)
        for (ticket, result) in sink.acknowledged {
            expect((1000..<1060).contains(ticket), "acknowledged an unknown ticket: \(ticket)")
            expect(result == .stored, "ticket \(ticket): \(result)")
        }
        let stored = try kafka.records(of: topic)
        expect(stored == records, "differs from what was published: \(stored)")
        close(sink)
    }

    func resultOrder() throws {
        let topic = try kafka.createTopic(partitions: 4)
        let sink = try kafka.openSink()
        turn("the partitions are counted") { sink.partitionCount(of: topic) == 4 }
        for number in 0..<200 {
            let key = Array("key \(number % 7)".utf8)
            let value = Array("\(number)".utf8)
            let partition: Int32? = number % 7 == 0 ? 2 : nil
            let record = KafkaRecord(key: key, value: value, partition: partition)
            let result = sink.publish(record, to: topic, ticket: UInt64(number))
            expect(result == .queued, "not queued: \(result)")
        }
        acknowledge(sink, 200)
        let stored = try kafka.records(of: topic)
        for (key, records) in Dictionary(grouping: stored, by: \.key) {
            let numbers = records.compactMap { record in
                record.value.flatMap { Int(String(decoding: $0, as: UTF8.self)) }
            }
            expect(numbers == numbers.sorted(), "out of order: \(numbers)")
            expect(numbers.count >= 28, "\(numbers.count) results of a key")
            let partitions = Set(records.map(\.partition))
            expect(partitions.count == 1, "a key in several partitions: \(partitions)")
            if key == Array("key 0".utf8) { expect(partitions == [2], "stored in \(partitions)") }
        }
        close(sink)
    }

    func largeResult() throws {
        let topic = try kafka.createTopic(partitions: 1)
        let sink = try kafka.openSink()
        var isRejectedAtOnce = false
        // Not compressible, because Kafka limits the size of what is compressed.
        var generator = SeededGenerator(seed: 1)
        let block = (0..<131_072).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let blocks = repeatElement(block, count: kafka.largestResult / block.count + 1)
        let values = [Array(block.prefix(10)), Array(blocks.joined()), Array(block.prefix(20))]
        for (number, value) in values.enumerated() {
            let record = KafkaRecord(key: nil, value: value)
            let result = sink.publish(record, to: topic, ticket: UInt64(number))
            if number != 1 || result == .queued {
                expect(result == .queued, "not queued: \(result)")
            } else {
                expect(result == .tooLarge, "the large one: \(result)")
                isRejectedAtOnce = true
            }
        }
        turn("the large one is rejected") {
            sink.turn()
            return isRejectedAtOnce || sink.acknowledged[1] == .tooLarge
        }
        turn("the others are stored") {
            sink.turn()
            return sink.acknowledged[0] == .stored && sink.acknowledged[2] == .stored
        }
        let stored = try kafka.records(of: topic).map { $0.value?.count }
        expect(stored == [10, 20], "stored: \(stored)")
        close(sink)
    }

    private func acknowledge(_ sink: ObservedSink, _ count: Int) {
        turn("all results are acknowledged") {
            sink.turn()
            return sink.acknowledged.count >= count
        }
    }

    private func close(_ sink: ObservedSink) {
        turn(seconds: 1) {
            sink.turn()
            return false
        }
        violate(sink.violations)
        sink.close()
    }
}
