import Configuration
import Delivery
import Testing

@testable import Engine

@Suite struct `A partition whose oldest push waits` {
    /// Room in a commit for 120 offsets, whichever of them are done.
    private static let characters = 11

    /// A desk whose record 0 waits for a retry.
    private func desk(tweak: (inout EngineSettings) -> Void = { _ in }) throws -> EngineDesk {
        let desk = try EngineDesk {
            $0.commitMetadata = Self.characters
            tweak(&$0)
        }
        desk.assign(committed: 0)
        desk.push("dd00", offset: 0)
        try desk.sendAndAnswer(500, "InternalServerError")
        return desk
    }

    /// Pushes records until the partition is paused; returns how many.
    private func fill(_ desk: EngineDesk, from first: Int64 = 1) throws -> Int64 {
        var offset = first
        while offset < 1000 {
            desk.push(offset: offset)
            try desk.sendAndAnswer(200)
            desk.settle()
            offset += 1
            if let change = desk.flowChange(), !change.pause.isEmpty { break }
        }
        return offset - first
    }

    @Test func `is paused before its completed offsets outgrow a commit`() throws {
        let desk = try desk()
        let count = try fill(desk)
        #expect(count > 1 && count < 120)
        // Records read before the pause takes effect still fit, whichever of them are done first.
        for offset in 0..<64 { desk.push(offset: 1 + count + Int64(offset)) }
        let accepted = desk.sendAll().enumerated().filter { $0.offset.isMultiple(of: 2) }
        for (_, id) in accepted { desk.answer(id, 200) }
        desk.settle()
        let commit = try #require(desk.takeCommits().first)
        #expect(commit.metadata.unicodeScalars.count <= Self.characters)
        let named = CompletedOffsets(text: commit.metadata, from: commit.next)
        let missing = (1...count).filter { !named.contains($0) }
        #expect(commit.next == 0 && missing == [])
        #expect(named.ranges.map(\.count).reduce(0, +) == Int(count) + accepted.count)
    }

    @Test func `is paused with one warning that says what to do`() throws {
        let desk = try desk()
        _ = try fill(desk)
        let notices = desk.engine.takeNotices().filter { $0.name.hasPrefix("paused") }
        #expect(notices.map(\.name) == ["pausedByCommitSize"])
        guard case .pausedByCommitSize(_, let oldest, _, let hasRetryTopic) = notices.first else {
            return
        }
        #expect(oldest == 0 && !hasRetryTopic)
    }

    @Test func `is paused with a warning for each cause`() throws {
        let desk = try desk { $0.maxUncommitted = 10 }
        _ = try fill(desk)
        for offset in 11..<120 as Range<Int64> {
            desk.committed(CommitReport(commits: desk.takeCommits(), failure: nil))
            desk.push(offset: offset)
            try desk.sendAndAnswer(200)
            desk.settle()
        }
        let notices = desk.engine.takeNotices().map(\.name).filter { $0.hasPrefix("paused") }
        #expect(notices.sorted() == ["pausedByCommitSize", "pausedUncommitted"])
    }

    @Test func `is resumed when that push is done`() throws {
        let desk = try desk()
        _ = try fill(desk)
        desk.pass(milliseconds: 400_000)
        try desk.sendAndAnswer(200)
        desk.settle()
        #expect(desk.flowChange()?.resume == [AssignmentID(0)])
    }

