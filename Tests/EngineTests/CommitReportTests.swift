import Delivery
import Testing

@testable import Engine

@Suite struct `Commits of several partitions` {
    /// Commits of two partitions, both in progress.
    private func commits() throws -> (EngineDesk, [OffsetCommit]) {
        let desk = try EngineDesk()
        let ids = [desk.assign(0), desk.assign(1)]
        for id in ids {
            desk.push("ab0\(id.number)", offset: 0, of: id)
            desk.answer(try #require(desk.send()), 200)
        }
        desk.settle()
        let commits = desk.takeCommits()
        #expect(commits.map(\.assignment) == ids)
        return (desk, commits)
    }

    @Test func `are done when one report names them all`() throws {
        let (desk, commits) = try commits()
        #expect(!desk.areCommitsDone)
        desk.committed(CommitReport(commits: commits, failure: nil))
        #expect(desk.areCommitsDone && desk.isCommitted)
    }

    @Test func `are done only after the last of several reports`() throws {
        let (desk, commits) = try commits()
        desk.committed(CommitReport(commits: [commits[0]], failure: nil))
        #expect(!desk.areCommitsDone)
        desk.push("ab09", offset: 1)
        desk.answer(try #require(desk.send()), 200)
        desk.settle()
        desk.pass(milliseconds: 1000)
        #expect(!desk.shouldCommit)
        desk.committed(CommitReport(commits: [commits[1]], failure: nil))
        #expect(desk.areCommitsDone && desk.shouldCommit)
    }

    @Test func `are repeated for the partition whose commit failed and for no other`() throws {
        let (desk, commits) = try commits()
        desk.committed(CommitReport(commits: [commits[0]], failure: nil))
        let failure = KafkaFailure(code: "NOT_COORDINATOR", operation: "commit", detail: "moved")
        desk.committed(CommitReport(commits: [commits[1]], failure: failure))
        desk.pass(milliseconds: 1000)
        #expect(desk.takeCommits() == [commits[1]])
        #expect(desk.engine.counters.commitFailures == 1)
        #expect(desk.engine.counters.commits == 1)
    }

    /// Why a commit is refused while the log of its partition cannot be found: the source examines
    /// it, as it perhaps was replaced, or the topic does not exist.
    private static let refusals = ["_ASSIGNMENT_LOST", "UNKNOWN_TOPIC_OR_PART"]

    private func refuse(_ commits: [OffsetCommit], _ desk: EngineDesk, with code: String) {
        let failure = KafkaFailure(code: code, operation: "commit", detail: "scripted")
        desk.committed(CommitReport(commits: commits, failure: failure))
    }

    @Test(arguments: refusals)
    func `are not awaited at the end for a partition whose log cannot be found`(code: String)
        throws
    {
        let (desk, commits) = try commits()
        desk.committed(CommitReport(commits: [commits[0]], failure: nil))
        desk.engine.drain(until: desk.now + .seconds(20))
        refuse([commits[1]], desk, with: code)
        #expect(!desk.isCommitted)
        desk.pass(milliseconds: 1000)
        #expect(desk.takeCommits() == [commits[1]])
        refuse([commits[1]], desk, with: code)
        desk.pass(milliseconds: 1000)
        #expect(desk.takeCommits() == [commits[1]])
        refuse([commits[1]], desk, with: code)
        #expect(desk.isCommitted)
    }

    @Test(arguments: refusals)
    func `do not hold up a revocation for a partition whose log cannot be found`(code: String)
        throws
    {
        let (desk, commits) = try commits()
        desk.committed(CommitReport(commits: [commits[0]], failure: nil))
        refuse([commits[1]], desk, with: code)
        desk.engine.revoking([commits[1].assignment])
        guard case .commit(let last) = desk.engine.takeHandover() else {
            Issue.record("no last commit")
            return
        }
        #expect(last == [commits[1]])
        desk.pass(milliseconds: 2000)
        refuse(last, desk, with: code)
        #expect(desk.engine.takeHandover() == .giveUp([commits[1].assignment]))
    }

    @Test(arguments: refusals)
    func `are repeated for such a partition as long as it is read`(code: String) throws {
        let (desk, commits) = try commits()
        desk.committed(CommitReport(commits: [commits[0]], failure: nil))
        for _ in 0..<5 {
            refuse([commits[1]], desk, with: code)
            desk.pass(milliseconds: 1000)
            #expect(desk.takeCommits() == [commits[1]])
        }
        desk.committed(CommitReport(commits: [commits[1]], failure: nil))
        #expect(desk.isCommitted)
    }
}

extension EngineDesk {
    fileprivate var areCommitsDone: Bool { engine.areCommitsDone }
    fileprivate var isCommitted: Bool { engine.isCommitted }
}
