import Delivery
import Glibc
import Kafka
import Testing

/// A producer and everything it has reported.
private final class Harness {
    var producer: Producer
    var ended: [UInt64: Acknowledgement] = [:]
    var failures: [KafkaFailure] = []

    init(_ properties: KafkaProperties) throws { producer = try Producer(properties: properties) }

    /// Waits for acknowledgements, as a loop would, until there are so many.
    func wait(for count: Int, seconds: Double = 20) -> Bool {
        turn(seconds: seconds) { ended.count >= count }
    }

    /// Hands over a record for partition 1.
    func publish(_ key: [UInt8]?, _ value: [UInt8]?, ticket: UInt64) -> PublishResult {
        producer.publish(
            ResultRecord(topic: "outcomes", partition: 1, key: key, value: value, headers: []),
            ticket: ticket)
    }

    /// Takes acknowledgements, as a loop would, until a condition holds.
    func turn(seconds: Double = 20, until done: () -> Bool) -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        repeat {
            producer.acknowledgements { ended[$0] = $1 }
            while let failure = producer.nextFailure() { failures.append(failure) }
            while producer.nextLog() != nil {}
            if done() { return true }
            var entry = pollfd(fd: producer.descriptor, events: Int16(POLLIN), revents: 0)
            unsafe poll(&entry, 1, 50)
        } while clock.now < end
        return false
    }

    func publish(
        _ value: [UInt8]?, key: [UInt8]? = nil, headers: [ResultRecord.Header] = [],
        to topic: String = "outcomes", ticket: UInt64
    ) -> PublishResult {
        producer.publish(
            ResultRecord(topic: topic, key: key, value: value, headers: headers), ticket: ticket)
    }
}

@Suite struct `A producer` {
    @Test func `reports a record that no broker accepted in time`() throws {
        let harness = try Harness(
            ["bootstrap.servers": "127.0.0.1:1", "message.timeout.ms": "300"])
        #expect(harness.publish([1], ticket: 9) == .queued)
        #expect(harness.wait(for: 1))
        guard case .failed(let failure) = harness.ended[9] else {
            Issue.record("\(harness.ended)")
            return
        }
        #expect(failure.code == "_MSG_TIMED_OUT")
        #expect(!failure.isFatal)
        #expect(harness.failures.contains { $0.code == "_TRANSPORT" })
    }

