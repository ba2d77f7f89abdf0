import BridgeTesting
import Kafka
import KafkaConformance
import Testing

@Suite struct `A consumer or producer of the mock cluster` {
    /// What cannot be checked there, with the reason.
    private static let exemptions: [KafkaPromise: String] = [
        .recreated: "librdkafka's mock cluster cannot delete a topic"
    ]

    private static let promises = KafkaPromise.allCases.filter { exemptions[$0] == nil }

    private static let run = Result {
        let cluster = try EmbeddedCluster()
        cluster.delayAssignments()
        return ConformanceRun(of: promises) {
            LibraryKafka(
                cluster.properties,
                // The limit of the producer: the mock cluster itself has none.
                largestResult: 1 << 24,
                LibraryKafka.Administration(
                    create: { try cluster.createTopic($0, partitions: $1) }, delete: { _ in }))
        }
    }

    @Test(arguments: promises)
    func `keeps the promise that a worker relies on`(promise: KafkaPromise) throws {
        let violations = try Self.run.get()[promise]
        #expect(violations == [])
    }
}
