import Delivery
import Kafka
import Testing

@Suite struct `A writer of records without a Kafka` {
    private func writer() throws -> RecordWriter {
        try RecordWriter(properties: [
            "bootstrap.servers": "127.0.0.1:1", "queue.buffering.max.messages": "1",
        ])
    }

    @Test func `stops waiting for room for a record when it is asked to`() throws {
        var writer = try writer()
        try writer.write("orders", value: [1])
        var asked = 0
        let isWanted = {
            asked += 1
            return asked < 3
        }
        try writer.write("orders", value: [2], while: isWanted)
        #expect(asked == 3)
    }

    @Test func `stops waiting for acknowledgements when it is asked to`() throws {
        var writer = try writer()
        try writer.write("orders", value: [1])
        try writer.flush(timeoutMilliseconds: 600_000, while: { false })
    }

    @Test func `fails when records are not acknowledged in time`() throws {
        var writer = try writer()
        try writer.write("orders", value: [1])
        let failure = #expect(throws: KafkaFailure.self) {
            try writer.flush(timeoutMilliseconds: 1)
        }
        #expect(failure?.code == "_TIMED_OUT")
    }
}
