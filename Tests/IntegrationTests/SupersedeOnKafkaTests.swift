import APNsSimulator
import Foundation
import Kafka
import Testing

/// A bridge that sends only the newest state, while APNs is unavailable and afterwards.
private struct Absence {
    let world: BridgeWorld
    let bridge: BridgeProcess

    init(_ cluster: BridgeWorld.Cluster) throws {
        world = try BridgeWorld(
            cluster, partitions: 4, extra: "delivery: {supersede: backlog}\n",
            behaviour: .acceptsAll)
        try world.publish(1)
        bridge = try world.start()
        try world.waitUntilCommitted(1, while: bridge)
        let text = "faults: [{at: 0s, cut: reset}, {from: 0s, until: 24h, refuse: true}]"
        try world.simulator.begin(Scenario.parse(Array(text.utf8), file: "away.yaml"))
        world.simulator.memory?.beginAnew()
    }

    static func token(_ device: Int) -> String { String(format: "a0%062x", device) }

    /// Publishes events, each to the partition of its device, in this order.
    func publish(_ events: [(device: Int, event: String)]) throws {
        var writer = try RecordWriter(properties: world.properties)
        for (device, event) in events {
            try writer.write(
                world.source, value: Array(event.utf8),
                partition: Int32(device % world.partitions))
        }
        try writer.flush(timeoutMilliseconds: 60_000)
    }

    /// Waits until so many are superseded; then APNs is there again, and everything is sent.
    func end(superseded: Int, of count: Int) throws {
        let limit = Date(timeIntervalSinceNow: 120)
        let administration = try TopicAdministration(properties: world.properties)
        while try administration.recordCount(of: world.outcomes) < 1 + superseded {
            try #require(bridge.isRunning, "the bridge ended: \(bridge.logged)")
            try #require(Date() < limit, "not superseded in time: \(bridge.logged)")
        }
        try world.simulator.begin(.acceptsAll)
        try world.waitUntilCommitted(1 + count, while: bridge)
        #expect(bridge.terminate() == 0)
        let outcomes = try world.readOutcomes()
        #expect(outcomes.count { $0.reason == "superseded" } == superseded)
        #expect(outcomes.count == 1 + count)
    }
}

private func sendsTheNewestToEach(_ cluster: BridgeWorld.Cluster) throws {
    let absence = try Absence(cluster)
    try absence.publish(
        (0..<10).flatMap { state in
            (0..<1000).map { device in
                let event = """
                    {"device_token":"\(Absence.token(device))","collapse_id":"score",
                    "payload":{"aps":{"alert":"\(state)"}}}
                    """
                return (device, event)
            }
        })
    try absence.end(superseded: 9000, of: 10_000)
    let memory = try #require(absence.world.simulator.memory)
    #expect(memory.requests().total == 1000)
    for device in 0..<1000 {
        let phone = try #require(try absence.world.simulator.device(Absence.token(device)))
        #expect(phone.pushes.count == 1)
        #expect(phone.lockScreen.notifications.map(\.body) == ["9"])
    }
}

private func sendsTheNewestUpdate(_ cluster: BridgeWorld.Cluster) throws {
    let absence = try Absence(cluster)
    // The one that is published first is the latest.
    try absence.publish(
        (0..<20).map { number in
            let event = """
                {"device_token":"\(Absence.token(1))","push_type":"liveactivity","priority":5,
                "payload":{"aps":{"event":"update","timestamp":\(1_767_261_700 - number),
                "content-state":{"n":\(number)}}}}
                """
            return (1, event)
        })
    try absence.end(superseded: 19, of: 20)
    #expect(absence.world.simulator.memory?.requests().total == 1)
    let phone = try #require(try absence.world.simulator.device(Absence.token(1)))
    #expect(phone.lockScreen.activities.map(\.contentState) == [#"{"n":0}"#])
}

@Suite(.serialized) struct `What waits while APNs is unavailable` {
    @Test func `becomes one request for each of 1,000 devices, the newest`() throws {
        try sendsTheNewestToEach(.embedded(EmbeddedCluster()))
    }

    @Test func `becomes one request for the updates of an activity`() throws {
        try sendsTheNewestUpdate(.embedded(EmbeddedCluster()))
    }

    @Test(RealKafka.available)
    func `becomes one request for each of 1,000 devices on a real Kafka`() throws {
        try sendsTheNewestToEach(.real(RealKafka.shared()))
    }

    @Test(RealKafka.available)
    func `becomes one request for the updates of an activity on a real Kafka`() throws {
        try sendsTheNewestUpdate(.real(RealKafka.shared()))
    }
}
