import Foundation
import Testing

/// What a bridge promises, on whatever Kafka.
enum BridgePromises {
    /// Every published record has an outcome, and none has two.
    static func expectOneOutcomeEach(_ world: BridgeWorld) throws {
        let outcomes = try world.readOutcomes()
        let positions = Set(outcomes.map(\.position))
        #expect(positions.count == world.published)
        let twice = Dictionary(grouping: outcomes, by: \.position).filter { $0.value.count > 1 }
        #expect(twice.isEmpty, "\(twice.count) twice, such as \(twice.values.prefix(3))")
    }

    /// Every published record has an outcome; those that have several carry one apns-id.
    static func expectAnOutcomeEach(_ world: BridgeWorld) throws {
        let outcomes = try world.readOutcomes()
        let byOffset = Dictionary(grouping: outcomes, by: \.position)
        #expect(byOffset.count == world.published)
        let torn = byOffset.values.filter { Set($0.map(\.id)).count != 1 }
        #expect(torn.isEmpty)
        #expect(Set(byOffset.values.compactMap(\.first?.id)).count == world.published)
    }

    static func givesEveryRecordOneOutcome(_ world: BridgeWorld, count: Int) throws {
        try world.publish(count)
        let bridge = try world.start()
        try world.waitUntilCommitted(count, while: bridge)
        #expect(bridge.terminate() == 0)
        try expectOneOutcomeEach(world)
        #expect(try world.committed() == count)
    }

    static func losesNothingWhenKilled(_ world: BridgeWorld, count: Int) throws {
        try world.publish(count)
        let bridge = try world.start()
        try world.waitUntilCommitted(count / 10, while: bridge)
        bridge.kill()
        #expect(try world.committed() < count, "it was too fast to be killed on its way")
        let next = try world.start()
        try world.waitUntilCommitted(count, while: next)
        #expect(next.terminate() == 0)
        try expectAnOutcomeEach(world)
    }

    static func repeatsNothingWhenStopped(_ world: BridgeWorld, count: Int) throws {
        try world.publish(count)
        let bridge = try world.start()
        try world.waitUntilCommitted(count / 10, while: bridge)
        #expect(bridge.terminate() == 0)
        #expect(try world.committed() < count, "it was too fast to be stopped on its way")
        let next = try world.start()
        try world.waitUntilCommitted(count, while: next)
        #expect(next.terminate() == 0)
        try expectOneOutcomeEach(world)
    }

    static func sharesPartitionsWithAnother(_ world: BridgeWorld, count: Int) throws {
        try world.publish(count / 4)
        let first = try world.start(name: "first")
        try world.waitUntilCommitted(count / 8, while: first)
        let second = try world.start(name: "second")
        let end = Date(timeIntervalSinceNow: 60)
        while !second.logged.contains("assigned") {
            try #require(Date() < end, "the second member got nothing: \(second.logged)")
            waitBeforeNextLook()
            try world.publish(10)
        }
        try world.publish(count / 4)
        #expect(second.terminate() == 0)
        try world.publish(count / 4)
        try world.waitUntilCommitted(world.published, while: first)
        #expect(first.terminate() == 0)
        try expectOneOutcomeEach(world)
    }
}
