import Delivery
import Kafka
import Testing

@Suite struct `A consumer` {
    @Test func `rejects what librdkafka rejects, in librdkafka's words`() throws {
        let failure = #expect(throws: KafkaFailure.self) {
            _ = try Consumer(
                properties: ["session.timeout.ms": "long"], group: "g", topics: ["t"],
                start: .earliest)
        }
        #expect(failure?.description.contains("session.timeout.ms") == true)
    }

    @Test func `reports a broker that does not respond, and continues`() throws {
        let member = try Member(["bootstrap.servers": "127.0.0.1:1"])
        #expect(turn(member) { member.failures.contains { $0.code == "_TRANSPORT" } })
        #expect(member.failures.allSatisfy { !$0.isFatal })
        member.consumer.close()
    }

    @Test func `reports a topic that it is not authorized to read`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        cluster.failTopic("orders", code: 29)
        let member = try Member(cluster.properties)
        #expect(
            turn(member) { member.failures.contains { $0.code == "TOPIC_AUTHORIZATION_FAILED" } })
        member.consumer.close()
    }

    @Test func `hands over every record once, in order and without delay`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        for partition in 0..<2 {
            try write(
                (0..<1500).map { "\($0)" }, partition: Int32(partition), cluster.properties)
        }
        let member = try Member(cluster.properties)
        #expect(turn(member) { member.records.count >= 3000 })
        for partition in 0..<2 {
            let offsets = member.records.filter { $0.topicPartition.partition == partition }
                .map(\.offset)
            #expect(offsets == Array(0..<1500))
        }
        member.consumer.close()
    }

    @Test func `keeps what it has fetched when it is stopped, and continues there`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write((0..<300).map { "\($0)" }, cluster.properties)
        let member = try Member(cluster.properties)
        member.limit = 1
        #expect(turn(member) { member.records.count >= 1 })
        var offsets = member.records.map(\.offset)
        var isEarly = false
        while offsets.count < 300, !isEarly {
            let taken = member.consumer.take(atMost: 32, while: { false }) {
                offsets.append($0.offset)
            }
            isEarly = taken > 1
            member.limit = 0
            member.turn()
        }
        #expect(offsets == Array(0..<300))
        member.consumer.close()
    }

    @Test func `gives up a partition of which it holds records, and loses none`() throws {
        let cluster = try EmbeddedCluster.withOrders(partitions: 2)
        for partition: Int32 in 0..<2 {
            try write((0..<300).map { "\($0)" }, partition: partition, cluster.properties)
        }
        let first = try Member(cluster.properties)
        first.limit = 1
        #expect(turn(first) { first.records.count >= 1 })
        var held: [(partition: Int32, offset: Int64)] = []
        _ = first.consumer.take(atMost: 32, while: { false }) {
            held.append(($0.topicPartition.partition, $0.offset))
        }
        cluster.delayAssignments()
        let second = try Member(cluster.properties)
        #expect(turn(first, second) { first.owned.count == 1 && second.records.count >= 300 })
        let kept = try #require(first.owned.values.first).partition
        func offsets() -> [Int64] {
            (first.records.filter { $0.topicPartition.partition == kept }.map(\.offset)
                + held.filter { $0.partition == kept }.map(\.offset)).sorted()
        }
        #expect(turn(first, second) { offsets().count >= 300 })
        #expect(offsets() == Array(0..<300))
        first.consumer.close()
        second.consumer.close()
    }

    @Test func `gives back what it has fetched and not handed over when it ends`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write((0..<300).map { "\($0)" }, cluster.properties)
        let member = try Member(cluster.properties)
        member.limit = 1
        #expect(turn(member) { member.records.count >= 1 })
        _ = member.consumer.take(atMost: 32, while: { false }) { _ in }
        member.consumer.close()
    }

    @Test func `never hands over more than it is asked for`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write((0..<700).map { "\($0)" }, cluster.properties)
        let member = try Member(cluster.properties)
        member.limit = 3
        #expect(turn(member) { member.records.count >= 3 })
        var taken = 0
        #expect(member.consumer.take(atMost: 0) { _ in taken += 1 } == 0)
        #expect(taken == 0)
        let before = member.records.count
        member.turn()
        #expect(member.records.count - before <= 3)
        member.limit = 600
        // What is fetched and not taken yet is counted.
        #expect(member.consumer.queuedRecords > 0)
        #expect(turn(member) { member.records.count == 700 })
        member.consumer.close()
        #expect(member.consumer.queuedRecords == 0)
    }

    @Test func `distinguishes null from empty, and provides headers and timestamps`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        var writer = try RecordWriter(properties: cluster.properties)
        try writer.write("orders", key: nil, value: nil, partition: 0, timestamp: 1000)
        try writer.write("orders", key: [], value: [], partition: 0)
        try writer.write(
            "orders", key: [0x6B], value: [0x76],
            headers: [("a", [0x31]), ("none", nil), ("a", []), ("grün", [0x32])], partition: 0)
        try writer.flush()
        let member = try Member(cluster.properties)
        #expect(turn(member) { member.records.count == 3 })
        #expect(member.records.map(\.key) == [nil, "", "k"])
        #expect(member.records.map(\.value) == [nil, "", "v"])
        #expect(member.records.map(\.headers) == [[], [], ["a=1", "none=null", "a=", "grün=2"]])
        #expect(member.records.first?.timestamp == 1000)
        member.consumer.close()
    }

    @Test func `stays in its group while it reads nothing`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["one", "two"], cluster.properties)
        let member = try Member(
            ["bootstrap.servers": cluster.bootstrapServers, "max.poll.interval.ms": "4000"])
        member.limit = 1
        #expect(turn(member) { member.records.count == 1 })
        member.limit = 0
        _ = turn(member, seconds: 9) { false }
        #expect(member.lost == [])
        #expect(member.failures == [])
        member.limit = 1
        #expect(turn(member) { member.records.count == 2 })
        member.consumer.close()
    }

    @Test func `resumes without a stall`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["one"], cluster.properties)
        let member = try Member(cluster.properties)
        #expect(turn(member) { member.records.count == 1 })
        let ids = member.assigned.map(\.id)
        let clock = ContinuousClock()
        for round in 2...6 {
            member.consumer.pause(ids)
            try write(["more"], cluster.properties)
            #expect(!turn(member, seconds: 0.3) { member.records.count == round })
            let start = clock.now
            member.consumer.resume(ids)
            #expect(turn(member) { member.records.count == round })
            #expect(clock.now - start < .milliseconds(500))
        }
        member.consumer.close()
    }

    @Test func `starts after the newest record if configured so`() throws {
        let cluster = try EmbeddedCluster.withOrders()
        try write(["old"], cluster.properties)
        let member = try Member(cluster.properties, start: .latest)
        #expect(turn(member) { !member.assigned.isEmpty })
        try write(["new"], cluster.properties)
        #expect(turn(member) { !member.records.isEmpty })
        #expect(member.records.map(\.value) == ["new"])
        member.consumer.close()
    }
}
