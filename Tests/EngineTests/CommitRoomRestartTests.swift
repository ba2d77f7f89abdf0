import Configuration
import Delivery
import Testing

@testable import Engine

/// A partition of which a worker reads what it may, as a source would hand it out.
private struct ReadPartition {
    let harness: EngineHarness
    /// The next offset to read.
    private(set) var position: Int64
    private(set) var isPaused = false
    /// What Kafka has.
    private(set) var committed: OffsetCommit?

    /// Begins where the last commit of another worker ends.
    init(from commit: OffsetCommit?, characters: Int) throws {
        harness = try EngineHarness { $0.commitMetadata = characters }
        position = commit?.next ?? 0
        committed = commit
        harness.assign(committed: position, metadata: commit?.metadata ?? "")
    }

    /// Reads on to an offset, or until the partition is paused and `late` more records have come.
    /// APNs accepts the pushes but for those of which `waits` is true: these wait for a retry.
    mutating func read(to end: Int64, late: Int = 0, waits: (Int64) -> Bool) {
        var left = late
        while position < end {
            if isPaused {
                guard left > 0 else { return }
                left -= 1
            }
            harness.push("ab\(100_000 + position)", offset: position)
            position += 1
            respond(waits)
        }
    }

    /// APNs responds to what can be sent.
    mutating func respond(_ waits: (Int64) -> Bool) {
        for id in harness.sendAll() {
            if waits(harness.offset(id)) {
                harness.respond(id, 500, "InternalServerError")
            } else {
                harness.respond(id, 200)
            }
        }
        harness.settle()
        commit()
        guard let change = harness.flowChange() else { return }
        if !change.pause.isEmpty { isPaused = true }
        if !change.resume.isEmpty { isPaused = false }
    }

    /// Kafka stores what is to be committed.
    private mutating func commit() {
        let commits = harness.takeCommits()
        harness.committed(CommitReport(commits: commits, failure: nil))
        committed = commits.last ?? committed
    }

    /// The offsets that Kafka does not have as done although they are.
    func forgotten(_ waits: (Int64) -> Bool) -> [Int64] {
        guard let committed else { return [] }
        let recorded = CompletedOffsets(text: committed.metadata, from: committed.next)
        return (committed.next..<position).filter { !waits($0) && !recorded.contains($0) }
    }
}

@Suite struct `A restart of a worker whose commit is full` {
    private static let characters = 200

    /// The last commit of a worker of whose pushes one in twenty waits.
    private func fullCommit() throws -> OffsetCommit {
        var partition = try ReadPartition(from: nil, characters: Self.characters)
        partition.read(to: 20_000) { $0.isMultiple(of: 20) }
        #expect(partition.isPaused)
        return try #require(partition.committed)
    }

    @Test func `reads on when what was open is done`() throws {
        let commit = try fullCommit()
        var partition = try ReadPartition(from: commit, characters: Self.characters)
        partition.read(to: 20_000) { _ in false }
        #expect(partition.position == 20_000)
        #expect(partition.harness.next() == 20_000)
    }

    @Test func `sends all that was open although none of it is done`() throws {
        let commit = try fullCommit()
        var partition = try ReadPartition(from: commit, characters: Self.characters)
        partition.read(to: 20_000) { $0.isMultiple(of: 20) }
        #expect(partition.isPaused)
        let end = try #require(
            CompletedOffsets(text: commit.metadata, from: commit.next).ranges.last?.upperBound)
        #expect(partition.position > end - Int64(CommitPace.reserve))
    }

    @Test(arguments: [0, 64])
    func `forgets nothing that is done, however often it happens`(late: Int) throws {
        var commit: OffsetCommit?
        for round in 0..<10 as Range<Int64> {
            let waits = { (offset: Int64) in offset.isMultiple(of: 20) && offset >= 200 * round }
            var partition = try ReadPartition(from: commit, characters: Self.characters)
            partition.read(to: 20_000, late: late, waits: waits)
            #expect(partition.forgotten(waits) == [])
            commit = partition.committed
        }
        var partition = try ReadPartition(from: commit, characters: Self.characters)
        partition.read(to: 20_000) { _ in false }
        #expect(partition.position == 20_000)
    }
}
