import BridgeSamples
import Configuration
import Delivery
import Kafka
import Testing

@testable import Bridge
@testable import Engine

private typealias Letter = ReplayStage.Letter

/// Somebody else writes to the topic of dead letters: what is replayed is sent.
@Suite struct `A forged dead letter` {
    private static let keys = SealKeys(keys: [Array("0123456789abcdef".utf8)])
    private static let others = SealKeys(keys: [Array("fedcba9876543210".utf8)])
    private static let both = SealKeys(keys: [
        Array("fedcba9876543210".utf8), Array("0123456789abcdef".utf8),
    ])

    private func stage(_ keys: SealKeys?) throws -> ReplayStage {
        var stage = try ReplayStage()
        stage.connector.results.seal = keys
        return stage
    }

    @Test func `is not replayed, and stays open for the right keys`() throws {
        var stage = try stage(Self.keys)
        try stage.write([
            Letter(number: 1), Letter(number: 2, seal: Self.others),
            Letter(number: 3, seal: Self.keys), Letter(number: 4, connector: "other"),
        ])
        let totals = try stage.replay()
        #expect(totals.replayed == 1 && totals.unsealed == 2 && totals.foreign == 1)
        #expect(try stage.written() == [3])
        stage.connector.results.seal = Self.both
        let next = try stage.replay()
        #expect(next.replayed == 1 && next.unsealed == 1)
        #expect(try stage.written() == [3, 2])
    }

    @Test func `cannot claim to be older than seals: its writer chooses the timestamp`() throws {
        let since = ReplayStage.now - ReplayStage.day
        let stage = try stage(
            SealKeys(keys: [Array("0123456789abcdef".utf8)], since: since))
        try stage.write([Letter(number: 1, daysAgo: 2), Letter(number: 2)])
        let totals = try stage.replay()
        #expect(totals.replayed == 0 && totals.unsealed == 2)
    }

    @Test func `does not give its value to those of the same event`() throws {
        let stage = try stage(Self.keys)
        let time = ReplayStage.now - 1000
        for number in 0...1 { try stage.writeEvent(Letter(number: number, eventTime: time)) }
        var forged = Letter(number: 1, eventTime: time)
        forged.badge = 99
        try stage.write([
            forged,
            Letter(
                number: 1, eventTime: time, hasValueElsewhere: true, seal: Self.keys),
        ])
        #expect(try stage.replay().replayed == 1)
        #expect(try stage.written() == [1])
    }

    @Test func `names no topic that Kafka cannot have, whether or not there are seals`() throws {
        let stage = try stage(nil)
        try stage.write(
            ["../../x\n", "", "..", String(repeating: "a", count: 250), "a b"].map {
                Letter(number: 1, topic: $0)
            } + [Letter(number: 2, topic: "shop.orders")])
        let totals = try stage.replay()
        #expect(totals.damaged == 5 && totals.replayed == 1)
    }

    @Test func `is distinguished from replay records, which are sealed`() throws {
        let stage = try stage(Self.keys)
        try stage.write([Letter(number: 3, seal: Self.keys)])
        try stage.replay()
        let records = try TopicReader(properties: stage.properties).readAll("apns.replay")
        let record = try #require(records.first)
        func fault(_ kind: SealKeys.Kind) -> String? {
            Self.keys.fault(
                kind, key: record.key, value: record.value, headers: record.headers,
                storedAt: nil)
        }
        #expect(fault(.replay) == nil)
        #expect(fault(.deadLetter) != nil && fault(.retry) != nil)
    }
}
