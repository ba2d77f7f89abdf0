import Delivery
import Testing

@testable import Engine

@Suite struct `A revoked partition` {
    private let id = AssignmentID(0)

    /// Records 0 to 4, of which 0 and 1 are sent.
    private func harness() throws -> (EngineHarness, [PushID]) {
        let harness = try EngineHarness()
        harness.assign()
        for offset in 0..<5 { harness.push(offset: Int64(offset)) }
        let sent = [try #require(harness.send()), try #require(harness.send())]
        return (harness, sent)
    }

    @Test func `counts as a rebalance, as does an assignment without partitions`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.engine.assigned([])
        harness.engine.revoking([id])
        #expect(harness.engine.counters.assignments == 2)
        #expect(harness.engine.counters.revocations == 1)
        harness.engine.lost([id])
        #expect(harness.engine.counters.losses == 1)
    }

    @Test func `is released once its pushes in flight are done and committed`() throws {
        let (harness, sent) = try harness()
        harness.engine.revoking([id])
        #expect(harness.handover(commitsAreDone: true) == nil)
        for push in sent { harness.respond(push, 200) }
        harness.settle()
        let commit = OffsetCommit(assignment: id, next: 2, metadata: EngineHarness.mark)
        #expect(harness.handover(commitsAreDone: true) == .commit([commit]))
        #expect(harness.handover(commitsAreDone: false) == nil)
        harness.committed(CommitReport(commits: [commit], failure: nil))
        #expect(harness.handover(commitsAreDone: true) == .release([id]))
        #expect(harness.handover(commitsAreDone: true) == nil)
    }

    @Test func `has its last commit only after earlier ones have ended`() throws {
        let (harness, sent) = try harness()
        for push in sent { harness.respond(push, 200) }
        harness.settle()
        harness.engine.revoking([id])
        #expect(harness.handover(commitsAreDone: false) == nil)
        let commit = OffsetCommit(assignment: id, next: 2, metadata: EngineHarness.mark)
        #expect(harness.handover(commitsAreDone: true) == .commit([commit]))
    }

    @Test func `leaves unsent pushes to the next owner`() throws {
        let (harness, _) = try harness()
        harness.engine.revoking([id])
        #expect(harness.send() == nil)
        #expect(harness.recordsInFlight == 2)
    }

    @Test func `accepts no more records`() throws {
        let (harness, _) = try harness()
        harness.engine.revoking([id])
        harness.push(offset: 5)
        #expect(harness.recordsInFlight == 2)
    }

    @Test func `retries none of its pushes`() throws {
        let (harness, sent) = try harness()
        harness.engine.revoking([id])
        harness.engine.notSent(sent[0])
        harness.respond(sent[1], 503, "ServiceUnavailable")
        harness.pass(milliseconds: 1000)
        #expect(harness.send() == nil)
        #expect(harness.publish().isEmpty)
        #expect(harness.recordsInFlight == 0)
        guard case .commit(let commits) = harness.handover(commitsAreDone: true) else {
            Issue.record("no commit")
            return
        }
        #expect(commits.allSatisfy { $0.next == 0 && $0.metadata.isEmpty })
    }

    @Test func `is released at the deadline, even with pushes in flight`() throws {
        let (harness, sent) = try harness()
        harness.respond(sent[0], 200)
        harness.settle()
        harness.engine.revoking([id])
        harness.pass(milliseconds: 10_000)
        let commit = OffsetCommit(assignment: id, next: 1, metadata: EngineHarness.mark)
        #expect(harness.handover(commitsAreDone: true) == .commit([commit]))
        #expect(harness.handover(commitsAreDone: true) == .release([id]))
        harness.respond(sent[1], 200)
        #expect(harness.settle().count == 1)
        #expect(harness.takeCommits().isEmpty)
    }

    @Test func `is committed again if its last commit fails`() throws {
        let (harness, sent) = try harness()
        for push in sent { harness.respond(push, 200) }
        harness.settle()
        harness.engine.revoking([id])
        guard case .commit(let first) = harness.handover(commitsAreDone: true) else {
            Issue.record("no last commit")
            return
        }
        let failure = KafkaFailure(code: "X", detail: "x", isFatal: false)
        harness.committed(CommitReport(commits: first, failure: failure))
        #expect(harness.handover(commitsAreDone: true) == nil)
        #expect(harness.isDirty)
        #expect(harness.takeCommits() == first)
        harness.committed(CommitReport(commits: first, failure: nil))
        #expect(harness.handover(commitsAreDone: true) == .release([id]))
    }

