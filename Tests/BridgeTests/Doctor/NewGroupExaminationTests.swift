import Configuration
import Kafka
import Testing

@testable import Bridge

@Suite struct `Doctor about topics that match a pattern` {
    private func found(_ topics: TopicSelection) async throws -> [DoctorFinding] {
        let bridge = try ExaminedBridge()
        for number in 0..<2 {
            try bridge.cluster.createTopic("shop.more\(number)", partitions: 4)
        }
        bridge.connector.source.topics = topics
        return try await bridge.findings()
    }

    @Test func `warns if there is none, and what it may mean`() async throws {
        let found = try await found(["^stop\\..*"]).filter { $0.result == .warning }
        #expect(found.map(\.check) == ["topics ^stop\\..*"], "\(found)")
        #expect(found.first?.detail == "no topic matches for now: the bridge waits for one")
        #expect(
            found.first?.action?.hasPrefix("if that is not meant, correct source.topics") == true)
    }

    @Test func `counts them and their partitions, and reads them`() async throws {
        let found = try await found(["^shop\\..*"])
        #expect(
            found.first { $0.check == "topics ^shop\\..*" }?.detail
                == "3 topics match, with 9 partitions")
        for topic in ["shop.more0", "shop.more1", "shop.orders"] {
            #expect(found.contains { $0.check.contains(topic) }, "\(found)")
        }
    }
}

@Suite struct `Doctor about a group that has committed nothing` {
    @Test func `warns of the records that it would send`() async throws {
        let bridge = try ExaminedBridge()
        var writer = try RecordWriter(
            properties: ["bootstrap.servers": bridge.cluster.bootstrapServers])
        for _ in 0..<3 {
            try writer.write(bridge.connector.source.topicNames[0], value: [0x78], partition: 0)
        }
        try writer.flush()
        let found = try await bridge.findings().filter { $0.check.hasPrefix("new group") }
        #expect(found.map(\.result) == [.warning])
        #expect(found.first?.detail.contains("would send 3 records since 20") == true)
        #expect(found.first?.action?.contains("with new_group: confirm it waits") == true)
        bridge.connector.source.newGroup = .confirm
        let waiting = try await bridge.findings().filter { $0.check.hasPrefix("new group") }
        #expect(waiting.first?.action?.hasPrefix("it waits for 'run --begin' or POST") == true)
        bridge.connector.source.start = .latest
        let none = try await bridge.findings().filter { $0.check.hasPrefix("new group") }
        #expect(none.isEmpty)
    }
}
