import Configuration
import Delivery
import Kafka
import Testing

@testable import Bridge

private typealias Letter = ReplayStage.Letter

@Suite struct `A replay and what it has recorded` {
    private let old = ReplayInterruption.nothingRecorded(
        oldest: ReplayStage.now - 8 * ReplayStage.day, kept: 7 * ReplayStage.day)

    @Test func `is refused if there are dead letters that Kafka may have forgotten`() throws {
        let stage = try ReplayStage(partitions: 2)
        try stage.write([
            Letter(number: 1, daysAgo: 8), Letter(number: 2), Letter(number: 3, partition: 1),
        ])
        #expect(throws: old) { try stage.replay() }
        #expect(throws: old) { try stage.replay(isDry: true) }
        #expect(throws: old) { try stage.replay { $0.reason = "BadTopic" } }
        #expect(try stage.written() == [])
        #expect(try stage.committed(partitions: 2).allSatisfy { $0.next == nil })
    }

    @Test func `begins by itself if no dead letter is as old as that`() throws {
        let stage = try ReplayStage()
        try stage.write([Letter(number: 1, daysAgo: 7), Letter(number: 2)])
        #expect(try stage.replay().replayed == 2)
        #expect(try stage.written() == [1, 2])
    }

    @Test func `continues however old the dead letters are`() throws {
        let stage = try ReplayStage()
        try stage.write([Letter(number: 1, daysAgo: 30), Letter(number: 2, daysAgo: 20)])
        try stage.commit(1, "")
        #expect(try stage.replay().replayed == 1)
        #expect(try stage.written() == [2])
    }

    @Test func `sends all if it is to begin with the oldest`() throws {
        let stage = try ReplayStage(partitions: 2)
        try stage.write([
            Letter(number: 1, daysAgo: 30), Letter(number: 2), Letter(number: 3, partition: 1),
        ])
        #expect(try stage.replay(isDry: true) { $0.isFromBeginning = true }.replayed == 3)
        #expect(try stage.replay { $0.isFromBeginning = true }.replayed == 3)
        // The same command again continues there.
        #expect(try stage.replay { $0.isFromBeginning = true }.read == 0)
        #expect(try stage.replay().read == 0)
        #expect(try stage.written().sorted() == [1, 2, 3])
    }

    @Test func `begins with a time if it is to, and never returns to what was before`() throws {
        let stage = try ReplayStage(partitions: 3)
        try stage.write(
            (1...6).map { Letter(number: $0, daysAgo: 20) }
                + [Letter(number: 7, daysAgo: 2), Letter(number: 8)]
                + [Letter(number: 9, daysAgo: 12, partition: 1)]
                // Nothing is as old here: it waits for a replay without a time.
                + [Letter(number: 10, daysAgo: 5, partition: 2)])
        let since = ReplayStage.now - 3 * ReplayStage.day
        let totals = try stage.replay { $0.since = since }
        #expect(totals.replayed == 2 && totals.skipped == 7 && totals.passedOver == 1)
        #expect(try stage.written() == [7, 8])
        #expect(try stage.replay().replayed == 1)
        #expect(try stage.written() == [7, 8, 10])
    }