    @Test func `counts the records that are not acknowledged, and none once it is closed`() throws {
        let harness = try Harness(["bootstrap.servers": "127.0.0.1:1"])
        for ticket in UInt64(0)..<300 { #expect(harness.publish([1], ticket: ticket) == .queued) }
        // The library's own events count, too.
        #expect((300..<310).contains(harness.producer.queuedRecords))
        harness.producer.close()
        #expect(harness.producer.queuedRecords == 0)
    }

    @Test func `rejects a record that is larger than it may send`() throws {
        let cluster = try EmbeddedCluster()
        let harness = try Harness(
            ["bootstrap.servers": cluster.bootstrapServers, "message.max.bytes": "2000"])
        #expect(harness.publish([UInt8](repeating: 1, count: 3000), ticket: 1) == .tooLarge)
    }

    @Test func `accepts a record of 8 MB by default`() throws {
        let cluster = try EmbeddedCluster()
        let harness = try Harness(cluster.properties)
        #expect(harness.publish([UInt8](repeating: 1, count: 8 << 20), ticket: 1) == .queued)
        #expect(harness.wait(for: 1))
        #expect(harness.ended[1] == .stored)
    }

    @Test func `retries a record alone before it reports it as too large`() throws {
        let cluster = try EmbeddedCluster()
        try cluster.createTopic("outcomes", partitions: 1)
        let harness = try Harness(cluster.properties)
        cluster.failRequests(api: 0, codes: [10])
        let headers: [ResultRecord.Header] = [("a", [1]), ("none", nil)]
        for ticket in 0..<20 {
            let value = ticket == 0 ? nil : [UInt8(ticket)]
            let result = harness.publish(value, key: [7], headers: headers, ticket: UInt64(ticket))
            #expect(result == .queued)
        }
        #expect(harness.wait(for: 20))
        #expect(harness.ended.values.allSatisfy { $0 == .stored })
        let stored = try TopicReader(properties: cluster.properties).readAll("outcomes")
        #expect(stored.count == 20)
        #expect(stored.allSatisfy { $0.key == [7] && $0.headers.map(\.name) == ["a", "none"] })
        #expect(Set(stored.map { $0.value ?? [] }) == Set([[]] + (1..<20).map { [UInt8($0)] }))
        #expect(harness.failures.contains { $0.detail.contains("raise max.message.bytes") })
    }

    @Test func `reports that the broker rejects a record's size, even alone`() throws {
        let cluster = try EmbeddedCluster()
        let harness = try Harness(cluster.properties)
        cluster.failRequests(api: 0, codes: [10, 10])
        #expect(harness.publish([1], ticket: 1) == .queued)
        #expect(harness.wait(for: 1))
        #expect(harness.ended[1] == .tooLarge)
        #expect(harness.publish([2], ticket: 2) == .queued)
        #expect(harness.wait(for: 2))
        #expect(harness.ended[2] == .stored)
    }

    @Test func `reports a topic that it is not authorized to write`() throws {
        let cluster = try EmbeddedCluster()
        let harness = try Harness(cluster.properties)
        cluster.failRequests(api: 0, codes: [29])
        #expect(harness.publish([1], ticket: 1) == .queued)
        #expect(harness.wait(for: 1))
        guard case .failed(let failure) = harness.ended[1] else {
            Issue.record("\(harness.ended)")
            return
        }
        #expect(failure.code == "TOPIC_AUTHORIZATION_FAILED")
    }

    @Test func `cannot continue after a fatal error`() throws {
        let cluster = try EmbeddedCluster()
        let harness = try Harness(cluster.properties)
        #expect(harness.publish([0], ticket: 0) == .queued)
        #expect(harness.wait(for: 1))
        // The broker has a gap that an idempotent producer cannot explain.
        cluster.failRequests(api: 0, codes: [45])
        #expect(harness.publish([1], ticket: 1) == .queued)
        #expect(harness.wait(for: 2))
        _ = harness.wait(for: 3, seconds: 0.2)
        #expect(
            harness.failures.contains { $0.isFatal && $0.code == "OUT_OF_ORDER_SEQUENCE_NUMBER" })
        guard case .failed(let failure) = harness.publish([2], ticket: 2) else {
            Issue.record("a record was taken")
            return
        }
        #expect(failure.isFatal)
    }

    @Test func `is full when its queue is full`() throws {
        let harness = try Harness(
            ["bootstrap.servers": "127.0.0.1:1", "queue.buffering.max.messages": "2"])
        #expect(harness.publish([1], ticket: 1) == .queued)
        #expect(harness.publish([2], ticket: 2) == .queued)
        #expect(harness.publish([3], ticket: 3) == .full)
    }

    @Test func `retries a record that the broker rejects temporarily`() throws {
        let cluster = try EmbeddedCluster()
        let harness = try Harness(cluster.properties)
        cluster.failRequests(api: 0, codes: [6, 19])
        #expect(harness.publish([1], ticket: .max) == .queued)
        #expect(harness.wait(for: 1))
        #expect(harness.ended == [.max: .stored])
    }

    @Test func `stores key, value and headers as they are, null distinct from empty`() throws {
        let cluster = try EmbeddedCluster()
        try cluster.createTopic("outcomes", partitions: 1)
        let harness = try Harness(cluster.properties)
        let headers: [ResultRecord.Header] = [("a", [1, 0, 2]), ("none", nil), ("a", [])]
        #expect(harness.publish([7], key: [8], headers: headers, ticket: 0) == .queued)
        #expect(harness.publish(nil, key: [], ticket: 1) == .queued)
        #expect(harness.publish([], key: nil, ticket: 2) == .queued)
        #expect(harness.wait(for: 3))
        let stored = try TopicReader(properties: cluster.properties).readAll("outcomes")
        #expect(stored.map(\.key) == [[8], [], nil])
        #expect(stored.map(\.value) == [[7], nil, []])
        #expect(stored.map(\.offset) == [0, 1, 2])
        let first = try #require(stored.first)
        #expect(first.headers.map(\.name) == ["a", "none", "a"])
        #expect(first.headers.map(\.value) == [[1, 0, 2], nil, []])
        #expect(first.timestamp != nil)
    }