    @Test func `is committed and released together with those revoked with it`() throws {
        let harness = try EngineHarness()
        let ids = [harness.assign(0), harness.assign(1)]
        for id in ids { harness.push(offset: 0, of: id) }
        let sent = harness.sendAll()
        harness.engine.revoking(ids)
        harness.respond(sent[0], 200)
        harness.settle()
        #expect(harness.handover(commitsAreDone: true) == nil)
        harness.respond(sent[1], 200)
        harness.settle()
        guard case .commit(let commits) = harness.handover(commitsAreDone: true) else {
            Issue.record("no last commit")
            return
        }
        #expect(commits.map(\.assignment) == ids)
        #expect(harness.handover(commitsAreDone: true) == .release(ids))
    }

    @Test func `does not affect other partitions`() throws {
        let harness = try EngineHarness()
        let kept = harness.assign(0)
        let revoked = harness.assign(1)
        harness.push(offset: 0, of: kept)
        harness.push(offset: 0, of: revoked)
        harness.engine.revoking([revoked])
        #expect(harness.sendAll().count == 1)
        #expect(harness.owned == [kept])
    }
}

@Suite struct `A record with several pushes in a revoked partition` {
    private let id = AssignmentID(0)
    private func event(_ tokens: String...) -> String {
        let list = tokens.map { #""\#($0)""# }.joined(separator: ",")
        return #"{"device_tokens":[\#(list)],"payload":{"aps":{"alert":"Hi"}}}"#
    }

    @Test func `is finished if one of its pushes was already sent`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(event("aa", "bb", "cc"), offset: 0)
        harness.push("dd", offset: 1)
        let first = try #require(harness.send())
        harness.engine.revoking([id])
        let others = harness.sendAll()
        #expect(others.map(harness.token) == ["bb", "cc"])
        for push in [first] + others { harness.respond(push, 200) }
        #expect(harness.settle().outcomes.count == 3)
        let commit = OffsetCommit(assignment: id, next: 1, metadata: EngineHarness.mark)
        #expect(harness.handover(commitsAreDone: true) == .commit([commit]))
    }

    @Test func `is abandoned as a whole if none of its pushes left`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(event("aa", "bb"), offset: 0)
        harness.take(event("cc", "dd"), offset: 1)
        let first = try #require(harness.send())
        harness.engine.revoking([id])
        #expect(harness.recordsInFlight == 1)
        harness.engine.notSent(first)
        #expect(harness.send() == nil)
        #expect(harness.recordsInFlight == 0)
        #expect(harness.publish().isEmpty)
    }

    @Test func `is abandoned at the deadline, and no more of it is sent`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(event("aa", "bb"), offset: 0)
        harness.respond(try #require(harness.send()), 200)
        harness.settle()
        harness.engine.revoking([id])
        harness.pass(milliseconds: 10_000)
        let commit = OffsetCommit(assignment: id, next: 0, metadata: "")
        #expect(harness.handover(commitsAreDone: true) == .commit([commit]))
        #expect(harness.send() == nil)
        #expect(harness.handover(commitsAreDone: true) == .release([id]))
        #expect(harness.recordsInFlight == 0)
    }

    @Test func `is not finished if the partition was lost`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.take(event("aa", "bb"), offset: 0)
        harness.respond(try #require(harness.send()), 200)
        harness.engine.lost([id])
        #expect(harness.send() == nil)
        #expect(harness.settle().outcomes.count == 1)
        #expect(harness.recordsInFlight == 0)
    }

    @Test func `does not overtake a push that is left to the next owner`() throws {
        let harness = try EngineHarness(orderedByDevice: true)
        harness.assign()
        harness.push("bb", offset: 0)
        harness.take(event("aa", "bb"), offset: 1)
        let blocker = try #require(harness.send())
        let first = try #require(harness.send())
        #expect(harness.token(first) == "aa")
        harness.engine.revoking([id])
        harness.respond(blocker, 503, "ServiceUnavailable")
        #expect(harness.send() == nil)
        harness.respond(first, 200)
        #expect(harness.settle().outcomes.count == 1)
        #expect(harness.recordsInFlight == 0)
        #expect(harness.next() == 0)
    }
}

@Suite struct `A lost partition` {
    @Test func `is never committed again`() throws {
        let harness = try EngineHarness()
        let id = harness.assign()
        harness.push(offset: 0)
        try harness.sendAndRespond(200)
        let all = harness.publish()
        harness.engine.lost([id])
        harness.store(all)
        #expect(harness.takeCommits().isEmpty)
        #expect(harness.handover(commitsAreDone: true) == nil)
        #expect(harness.recordsInFlight == 0)
    }

    @Test func `still reports the outcomes of its pushes in flight`() throws {
        let harness = try EngineHarness()
        let id = harness.assign()
        harness.push(offset: 0)
        let push = try #require(harness.send())
        harness.engine.lost([id])
        harness.respond(push, 200)
        #expect(harness.settle().count == 1)
    }

