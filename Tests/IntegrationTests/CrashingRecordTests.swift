import Kafka
import Testing

@Suite struct `A record that crashes the program` {
    /// The group commits where it begins with its first record, or else no start could be counted.
    private func world() throws -> BridgeWorld {
        let world = try BridgeWorld(.embedded(try EmbeddedCluster()), partitions: 1)
        try world.publish(20)
        let bridge = try world.start()
        try world.waitUntilCommitted(20, while: bridge)
        #expect(bridge.terminate() == 0)
        return world
    }

    @Test func `is ended after a few crashes, and all others are delivered`() throws {
        let world = try world()
        try world.publish(20)
        try world.publish(value: BridgeWorld.event(40), key: Array("fatal".utf8))
        try world.publish(20)
        let environment = ["APNS_BRIDGE_FATAL_KEY": "fatal"]
        var crashes = 0
        while try world.committed() < 61 {
            let bridge = try world.start(environment: environment)
            while bridge.isRunning, try world.committed() < 61 {}
            if bridge.isRunning {
                #expect(bridge.terminate() == 0)
            } else {
                try bridge.waitForCrash()
                crashes += 1
                // Three, two while it is alone, and each halves the twenty records before it. What
                // was committed in the first three does not count against it.
                try #require(crashes <= 13)
            }
        }
        #expect(crashes >= 5)
        let outcomes = try world.readOutcomes()
        #expect(Set(outcomes.map(\.position)).count == 61)
        let ended = outcomes.filter { $0.reason == "crashed" }
        #expect(ended.map(\.verdict) == ["dropped"] && ended.first?.position.offset == 40)
        let letters = try TopicReader(properties: world.properties)
            .readAll(world.deadLetter, timeoutMilliseconds: 60_000)
        #expect(letters.count == 1)
    }
}