    @Test func `that is interrupted before the time begins there when it is run again`() throws {
        let stage = try ReplayStage()
        try stage.write(
            (1...6).map { Letter(number: $0, daysAgo: 20) } + [Letter(number: 7, daysAgo: 1)])
        var first = try stage.begin { $0.since = ReplayStage.now - 3 * ReplayStage.day }
        while first.totals.skipped < 3 { _ = try first.step(atMost: 1, now: ReplayStage.now) }
        try first.commit()
        #expect(throws: ReplayInterruption.self) { try stage.replay() }
        #expect(
            try stage.replay { $0.since = ReplayStage.now - 3 * ReplayStage.day }.skipped == 6)
        #expect(try stage.replay().read == 0)
        #expect(try stage.written() == [7])
    }

    @Test func `that is killed before its commit repeats these records alone`() throws {
        let stage = try ReplayStage()
        try stage.write((1...6).map { Letter(number: $0) })
        try Self.replayWithoutLastCommit(stage)
        let before = try stage.written()
        #expect(before.first == 1)
        #expect(try stage.committed().first?.next ?? 0 < Int64(before.count))
        try stage.replay()
        let after = try stage.written()
        #expect(after.count < before.count + 6 && Set(after) == Set(1...6))
        #expect(try stage.replay().read == 0)
    }

    /// Commits the first records that are written, and not the next ones.
    private static func replayWithoutLastCommit(_ stage: ReplayStage) throws {
        var replay = try stage.begin()
        while replay.totals.replayed == 0 { _ = try replay.step(atMost: 2, now: ReplayStage.now) }
        try replay.commit()
        let done = replay.totals.replayed
        while replay.totals.replayed == done {
            _ = try replay.step(atMost: 2, now: ReplayStage.now)
        }
    }

    @Test func `with another file leaves the dead letters to their own connector`() throws {
        let stage = try ReplayStage()
        try stage.write([Letter(number: 1), Letter(number: 2)])
        var copy = stage.connector
        copy.name = "orders-operator"
        let totals = try stage.replay(of: copy)
        #expect(totals.foreign == 2 && totals.foreignNames == ["orders"])
        #expect(try stage.replay(of: copy).read == 0)
        #expect(try stage.replay().replayed == 2)
        #expect(try stage.written() == [1, 2])
    }

    @Test func `writes nothing once another one has committed`() throws {
        let stage = try ReplayStage()
        try stage.write([Letter(number: 1), Letter(number: 2)])
        var late = try stage.begin()
        try stage.replay()
        #expect(throws: ReplayInterruption.anotherReplay) {
            while try late.step(atMost: 500, now: ReplayStage.now) {}
        }
        #expect(try stage.written() == [1, 2])
    }

    @Test func `writes only whole events of one push to a source topic`() throws {
        let stage = try ReplayStage()
        try stage.write([
            Letter(number: 1), Letter(number: 2, index: 1, devices: 3),
            Letter(number: 3, index: 0, devices: 2),
        ])
        #expect(try stage.replay(to: "shop.orders", isDry: true).oneOfMany == 2)
        let totals = try stage.replay(to: "shop.orders")
        #expect(totals.replayed == 1 && totals.oneOfMany == 2)
        #expect(try stage.written(to: "shop.orders") == [1])
        #expect(try stage.replay().replayed == 2)
        #expect(try stage.written() == [2, 3])
    }

    @Test func `knows a source topic by the pattern that it matches`() throws {
        var stage = try ReplayStage()
        stage.connector.source.topics = ["^shop\\."]
        try stage.write([Letter(number: 1), Letter(number: 2, index: 1, devices: 3)])
        let totals = try stage.replay(to: "shop.orders")
        #expect(totals.replayed == 1 && totals.oneOfMany == 1)
        #expect(try stage.written(to: "shop.orders") == [1])
    }
}

@Suite struct `A replay that leaves out many dead letters` {
    /// The metadata of a commit that has room for no more than it lists.
    private static func full() -> String {
        var done = CompletedOffsets()
        var text = ""
        for number in 1... {
            let start = Int64(number) * 20_000
            let more = CompletedOffsets(ranges: done.ranges + [start..<(start + 19_999)])
            let longer = more.text(from: 0)
            guard CompletedOffsets(text: longer, from: 0) == more else { break }
            (done, text) = (more, longer)
        }
        return text
    }

    @Test func `writes nothing that it cannot record`() throws {
        let stage = try ReplayStage()
        try stage.write(
            (1...12).map { Letter(number: $0, reason: $0 % 2 == 0 ? "BadTopic" : "MissingTopic") })
        try stage.commit(0, Self.full())
        let before = try stage.committed()
        #expect(throws: ReplayInterruption.tooManyPassedOver) {
            try stage.replay { $0.reason = "BadTopic" }
        }
        #expect(throws: ReplayInterruption.tooManyPassedOver) {
            try stage.replay(isDry: true) { $0.reason = "BadTopic" }
        }
        let even = try stage.written()
        #expect(even.count < 6)
        // Everything written is recorded.
        #expect(try stage.replay().replayed == 12 - even.count)
        #expect(try stage.written().sorted() == Array(1...12))
        #expect(before.first?.next == 0)
    }

    @Test func `continues if those have already been replayed often enough`() throws {
        let stage = try ReplayStage()
        try stage.write((1...12).map { Letter(number: $0, replays: $0 % 2 == 0 ? 1 : 3) })
        try stage.commit(0, Self.full())
        let totals = try stage.replay()
        #expect(totals.replayed == 6 && totals.tooOften == 6 && totals.givenUp > 0)
        #expect(try stage.written() == [2, 4, 6, 8, 10, 12])
        #expect(try stage.replay().replayed == 0)
    }

    @Test func `keeps these for a replay that allows more as long as there is room`() throws {
        let stage = try ReplayStage()
        try stage.write((1...12).map { Letter(number: $0, replays: $0 % 2 == 0 ? 1 : 3) })
        let totals = try stage.replay()
        #expect(totals.replayed == 6 && totals.tooOften == 6 && totals.givenUp == 0)
        #expect(try stage.replay { $0.maxReplays = 4 }.replayed == 6)
        #expect(try stage.replay().read == 0)
    }
}
