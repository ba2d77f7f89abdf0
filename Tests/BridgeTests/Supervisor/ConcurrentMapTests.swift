import BridgeSamples
import Configuration
import Kafka
import Synchronization
import Testing

@testable import Bridge

@Suite struct `The first check of several clusters` {
    private func connectors(_ clusters: String...) throws -> [Connector] {
        try clusters.enumerated().map { number, address in
            var connector = try SupervisorStage.connector("\(number)")
            connector.kafka = [("bootstrap.servers", address)]
            return connector
        }
    }

    @Test func `asks them side by side, and returns what they say in the order of connectors`()
        throws
    {
        let meeting = Meeting(of: 3)
        let connectors = try connectors("c:1", "a:1", "b:1")
        let results = KafkaCheck.reach(connectors) { connector throws(StartFailure) in
            meeting.attend()
            return ClusterDescription(clusterID: connector.kafka[0].value, topics: [:])
        }
        #expect(try results.map { try $0.get().clusterID } == ["c:1", "a:1", "b:1"])
    }

    @Test func `asks one that cannot be reached once, and each connector of the others`() throws {
        let asked = Mutex<[String]>([])
        let connectors = try connectors("a:1", "b:1", "a:1", "b:1")
        let results = KafkaCheck.reach(connectors) { connector throws(StartFailure) in
            asked.withLock { $0.append(connector.name) }
            guard connector.kafka[0].value == "b:1" else {
                throw SupervisorStage.failure(.unavailable, of: connector)
            }
            return ClusterDescription(clusterID: connector.name, topics: [:])
        }
        #expect(asked.withLock { $0.sorted() } == ["0", "1", "3"])
        #expect(results.map { try? $0.get().clusterID } == [nil, "1", nil, "3"])
    }
}

@Suite struct `Work that is done side by side` {
    @Test func `is done at the same time, and its results are in the order of the items`() {
        let meeting = Meeting(of: 5)
        let found = [4, 5, 6, 7, 8].concurrentMap(maxConcurrency: 16) { number in
            meeting.attend()
            return number * 2
        }
        #expect(found == [8, 10, 12, 14, 16])
    }

    @Test func `is done for more items than there are threads`() {
        #expect(Array(0..<100).concurrentMap(maxConcurrency: 3) { $0 } == Array(0..<100))
        #expect([Int]().concurrentMap(maxConcurrency: 3) { $0 } == [])
    }
}
