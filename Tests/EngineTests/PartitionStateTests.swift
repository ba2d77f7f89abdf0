import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `The published state of a partition` {
    private func states(_ desk: EngineDesk, end: Int64? = 10) -> [PartitionState] {
        desk.engine.partitionStates { _ in end }
    }

    @Test func `has its lag, its open records and its oldest event`() throws {
        let desk = try EngineDesk()
        desk.assign(3, committed: 0)
        desk.push(offset: 0)
        desk.push(offset: 1)
        desk.engine.setTime(desk.now + .seconds(2), wallClock: EngineDesk.start + 2000)
        desk.engine.doDueWork()
        let state = try #require(states(desk).first)
        #expect(state.topicPartition == TopicPartition(topic: "shop.orders", partition: 3))
        #expect(state.lag == 10 && state.openRecords == 2)
        #expect(state.oldestEventAge == 7000)
        #expect(state.pauses == [] && !state.isRetry)
    }

    @Test func `has no lag while its log's end is unknown, nor an oldest event when idle`() throws {
        let desk = try EngineDesk()
        desk.assign(committed: 0)
        #expect(states(desk, end: nil).map(\.lag) == [nil])
        #expect(states(desk).map(\.oldestEventAge) == [nil])
        #expect(states(desk, end: nil).lag == nil)
    }

    @Test func `has as unread what is still to be taken, whatever waits or is done`() throws {
        let desk = try EngineDesk()
        desk.assign(committed: 3)
        #expect(states(desk).map(\.unread) == [7])
        desk.push("ff", offset: 3)
        desk.answer(try #require(desk.send()), 429, "TooManyRequests", retryAfter: 300)
        for offset in 4..<8 as Range<Int64> {
            desk.push("ab\(1000 + offset)", offset: offset)
            try desk.sendAndAnswer(200)
        }
        desk.settle()
        #expect(states(desk).map(\.lag) == [7] && states(desk).map(\.unread) == [2])
        #expect(states(desk, end: nil).map(\.unread) == [nil])
        #expect(states(desk, end: nil).unread == nil)
    }

    @Test func `has nothing unread in the retry topic, and does in the replay topic`() throws {
        let desk = try EngineDesk {
            $0.results.retry = "apns.retry"
            $0.replayTopic = "apns.replay"
        }
        desk.engine.assigned(
            ["shop.orders", "apns.retry", "apns.replay"].enumerated().map { number, topic in
                AssignedPartition(
                    id: AssignmentID(number), topicPartition: .init(topic: topic, partition: 0),
                    committed: 4, metadata: "")
            })
        #expect(states(desk).map(\.lag) == [6, 6, 6])
        #expect(states(desk).map(\.unread) == [6, nil, 6])
        #expect(states(desk).unread == 12)
    }

    @Test func `forgets its oldest event when that is done`() throws {
        let desk = try EngineDesk()
        desk.assign(committed: 0)
        desk.push(offset: 0)
        desk.engine.doDueWork()
        try desk.sendAndAnswer(200)
        desk.settle()
        #expect(states(desk).map(\.oldestEventAge) == [nil])
        #expect(states(desk).map(\.lag) == [9])
    }

    @Test func `says that an operator has paused it, and that it is revoked`() throws {
        let desk = try EngineDesk()
        let first = desk.assign(0, committed: 0)
        desk.assign(1, committed: 0)
        desk.engine.setPaused(true)
        #expect(states(desk).map(\.pauses) == [[.operator], [.operator]])
        desk.engine.setPaused(false)
        desk.push(offset: 0)
        desk.engine.revoking([first])
        #expect(states(desk).map(\.pauses) == [[.revoked], []])
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
        let desk = try EngineDesk()
        desk.assign()
        desk.push(offset: 0)
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        desk.engine.setTime(desk.now + .seconds(90), wallClock: EngineDesk.start + 90_000)
        let app = try #require(desk.engine.state.suspendedApps.first)
        #expect(app.refusal?.response == "403 InvalidProviderToken")
        #expect(app.refusal?.meaning.contains("check key, key_id and team_id") == true)
        #expect(app.duration == .seconds(90) && !app.isGuarded)
    }

    @Test func `names the guard, and no response of an earlier fault`() throws {
        let desk = try EngineDesk { $0.invalidation = .init(share: 0.5, minimum: 10) }
        desk.assign()
        for offset in 0..<30 { desk.push("ab\(1000 + offset)", offset: Int64(offset)) }
        for _ in 0..<10 { try desk.sendAndAnswer(410, "Unregistered") }
        let app = try #require(desk.engine.state.suspendedApps.first)
        #expect(app.isGuarded && app.refusal == nil)
        desk.engine.releaseGuards()
        #expect(desk.engine.state.suspendedApps == [])
    }
}
