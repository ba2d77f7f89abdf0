import Delivery
import Testing

@Suite struct `A record store` {
    private func record(
        _ offset: Int64, value: [UInt8]? = nil, headers: [ResultRecord.Header] = []
    ) -> Record {
        Record.owning(
            assignment: AssignmentID(1), topicPartition: TopicPartition(topic: "t", partition: 2),
            offset: offset, timestamp: 5, key: [1, 2], value: value, headers: headers)
    }

    @Test func `keeps the memory of one record in a thousand, not of its whole fetch`() {
        var store = RecordStore()
        var waiting: [Int: Int] = [:]
        var kept = Kept()
        for offset in 0..<100_000 {
            let copy = store.copy(
                record(Int64(offset), value: [UInt8](repeating: 7, count: 1000)), adding: 200)
            if offset % 1000 == 0 {
                waiting[offset] = copy.footprint
                kept.add(copy)
            } else {
                store.release(copy)
            }
        }
        let bytes = waiting.values.reduce(0, +)
        #expect(waiting.count == 100)
        #expect(store.byteCount <= 2 * bytes)
        kept.release(to: &store)
    }

    @Test func `releases memory after a burst`() {
        var store = RecordStore()
        var kept = Kept()
        for offset in 0..<10_000 {
            let record = record(Int64(offset), value: [UInt8](repeating: 7, count: 1000))
            kept.add(store.copy(record, adding: 0))
        }
        #expect(store.byteCount > 10_000_000)
        kept.release(to: &store)
        #expect(store.byteCount < 1_000_000)
    }

    @Test func `keeps no memory of large records`() {
        var store = RecordStore()
        for offset in 0..<3 {
            let value = [UInt8](repeating: 7, count: 5_000_000)
            store.release(store.copy(record(Int64(offset), value: value), adding: 0))
        }
        #expect(store.byteCount == 0)
    }

    @Test func `copies key, value and headers, null and empty ones included`() {
        var store = RecordStore()
        let headers: [ResultRecord.Header] = [("a", [7]), ("b", nil), ("", []), ("a", [8, 9])]
        let copy = store.copy(record(3, value: [], headers: headers), adding: 0)
        let tombstone = store.copy(record(4), adding: 0)
        copy.withRecord { record in
            #expect(record.offset == 3 && record.timestamp == 5)
            #expect(record.copyKey() == [1, 2] && record.copyValue() == [])
            #expect(record.copyHeaders().map(\.name) == ["a", "b", "", "a"])
            #expect(record.copyHeaders().map(\.value) == [[7], nil, [], [8, 9]])
        }
        tombstone.withRecord { record in
            #expect(!record.hasValue && record.copyHeaders().isEmpty)
        }
        #expect(copy.hasHeaders && !tombstone.hasHeaders)
        store.release(copy)
        store.release(tombstone)
    }

    @Test func `leaves out headers with a given prefix`() {
        var store = RecordStore()
        let headers: [ResultRecord.Header] = [
            ("apns-bridge-retry-due", [1]), ("apns-bridge", [2]), ("trace", [3]),
        ]
        let copy = store.copy(
            record(3, value: [9], headers: headers), adding: 0, leavingOut: "apns-bridge-")
        copy.withRecord { record in
            #expect(record.copyHeaders().map(\.name) == ["apns-bridge", "trace"])
            #expect(record.copyValue() == [9])
        }
        store.release(copy)
    }

    @Test func `provides the headers added to a copy, whatever their size`() {
        var store = RecordStore()
        for size in [0, 1, 255, 256, 257, 1023, 4096, 65_536, 65_537, 1_000_000] {
            var copy = store.copy(record(0, value: [1]), adding: size)
            let bytes = [UInt8](repeating: 5, count: size)
            let start = copy.append(unsafe bytes.span.bytes)
            let sum = copy.withBytes(at: start, count: size) { bytes in
                (0..<bytes.byteCount).reduce(0) {
                    $0 + Int(unsafe bytes.unsafeLoad(fromByteOffset: $1, as: UInt8.self))
                }
            }
            #expect(sum == 5 * size)
            copy.withRecord { #expect($0.copyValue() == [1]) }
            store.release(copy)
        }
    }

    @Test func `knows the original position of a retried record`() {
        var store = RecordStore()
        let origin = RecordOrigin(
            topicPartition: TopicPartition(topic: "orders", partition: 9), offset: 77,
            timestamp: nil)
        let copy = store.copy(record(3), adding: 0, origin: origin)
        copy.withRecord { record in
            #expect(record.topicPartition == origin.topicPartition && record.offset == 77)
            #expect(record.timestamp == nil && record.assignment == AssignmentID(1))
        }
        store.release(copy)
    }
}

/// Copies that are released later.
private struct Kept: ~Copyable {
    private var last: Link?

    private final class Link {
        var copy: RecordCopy?
        let previous: Link?

        init(_ copy: consuming RecordCopy, _ previous: Link?) {
            self.copy = consume copy
            self.previous = previous
        }
    }

    mutating func add(_ copy: consuming RecordCopy) { last = Link(copy, last) }

    mutating func release(to store: inout RecordStore) {
        while let link = last {
            if let copy = link.copy.take() { store.release(copy) }
            last = link.previous
        }
    }
}
