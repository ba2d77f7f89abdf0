import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `The published state of a partition` {
    private func states(_ harness: EngineHarness, end: Int64? = 10) -> [PartitionState] {
        harness.engine.partitionStates { _ in end }
    }

    @Test func `has its lag, its open records and its oldest event`() throws {
        let harness = try EngineHarness()
        harness.assign(3, committed: 0)
        harness.push(offset: 0)
        harness.push(offset: 1)
        harness.engine.setTime(harness.now + .seconds(2), wallClock: EngineHarness.start + 2000)
        harness.engine.doDueWork()
        let state = try #require(states(harness).first)
        #expect(state.topicPartition == TopicPartition(topic: "shop.orders", partition: 3))
        #expect(state.lag == 10 && state.openRecords == 2)
        #expect(state.oldestEventAge == 7000)
        #expect(state.pauses == [] && !state.isRetry)
    }

    @Test func `has no lag while its log's end is unknown, nor an oldest event when idle`() throws {
        let harness = try EngineHarness()
        harness.assign(committed: 0)
        #expect(states(harness, end: nil).map(\.lag) == [nil])
        #expect(states(harness).map(\.oldestEventAge) == [nil])
        #expect(states(harness, end: nil).lag == nil)
    }

    @Test func `has as unread what is still to be taken, whatever waits or is done`() throws {
        let harness = try EngineHarness()
        harness.assign(committed: 3)
        #expect(states(harness).map(\.unread) == [7])
        harness.push("ff", offset: 3)
        harness.respond(try #require(harness.send()), 429, "TooManyRequests", retryAfter: 300)
        for offset in 4..<8 as Range<Int64> {
            harness.push("ab\(1000 + offset)", offset: offset)
            try harness.sendAndRespond(200)
        }
        harness.settle()
        #expect(states(harness).map(\.lag) == [7] && states(harness).map(\.unread) == [2])
        #expect(states(harness, end: nil).map(\.unread) == [nil])
        #expect(states(harness, end: nil).unread == nil)
    }

    @Test func `has nothing unread in the retry topic, and does in the replay topic`() throws {
        let harness = try EngineHarness {
            $0.results.retry = "apns.retry"
            $0.replayTopic = "apns.replay"
        }
        harness.engine.assigned(
            ["shop.orders", "apns.retry", "apns.replay"].enumerated().map { number, topic in
                AssignedPartition(
                    id: AssignmentID(number), topicPartition: .init(topic: topic, partition: 0),
                    committed: 4, metadata: "")
            })
        #expect(states(harness).map(\.lag) == [6, 6, 6])
        #expect(states(harness).map(\.unread) == [6, nil, 6])
        #expect(states(harness).unread == 12)
    }

    @Test func `forgets its oldest event when that is done`() throws {
        let harness = try EngineHarness()
        harness.assign(committed: 0)
        harness.push(offset: 0)
        harness.engine.doDueWork()
        try harness.sendAndRespond(200)
        harness.settle()
        #expect(states(harness).map(\.oldestEventAge) == [nil])
        #expect(states(harness).map(\.lag) == [9])
    }

    @Test func `says that an operator has paused it, and that it is revoked`() throws {
        let harness = try EngineHarness()
        let first = harness.assign(0, committed: 0)
        harness.assign(1, committed: 0)
        harness.engine.setPaused(true)
        #expect(states(harness).map(\.pauses) == [[.operator], [.operator]])
        harness.engine.setPaused(false)
        harness.push(offset: 0)
        harness.engine.revoking([first])
        #expect(states(harness).map(\.pauses) == [[.revoked], []])
    }

    @Test func `counts the lag of all partitions with a known end`() throws {
        var states = [0, 1, 2].map { PartitionState(TopicPartition(topic: "a", partition: $0)) }
        states[0].lag = 3
        states[2].lag = 4
        #expect(states.lag == 7)
    }
}

@Suite struct `The published state of a suspended app` {
    @Test func `has the response of APNs, what it means, and for how long it lasts`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0)
        try harness.sendAndRespond(403, "InvalidProviderToken")
        harness.engine.setTime(harness.now + .seconds(90), wallClock: EngineHarness.start + 90_000)
        let app = try #require(harness.engine.state.suspendedApps.first)
        #expect(app.refusal?.response == "403 InvalidProviderToken")
        #expect(app.refusal?.meaning.contains("check key, key_id and team_id") == true)
        #expect(app.duration == .seconds(90) && !app.isGuarded)
    }

    @Test func `names the guard, and no response of an earlier fault`() throws {
        let harness = try EngineHarness { $0.invalidation = .init(share: 0.5, minimum: 10) }
        harness.assign()
        for offset in 0..<30 { harness.push("ab\(1000 + offset)", offset: Int64(offset)) }
        for _ in 0..<10 { try harness.sendAndRespond(410, "Unregistered") }
        let app = try #require(harness.engine.state.suspendedApps.first)
        #expect(app.isGuarded && app.refusal == nil)
        harness.engine.releaseGuards()
        #expect(harness.engine.state.suspendedApps == [])
    }
}
