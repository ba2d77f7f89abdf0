import APNsSimulator
import Foundation
import Kafka
import Testing

/// APNs rejects each push twice, and there is hardly room to wait in memory.
private func expectOneOutcomeEach(_ cluster: BridgeWorld.Cluster, count: Int) throws {
    let response = ScriptedResponse(
        tokenPrefix: "a0", status: 503, reason: "ServiceUnavailable", attempts: 2)
    let world = try BridgeWorld(
        cluster, partitions: 2,
        extra: "delivery: {max_waiting: 20, retry: {first: 300ms, factor: 1}}",
        behaviour: Scenario(responses: [response]), hasRetryTopic: true)
    try world.publish(count)
    let bridge = try world.start()
    try world.waitUntilCommitted(count / 4, while: bridge)
    #expect(bridge.terminate() == 0)
    let next = try world.start()
    try world.waitUntilCommitted(count, while: next)
    let end = Date(timeIntervalSinceNow: 120)
    while try world.readOutcomes().count < count {
        try #require(Date() < end, "not all came back in time: \(next.logged.suffix(2000))")
        waitBeforeNextLook()
    }
    #expect(next.terminate() == 0)
    try BridgePromises.expectOneOutcomeEach(world)
    #expect(try world.readOutcomes().allSatisfy { $0.verdict == "accepted" })
    let reader = try TopicReader(properties: world.properties)
    let retries = try reader.readAll(try #require(world.retry))
    #expect(retries.count > count / 4)
}

@Suite(.serialized) struct `A bridge with a retry topic` {
    @Test func `gives every record one outcome, even if it is stopped in between`() throws {
        try expectOneOutcomeEach(.embedded(try EmbeddedCluster()), count: 2000)
    }

    @Test(RealKafka.available)
    func `gives every record one outcome on a real Kafka, too`() throws {
        try expectOneOutcomeEach(.real(try RealKafka.shared()), count: 3_000)
    }
}
