import BridgeTesting
import Kafka
import KafkaConformance
import Testing

@Suite(RealKafka.available) struct `A consumer or producer of a real Kafka` {
    private static let run = Result {
        let kafka = try RealKafka.shared()
        return ConformanceRun(of: KafkaPromise.allCases) {
            LibraryKafka(
                kafka.properties,
                // Kafka's default of `message.max.bytes`, less what a batch adds.
                largestResult: 1 << 20,
                LibraryKafka.Administration(
                    create: { try kafka.createTopic($0, partitions: $1) },
                    delete: { try kafka.deleteTopic($0) }))
        }
    }

    @Test(arguments: KafkaPromise.allCases)
    func `keeps the promise that a worker relies on`(promise: KafkaPromise) throws {
        let violations = try Self.run.get()[promise]
        #expect(violations == [])
    }
}
