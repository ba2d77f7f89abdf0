import Delivery
import Testing

@Suite struct `A record` {
    private func record(timestamp: Int64? = 5) -> Record {
        Record.owning(
            assignment: AssignmentID(1), topicPartition: TopicPartition(topic: "t", partition: 2),
            offset: 3, timestamp: timestamp, key: [1, 2], value: [],
            headers: [("a", [7]), ("b", nil), ("a", [8, 9])])
    }

    @Test func `provides its key, value and headers unchanged`() {
        let record = record()
        #expect(record.copyKey() == [1, 2])
        #expect(record.copyValue() == [])
        #expect(record.copyHeaders().map(\.name) == ["a", "b", "a"])
        #expect(record.copyHeaders().map(\.value) == [[7], nil, [8, 9]])
        #expect(record.copyHeader("a") == [8, 9])
    }

    @Test(arguments: [-1, 253_402_300_800_000, .max, .min] as [Int64])
    func `has no time outside the range of calendars`(timestamp: Int64) {
        let time = record(timestamp: timestamp).timestamp
        #expect(time == nil)
    }
}
