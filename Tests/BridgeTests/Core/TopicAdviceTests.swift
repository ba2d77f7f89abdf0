import Configuration
import Kafka
import Testing

@testable import Bridge

@Suite struct `One partition for dead letters` {
    private func warnings(sources: Int, deadLetters: Int) throws -> [String] {
        let connector = try Samples.connector(plan: Samples.canonicalPlan())
        return KafkaCheck.warnings(
            connector,
            ["shop.orders": .partitions(sources), "apns.dead-letter": .partitions(deadLetters)]
        ).map(\.message)
    }

    @Test func `is a warning where the sources have more`() throws {
        #expect(
            try warnings(sources: 12, deadLetters: 1) == [
                "the topic 'apns.dead-letter' has one partition, and the sources have 12: "
                    + "when much fails at once, all dead letters wait for one broker"
            ])
    }

    @Test(arguments: [(1, 1), (12, 2)])
    func `is fine where it is no narrower`(sources: Int, deadLetters: Int) throws {
        #expect(try warnings(sources: sources, deadLetters: deadLetters) == [])
    }
}