    @Test func `moves that push to the retry topic before it has to be paused`() throws {
        let desk = try desk { $0.results.retry = "apns.retry" }
        for offset in 1..<1000 as Range<Int64> {
            desk.push(offset: offset)
            try desk.sendAndAnswer(200)
            desk.settle()
            desk.pass(milliseconds: 1)
            if let change = desk.flowChange() { #expect(change.pause == []) }
        }
        let counters = desk.engine.counters
        #expect(counters.movedToRetryTopic == 1)
        #expect(desk.next() == 1000)
    }

    @Test func `commits less metadata if the broker accepts less, and logs that`() throws {
        let desk = try desk { $0.commitMetadata = 64 }
        desk.push(offset: 1)
        try desk.sendAndAnswer(200)
        desk.settle()
        #expect(desk.budget == 64)
        let failure = KafkaFailure(
            code: "OFFSET_METADATA_TOO_LARGE", detail: "scripted", isFatal: false)
        func refuse() -> [Int] {
            let commit = OffsetCommit(
                assignment: AssignmentID(0), next: 0,
                metadata: String(
                    repeating: "x", count: max(1, desk.budget)))
            desk.committed(CommitReport(commits: [commit], failure: failure))
            return desk.engine.takeNotices().compactMap { notice in
                guard case .metadataRefused(_, let left) = notice else { return nil }
                return left
            }
        }
        #expect(refuse() == [32])
        #expect(desk.budget == 32)
        #expect(refuse() == [16])
        #expect(refuse() == [0])
        #expect(desk.budget == 0)
        #expect(refuse().isEmpty)
        #expect(desk.takeCommits().allSatisfy { $0.metadata.isEmpty })
    }
}

@Suite struct `Records that are done but not committed` {
    @Test func `are bounded, and a commit starts at half of the bound`() throws {
        let desk = try EngineDesk { $0.maxUncommitted = 8 }
        let id = desk.assign(committed: 0)
        try finish(desk, 0)
        let first = desk.takeCommits()
        desk.committed(CommitReport(commits: first, failure: nil))
        for offset in 1..<4 as Range<Int64> { try finish(desk, offset) }
        #expect(!desk.shouldCommit)
        try finish(desk, 4)
        #expect(desk.shouldCommit)
        for offset in 5..<9 as Range<Int64> {
            #expect(desk.flowChange()?.pause ?? [] == [])
            try finish(desk, offset)
        }
        #expect(desk.flowChange()?.pause == [id])
        let uncommitted = Notice.Uncommitted(count: 8, hasMetadata: true, hasRetryTopic: false)
        let warning = Notice.pausedUncommitted(EngineDesk.orders, uncommitted)
        #expect(desk.engine.takeNotices() == [warning])
        let commits = desk.takeCommits()
        #expect(desk.flowChange()?.resume ?? [] == [])
        desk.committed(CommitReport(commits: commits, failure: nil))
        #expect(desk.flowChange()?.resume == [id])
    }

    /// A desk with a broker that keeps no metadata, whose records 0 and 2 wait for a retry.
    private func deskWithoutMetadata(
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineDesk {
        let desk = try EngineDesk {
            $0.maxUncommitted = 8
            $0.commitMetadata = 0
            $0.retry = RetryPolicy(first: .seconds(300))
            tweak(&$0)
        }
        desk.assign(committed: 0)
        for offset in 0..<4 as Range<Int64> {
            desk.push("dd0\(offset)", offset: offset)
            try desk.sendAndAnswer(offset.isMultiple(of: 2) ? 500 : 200)
            desk.settle()
        }
        return desk
    }

    /// Kafka stores what is to be committed.
    private func store(_ desk: EngineDesk) {
        desk.committed(CommitReport(commits: desk.takeCommits(), failure: nil))
    }

    @Test func `are bounded although commits tell nothing of what is done above their offset`()
        throws
    {
        let desk = try deskWithoutMetadata()
        for offset in 4..<7 as Range<Int64> { try finish(desk, offset) }
        store(desk)
        // The first record is done, and the commit moves on to the second that waits.
        desk.pass(milliseconds: 400_000)
        for id in desk.sendAll() where desk.offset(id) == 0 { desk.answer(id, 200) }
        desk.settle()
        store(desk)
        #expect(desk.next() == 2)
        #expect(desk.flowChange()?.pause ?? [] == [])
        // Four records are done above it already.
        for offset in 7..<10 as Range<Int64> { try finish(desk, offset) }
        store(desk)
        #expect(desk.flowChange()?.pause ?? [] == [])
        try finish(desk, 10)
        #expect(desk.flowChange()?.pause == [AssignmentID(0)])
    }

    @Test func `stay few if what holds the commit can wait in the retry topic`() throws {
        let desk = try deskWithoutMetadata { $0.results.retry = "apns.retry" }
        for offset in 4..<40 as Range<Int64> {
            try finish(desk, offset)
            desk.pass(milliseconds: 1000)
            desk.settle()
            store(desk)
            #expect(desk.flowChange()?.pause ?? [] == [])
        }
        #expect(desk.engine.counters.movedToRetryTopic == 2)
    }

    @Test func `cause no busy loop while the source cannot commit`() throws {
        let desk = try EngineDesk { $0.maxUncommitted = 2 }
        desk.assign(committed: 0)
        try finish(desk, 0)
        #expect(desk.shouldCommit)
        desk.engine.postponeCommit()
        #expect(!desk.shouldCommit)
        let next = try #require(desk.nextCommit)
        #expect(next > desk.now)
    }

    private func finish(_ desk: EngineDesk, _ offset: Int64) throws {
        desk.push(offset: offset)
        try desk.sendAndAnswer(200)
        desk.settle()
    }
}
