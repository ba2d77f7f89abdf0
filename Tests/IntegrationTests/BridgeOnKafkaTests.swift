import Kafka
import Testing

@Suite(RealKafka.available, .serialized)
struct `A bridge on a real Kafka` {
    private func world(extra: String = "") throws -> BridgeWorld {
        try BridgeWorld(.real(try RealKafka.shared()), partitions: 8, extra: extra)
    }

    @Test func `loses nothing when it is killed, and repeats under the same apns-id`() throws {
        try BridgePromises.losesNothingWhenKilled(try world(), count: 40_000)
    }

    @Test func `loses and repeats nothing when it is stopped on its way`() throws {
        try BridgePromises.repeatsNothingWhenStopped(try world(), count: 40_000)
    }

    @Test func `loses and repeats nothing when a member joins and leaves`() throws {
        try BridgePromises.sharesPartitionsWithAnother(try world(), count: 40_000)
    }

    @Test func `does not wait for its shutdown deadline though its topic was deleted`() throws {
        let world = try world(extra: "shutdown_deadline: 5m")
        try world.publish(100)
        let bridge = try world.start()
        try world.waitUntilCommitted(100, while: bridge)
        try RealKafka.shared().deleteTopic(world.source)
        try bridge.waitUntilLogged("topic does not exist")
        let start = ContinuousClock.now
        #expect(bridge.terminate() == 0)
        #expect(ContinuousClock.now - start < .seconds(150))
    }

    @Test func `gives each of 100,000 records exactly one outcome`() throws {
        try BridgePromises.givesEveryRecordOneOutcome(try world(), count: 100_000)
    }
}

@Suite(.serialized) struct `A bridge on an embedded Kafka` {
    private func world() throws -> BridgeWorld {
        try BridgeWorld(.embedded(try EmbeddedCluster()), partitions: 4)
    }

    @Test func `loses nothing when it is killed, and repeats under the same apns-id`() throws {
        try BridgePromises.losesNothingWhenKilled(try world(), count: 10_000)
    }

    @Test func `loses and repeats nothing when it is stopped on its way`() throws {
        try BridgePromises.repeatsNothingWhenStopped(try world(), count: 10_000)
    }

    @Test func `repeats no push while a coordinator refuses each commit as not its own`() throws {
        let cluster = try EmbeddedCluster()
        let world = try BridgeWorld(
            .embedded(cluster), partitions: 4, sessionTimeout: 60_000)
        // NOT_COORDINATOR, to the first commits of a group and to those of a member.
        let refusals = [Int32](repeating: 16, count: 20)
        cluster.failRequests(api: 8, codes: refusals)
        try world.publish(400)
        let bridge = try world.start()
        try world.waitUntilCommitted(400, while: bridge)
        cluster.failRequests(api: 8, codes: refusals)
        try world.publish(400)
        try world.waitUntilCommitted(800, while: bridge)
        #expect(bridge.terminate() == 0)
        try BridgePromises.expectOneOutcomeEach(world)
    }

    @Test func `gives each of 10,000 records exactly one outcome`() throws {
        try BridgePromises.givesEveryRecordOneOutcome(try world(), count: 10_000)
    }
}

@Suite(RealKafka.startable, .serialized)
struct `A bridge whose Kafka goes away` {
    @Test func `resumes after the broker was killed and restarted`() throws {
        let kafka = try RealKafka.start()
        let world = try BridgeWorld(.real(kafka), partitions: 4)
        try world.publish(20_000)
        let bridge = try world.start()
        try world.waitUntilCommitted(2_000, while: bridge)
        kafka.kill()
        try kafka.restart()
        try world.publish(1_000)
        try world.waitUntilCommitted(world.published, while: bridge)
        #expect(bridge.terminate() == 0)
        try BridgePromises.expectAnOutcomeEach(world)
    }
}

@Suite(RealKafka.available, .serialized)
struct `A record that no push can be made of` {
    @Test func `that is too large even as a dead letter is stored without its value`() throws {
        let world = try BridgeWorld(
            .real(try RealKafka.shared()), partitions: 1,
            sourceConfiguration: ["max.message.bytes=10000000"])
        // Random, so that no compression makes it small enough for the dead-letter topic.
        let value = (0..<5_000_000).map { _ in UInt8.random(in: 0...255) }
        try world.publish(value: value, key: [UInt8]("large".utf8))
        try world.publish(value: nil, key: [UInt8]("tombstone".utf8))
        try world.publish(value: [UInt8]("{".utf8))
        try world.publish(value: [UInt8]("{\"payload\":{\"aps\":{\"badge\":1}}}".utf8))
        let bridge = try world.start()
        try world.waitUntilCommitted(4, while: bridge)
        #expect(bridge.terminate() == 0)
        let outcomes = try world.readOutcomes().sorted { $0.position.offset < $1.position.offset }
        #expect(
            outcomes.map(\.reason) == [
                "record_too_large", "tombstone", "unparsable", "missing_field",
            ])
        let reader = try TopicReader(properties: world.properties)
        let letters = try reader.readAll(world.deadLetter)
        let large = try #require(letters.first { $0.key == [UInt8]("large".utf8) })
        #expect(large.value?.count == nil)
        #expect(large.header("apns-bridge-value-omitted") == [UInt8]("5000000".utf8))
        #expect(large.header("apns-bridge-value-sha256")?.count == 64)
        #expect(letters.contains { $0.value == [UInt8]("{".utf8) })
        #expect(letters.count == 4)
    }
}
