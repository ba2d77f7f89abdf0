import Configuration
import Kafka
import Testing

@testable import Bridge

@Suite struct `Doctor about a login without a token` {
    @Test func `says why there is none once, and asks nothing of Kafka`() async throws {
        let bridge = try ExaminedBridge()
        bridge.connector.kafkaLogin = .file(path: "/nonexistent/token.jwt")
        let found = try await bridge.findings().filter {
            $0.check.hasPrefix("kafka") || $0.check.hasPrefix("topic")
        }
        let address = bridge.cluster.bootstrapServers
        #expect(found.map(\.check) == ["kafka login", "kafka \(address)", "topics"])
        #expect(found.map(\.result) == [.failed, .notChecked, .notChecked])
        #expect(
            found.map(\.detail) == [
                "/nonexistent/token.jwt cannot be read: no such file or directory",
                "there is no login token", "Kafka is not reachable",
            ])
    }
}
