import Delivery
import Testing

@testable import Engine

@Suite struct `Commits of several partitions` {
    /// Commits of two partitions, both in progress.
    private func commits() throws -> (EngineHarness, [OffsetCommit]) {
        let harness = try EngineHarness()
        let ids = [harness.assign(0), harness.assign(1)]
        for id in ids {
            harness.push("ab0\(id.number)", offset: 0, of: id)
            harness.respond(try #require(harness.send()), 200)
        }
        harness.settle()
        let commits = harness.takeCommits()
        #expect(commits.map(\.assignment) == ids)
        return (harness, commits)
    }

    @Test func `are done when one report names them all`() throws {
        let (harness, commits) = try commits()
        #expect(!harness.areCommitsDone)
        harness.committed(CommitReport(commits: commits, failure: nil))
        #expect(harness.areCommitsDone && harness.isCommitted)
    }

    @Test func `are done only after the last of several reports`() throws {
        let (harness, commits) = try commits()
        harness.committed(CommitReport(commits: [commits[0]], failure: nil))
        #expect(!harness.areCommitsDone)
        harness.push("ab09", offset: 1)
        harness.respond(try #require(harness.send()), 200)
        harness.settle()
        harness.pass(milliseconds: 1000)
        #expect(!harness.shouldCommit)
        harness.committed(CommitReport(commits: [commits[1]], failure: nil))
        #expect(harness.areCommitsDone && harness.shouldCommit)
    }

    @Test func `are repeated for the partition whose commit failed and for no other`() throws {
        let (harness, commits) = try commits()
        harness.committed(CommitReport(commits: [commits[0]], failure: nil))
        let failure = KafkaFailure(code: "NOT_COORDINATOR", operation: "commit", detail: "moved")
        harness.committed(CommitReport(commits: [commits[1]], failure: failure))
        harness.pass(milliseconds: 1000)
        #expect(harness.takeCommits() == [commits[1]])
        #expect(harness.engine.counters.commitFailures == 1)
        #expect(harness.engine.counters.commits == 1)
    }

    /// Why a commit is refused while the log of its partition cannot be found: the source examines
    /// it, as it perhaps was replaced, or the topic does not exist.
    private static let refusals = ["_ASSIGNMENT_LOST", "UNKNOWN_TOPIC_OR_PART"]

    private func refuse(_ commits: [OffsetCommit], _ harness: EngineHarness, with code: String) {
        let failure = KafkaFailure(code: code, operation: "commit", detail: "scripted")
        harness.committed(CommitReport(commits: commits, failure: failure))
    }

    @Test(arguments: refusals)
    func `are not awaited at the end for a partition whose log cannot be found`(code: String)
        throws
    {
        let (harness, commits) = try commits()
        harness.committed(CommitReport(commits: [commits[0]], failure: nil))
        harness.engine.drain(until: harness.now + .seconds(20))
        refuse([commits[1]], harness, with: code)
        #expect(!harness.isCommitted)
        harness.pass(milliseconds: 1000)
        #expect(harness.takeCommits() == [commits[1]])
        refuse([commits[1]], harness, with: code)
        harness.pass(milliseconds: 1000)
        #expect(harness.takeCommits() == [commits[1]])
        refuse([commits[1]], harness, with: code)
        #expect(harness.isCommitted)
    }

    @Test(arguments: refusals)
    func `do not hold up a revocation for a partition whose log cannot be found`(code: String)
        throws
    {
        let (harness, commits) = try commits()
        harness.committed(CommitReport(commits: [commits[0]], failure: nil))
        refuse([commits[1]], harness, with: code)
        harness.engine.revoking([commits[1].assignment])
        guard case .commit(let last) = harness.engine.takeHandover() else {
            Issue.record("no last commit")
            return
        }
        #expect(last == [commits[1]])
        harness.pass(milliseconds: 2000)
        refuse(last, harness, with: code)
        #expect(harness.engine.takeHandover() == .release([commits[1].assignment]))
    }

    @Test(arguments: refusals)
    func `are repeated for such a partition as long as it is read`(code: String) throws {
        let (harness, commits) = try commits()
        harness.committed(CommitReport(commits: [commits[0]], failure: nil))
        for _ in 0..<5 {
            refuse([commits[1]], harness, with: code)
            harness.pass(milliseconds: 1000)
            #expect(harness.takeCommits() == [commits[1]])
        }
        harness.committed(CommitReport(commits: [commits[1]], failure: nil))
        #expect(harness.isCommitted)
    }
}

extension EngineHarness {
    fileprivate var areCommitsDone: Bool { engine.areCommitsDone }
    fileprivate var isCommitted: Bool { engine.isCommitted }
}