    @Test func `has none of its pushes retried`() throws {
        let harness = try EngineHarness()
        let id = harness.assign()
        for offset in 0..<3 { harness.push(offset: Int64(offset)) }
        let pushes = harness.sendAll()
        harness.engine.lost([id])
        harness.engine.notSent(pushes[0])
        harness.respond(pushes[1], 503)
        harness.respond(pushes[2], 503, "Shutdown")
        harness.pass(milliseconds: 1000)
        #expect(harness.send() == nil)
        #expect(harness.recordsInFlight == 0)
    }

    @Test func `leaves sending suspended if its probe is rejected later`() throws {
        let harness = try EngineHarness()
        let lost = harness.assign(0)
        let kept = harness.assign(1)
        harness.push(offset: 0, of: lost)
        harness.push(offset: 0, of: kept)
        try harness.sendAndRespond(403, "Forbidden")
        harness.pass(milliseconds: 1000)
        let probe = try #require(harness.send())
        harness.engine.lost([lost])
        harness.respond(probe, 403, "Forbidden")
        #expect(harness.send() == nil)
        harness.pass(milliseconds: 2000)
        #expect(harness.sendAll().count == 1)
    }
}

@Suite struct `A commit` {
    @Test func `covers all records before the first that is not done`() throws {
        let harness = try EngineHarness()
        harness.assign()
        for offset in [3, 4, 7, 9] as [Int64] { harness.push(offset: offset) }
        let pushes = harness.sendAll()
        for index in [0, 2] { harness.respond(pushes[index], 200) }
        harness.settle()
        let commit = try #require(harness.takeCommits().first)
        #expect(commit.next == 4)
        let done = CompletedOffsets(text: commit.metadata, from: commit.next)
        #expect(done.ranges == [5..<9])
    }

    @Test func `is not sent twice`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0)
        try harness.sendAndRespond(200)
        harness.settle()
        #expect(harness.takeCommits().count == 1)
        #expect(harness.takeCommits().isEmpty)
    }

    @Test func `is retried if Kafka rejects it`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0)
        try harness.sendAndRespond(200)
        harness.settle()
        let commits = harness.takeCommits()
        let failure = KafkaFailure(code: "X", detail: "x", isFatal: false)
        harness.committed(CommitReport(commits: commits, failure: failure))
        #expect(harness.isDirty)
        #expect(harness.takeCommits() == commits)
    }

    @Test func `is not retried if a later one is in flight`() throws {
        let harness = try EngineHarness()
        harness.assign()
        var all: [[OffsetCommit]] = []
        for offset in 0..<2 {
            harness.push(offset: Int64(offset))
            try harness.sendAndRespond(200)
            harness.settle()
            all.append(harness.takeCommits())
        }
        let failure = KafkaFailure(code: "X", detail: "x", isFatal: false)
        harness.committed(CommitReport(commits: all[0], failure: failure))
        #expect(harness.takeCommits().isEmpty)
    }

    @Test func `lists for the next owner which later records to skip`() throws {
        let harness = try EngineHarness()
        harness.assign()
        for offset in 0..<4 { harness.push(offset: Int64(offset)) }
        let pushes = harness.sendAll()
        for push in pushes.dropFirst() { harness.respond(push, 200) }
        harness.settle()
        let commit = try #require(harness.takeCommits().first)
        let next = try EngineHarness()
        next.assign(0, committed: commit.next, metadata: commit.metadata)
        for offset in 0..<6 { next.push(offset: Int64(offset)) }
        #expect(next.sendAll().count == 3)
        #expect(next.engine.counters.alreadyDone == 3)
    }

    @Test func `of one partition does not overwrite the metadata of another`() throws {
        let harness = try EngineHarness()
        let known = CompletedOffsets(ranges: [12..<15]).text(from: 10)
        harness.assign(0, committed: 10, metadata: known)
        let other = harness.assign(1)
        harness.committed(CommitReport(commits: harness.takeCommits(), failure: nil))
        harness.push(offset: 0, of: other)
        try harness.sendAndRespond(200)
        harness.settle()
        #expect(harness.takeCommits().map(\.assignment) == [other])
    }

    @Test func `still names completed offsets while they are read again`() throws {
        let harness = try EngineHarness()
        let known = CompletedOffsets(ranges: [12..<15]).text(from: 10)
        harness.assign(0, committed: 10, metadata: known)
        for offset in 10..<13 { harness.push(offset: Int64(offset)) }
        harness.respond(try #require(harness.send()), 200)
        harness.settle()
        let commit = try #require(harness.takeCommits().first)
        #expect(commit.next == 11)
        #expect(CompletedOffsets(text: commit.metadata, from: 11).ranges == [12..<15])
    }
}