    @Test func `writes a record to the partition that it names, or else to that of its key`()
        throws
    {
        let cluster = try EmbeddedCluster()
        try cluster.createTopic("outcomes", partitions: 4)
        let harness = try Harness(cluster.properties)
        var ticket: UInt64 = 0
        for partition in [3, 0, nil, 3, 2, nil] as [Int32?] {
            let record = ResultRecord(
                topic: "outcomes", partition: partition, key: [1], value: [UInt8(ticket)],
                headers: ticket == 3 ? [("a", [1])] : [])
            #expect(harness.producer.publish(record, ticket: ticket) == .queued)
            ticket += 1
        }
        #expect(harness.wait(for: 6))
        #expect(harness.ended.values.allSatisfy { $0 == .stored })
        let stored = try TopicReader(properties: cluster.properties).readAll("outcomes")
        let partitions = Dictionary(
            uniqueKeysWithValues: stored.map { (Int($0.value?.first ?? 99), $0.partition) })
        #expect([0, 1, 3, 4].map { partitions[$0] } == [3, 0, 3, 2])
        #expect(partitions[2] == partitions[5])
        #expect(partitions[2] != nil)
    }

    @Test func `writes a record to the partition of its key if the topic lacks the named one`()
        throws
    {
        let cluster = try EmbeddedCluster()
        try cluster.createTopic("outcomes", partitions: 2)
        let harness = try Harness(cluster.properties)
        #expect(harness.publish([0], key: [1], ticket: 0) == .queued)
        #expect(harness.wait(for: 1))
        let record = ResultRecord(
            topic: "outcomes", partition: 7, key: [1], value: [1], headers: [("a", [1])])
        #expect(harness.producer.publish(record, ticket: 1) == .queued)
        #expect(harness.wait(for: 2))
        #expect(harness.ended.values.allSatisfy { $0 == .stored })
        let stored = try TopicReader(properties: cluster.properties).readAll("outcomes")
        #expect(Set(stored.map(\.partition)).count == 1)
        #expect(stored.map(\.headers.count) == [0, 1])
    }

    @Test func `keeps null distinct from empty`() throws {
        let cluster = try EmbeddedCluster()
        try cluster.createTopic("outcomes", partitions: 2)
        let harness = try Harness(cluster.properties)
        #expect(harness.publish([8], [7, 0, 7], ticket: 0) == .queued)
        #expect(harness.publish([], nil, ticket: 1) == .queued)
        #expect(harness.publish(nil, [], ticket: 2) == .queued)
        #expect(harness.wait(for: 3))
        let stored = try TopicReader(properties: cluster.properties).readAll("outcomes")
        #expect(stored.map(\.key) == [[8], [], nil])
        #expect(stored.map(\.value) == [[7, 0, 7], nil, []])
        #expect(stored.map(\.partition) == [1, 1, 1])
    }

    @Test func `knows how many partitions a topic has once a broker has responded`() throws {
        let cluster = try EmbeddedCluster()
        try cluster.createTopic("outcomes", partitions: 3)
        let harness = try Harness(cluster.properties)
        #expect(harness.producer.partitionCount(of: "outcomes") == nil)
        #expect(harness.turn { harness.producer.partitionCount(of: "outcomes") == 3 })
        harness.producer.close()
    }

    @Test func `knows no partition count of a topic while no broker responds`() throws {
        let harness = try Harness(["bootstrap.servers": "127.0.0.1:1"])
        #expect(harness.producer.partitionCount(of: "outcomes") == nil)
        #expect(
            !harness.turn(seconds: 0.5) { harness.producer.partitionCount(of: "outcomes") != nil })
        let clock = ContinuousClock()
        let start = clock.now
        harness.producer.close()
        #expect(clock.now - start < .seconds(2))
    }

    @Test func `acknowledges ten thousand records, each by its ticket`() throws {
        let cluster = try EmbeddedCluster()
        let harness = try Harness(cluster.properties)
        for ticket in 0..<10_000 {
            #expect(harness.publish([1, 2, 3], ticket: UInt64(ticket)) == .queued)
        }
        #expect(harness.wait(for: 10_000))
        #expect(harness.ended.values.allSatisfy { $0 == .stored })
    }

    @Test func `closes with records in flight`() throws {
        let harness = try Harness(["bootstrap.servers": "127.0.0.1:1"])
        for ticket in 0..<100 { #expect(harness.publish([1], ticket: UInt64(ticket)) == .queued) }
        let clock = ContinuousClock()
        let start = clock.now
        harness.producer.close()
        #expect(clock.now - start < .seconds(2))
    }
}
