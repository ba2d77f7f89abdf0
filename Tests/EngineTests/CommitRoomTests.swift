import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A partition whose oldest push waits` {
    /// Room in a commit for 120 offsets, whichever of them are done.
    private static let characters = 11

    /// A harness whose record 0 waits for a retry.
    private func harness(tweak: (inout EngineSettings) -> Void = { _ in }) throws -> EngineHarness {
        let harness = try EngineHarness {
            $0.commitMetadata = Self.characters
            tweak(&$0)
        }
        harness.assign(committed: 0)
        harness.push("dd00", offset: 0)
        try harness.sendAndRespond(500, "InternalServerError")
        return harness
    }

    /// Pushes records until the partition is paused; returns how many.
    private func fill(_ harness: EngineHarness, from first: Int64 = 1) throws -> Int64 {
        var offset = first
        while offset < 1000 {
            harness.push(offset: offset)
            try harness.sendAndRespond(200)
            harness.settle()
            offset += 1
            if let change = harness.flowChange(), !change.pause.isEmpty { break }
        }
        return offset - first
    }

    @Test func `is paused before its completed offsets outgrow a commit`() throws {
        let harness = try harness()
        let count = try fill(harness)
        #expect(count > 1 && count < 120)
        // Records read before the pause takes effect still fit, whichever of them are done first.
        for offset in 0..<64 { harness.push(offset: 1 + count + Int64(offset)) }
        let accepted = harness.sendAll().enumerated().filter { $0.offset.isMultiple(of: 2) }
        for (_, id) in accepted { harness.respond(id, 200) }
        harness.settle()
        let commit = try #require(harness.takeCommits().first)
        #expect(commit.metadata.unicodeScalars.count <= Self.characters)
        let named = CompletedOffsets(text: commit.metadata, from: commit.next)
        let missing = (1...count).filter { !named.contains($0) }
        #expect(commit.next == 0 && missing == [])
        #expect(named.ranges.map(\.count).reduce(0, +) == Int(count) + accepted.count)
    }

    @Test func `is paused with one warning that says what to do`() throws {
        let harness = try harness()
        _ = try fill(harness)
        let notices = harness.engine.takeNotices().filter { $0.name.hasPrefix("paused") }
        #expect(notices.map(\.name) == ["pausedByCommitSize"])
        guard case .pausedByCommitSize(_, let oldest, _, let hasRetryTopic) = notices.first else {
            return
        }
        #expect(oldest == 0 && !hasRetryTopic)
    }

    @Test func `is paused with a warning for each cause`() throws {
        let harness = try harness { $0.maxUncommitted = 10 }
        _ = try fill(harness)
        for offset in 11..<120 as Range<Int64> {
            harness.committed(CommitReport(commits: harness.takeCommits(), failure: nil))
            harness.push(offset: offset)
            try harness.sendAndRespond(200)
            harness.settle()
        }
        let notices = harness.engine.takeNotices().map(\.name).filter { $0.hasPrefix("paused") }
        #expect(notices.sorted() == ["pausedByCommitSize", "pausedUncommitted"])
    }

    @Test func `is resumed when that push is done`() throws {
        let harness = try harness()
        _ = try fill(harness)
        harness.pass(milliseconds: 400_000)
        try harness.sendAndRespond(200)
        harness.settle()
        #expect(harness.flowChange()?.resume == [AssignmentID(0)])
    }

    @Test func `moves that push to the retry topic before it has to be paused`() throws {
        let harness = try harness { $0.results.retry = "apns.retry" }
        for offset in 1..<1000 as Range<Int64> {
            harness.push(offset: offset)
            try harness.sendAndRespond(200)
            harness.settle()
            harness.pass(milliseconds: 1)
            if let change = harness.flowChange() { #expect(change.pause == []) }
        }
        let counters = harness.engine.counters
        #expect(counters.movedToRetryTopic == 1)
        #expect(harness.next() == 1000)
    }

    @Test func `commits less metadata if the broker accepts less, and logs that`() throws {
        let harness = try harness { $0.commitMetadata = 64 }
        harness.push(offset: 1)
        try harness.sendAndRespond(200)
        harness.settle()
        #expect(harness.budget == 64)
        let failure = KafkaFailure(
            code: "OFFSET_METADATA_TOO_LARGE", detail: "scripted", isFatal: false)
        func refuse() -> [Int] {
            let commit = OffsetCommit(
                assignment: AssignmentID(0), next: 0,
                metadata: String(
                    repeating: "x", count: max(1, harness.budget)))
            harness.committed(CommitReport(commits: [commit], failure: failure))
            return harness.engine.takeNotices().compactMap { notice in
                guard case .metadataRefused(_, let left) = notice else { return nil }
                return left
            }
        }
        #expect(refuse() == [32])
        #expect(harness.budget == 32)
        #expect(refuse() == [16])
        #expect(refuse() == [0])
        #expect(harness.budget == 0)
        #expect(refuse().isEmpty)
        #expect(harness.takeCommits().allSatisfy { $0.metadata.isEmpty })
    }
}

@Suite struct `Records that are done but not committed` {
    @Test func `are bounded, and a commit starts at half of the bound`() throws {
        let harness = try EngineHarness { $0.maxUncommitted = 8 }
        let id = harness.assign(committed: 0)
        try finish(harness, 0)
        let first = harness.takeCommits()
        harness.committed(CommitReport(commits: first, failure: nil))
        for offset in 1..<4 as Range<Int64> { try finish(harness, offset) }
        #expect(!harness.shouldCommit)
        try finish(harness, 4)
        #expect(harness.shouldCommit)
        for offset in 5..<9 as Range<Int64> {
            #expect(harness.flowChange()?.pause ?? [] == [])
            try finish(harness, offset)
        }
        #expect(harness.flowChange()?.pause == [id])
        let uncommitted = Notice.Uncommitted(count: 8, hasMetadata: true, hasRetryTopic: false)
        let warning = Notice.pausedUncommitted(EngineHarness.orders, uncommitted)
        #expect(harness.engine.takeNotices() == [warning])
        let commits = harness.takeCommits()
        #expect(harness.flowChange()?.resume ?? [] == [])
        harness.committed(CommitReport(commits: commits, failure: nil))
        #expect(harness.flowChange()?.resume == [id])
    }

    /// A harness with a broker that keeps no metadata, whose records 0 and 2 wait for a retry.
    private func harnessWithoutMetadata(
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let harness = try EngineHarness {
            $0.maxUncommitted = 8
            $0.commitMetadata = 0
            $0.retry = RetryPolicy(first: .seconds(300))
            tweak(&$0)
        }
        harness.assign(committed: 0)
        for offset in 0..<4 as Range<Int64> {
            harness.push("dd0\(offset)", offset: offset)
            try harness.sendAndRespond(offset.isMultiple(of: 2) ? 500 : 200)
            harness.settle()
        }
        return harness
    }

    /// Kafka stores what is to be committed.
    private func store(_ harness: EngineHarness) {
        harness.committed(CommitReport(commits: harness.takeCommits(), failure: nil))
    }

    @Test func `are bounded although commits list nothing of what is done above their offset`()
        throws
    {
        let harness = try harnessWithoutMetadata()
        for offset in 4..<7 as Range<Int64> { try finish(harness, offset) }
        store(harness)
        // The first record is done, and the commit moves on to the second that waits.
        harness.pass(milliseconds: 400_000)
        for id in harness.sendAll() where harness.offset(id) == 0 { harness.respond(id, 200) }
        harness.settle()
        store(harness)
        #expect(harness.next() == 2)
        #expect(harness.flowChange()?.pause ?? [] == [])
        // Four records are done above it already.
        for offset in 7..<10 as Range<Int64> { try finish(harness, offset) }
        store(harness)
        #expect(harness.flowChange()?.pause ?? [] == [])
        try finish(harness, 10)
        #expect(harness.flowChange()?.pause == [AssignmentID(0)])
    }

    @Test func `stay few if what holds the commit can wait in the retry topic`() throws {
        let harness = try harnessWithoutMetadata { $0.results.retry = "apns.retry" }
        for offset in 4..<40 as Range<Int64> {
            try finish(harness, offset)
            harness.pass(milliseconds: 1000)
            harness.settle()
            store(harness)
            #expect(harness.flowChange()?.pause ?? [] == [])
        }
        #expect(harness.engine.counters.movedToRetryTopic == 2)
    }

    @Test func `cause no busy loop while the source cannot commit`() throws {
        let harness = try EngineHarness { $0.maxUncommitted = 2 }
        harness.assign(committed: 0)
        try finish(harness, 0)
        #expect(harness.shouldCommit)
        harness.engine.postponeCommit()
        #expect(!harness.shouldCommit)
        let next = try #require(harness.nextCommit)
        #expect(next > harness.now)
    }

    private func finish(_ harness: EngineHarness, _ offset: Int64) throws {
        harness.push(offset: offset)
        try harness.sendAndRespond(200)
        harness.settle()
    }
}
