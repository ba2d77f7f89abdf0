import Configuration
import Kafka
import Testing

@testable import Bridge

@Suite struct `Doctor about a group that has committed nothing` {
    @Test func `warns of the records that it would send`() async throws {
        let bridge = try ExaminedBridge()
        var writer = try RecordWriter(
            properties: ["bootstrap.servers": bridge.cluster.bootstrapServers])
        for _ in 0..<3 {
            try writer.write(bridge.connector.source.topics[0], value: [0x78], partition: 0)
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
