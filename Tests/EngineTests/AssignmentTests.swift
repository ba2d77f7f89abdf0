import Delivery
import Testing

@testable import Engine

@Suite struct `A revoked partition` {
    private let id = AssignmentID(0)

    /// Records 0 to 4, of which 0 and 1 are sent.
    private func desk() throws -> (EngineDesk, [PushID]) {
        let desk = try EngineDesk()
        desk.assign()
        for offset in 0..<5 { desk.push(offset: Int64(offset)) }
        let sent = [try #require(desk.send()), try #require(desk.send())]
        return (desk, sent)
    }

    @Test func `counts as a rebalance, as does an assignment without partitions`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.engine.assigned([])
        desk.engine.revoking([id])
        #expect(desk.engine.counters.assignments == 2)
        #expect(desk.engine.counters.revocations == 1)
        desk.engine.lost([id])
        #expect(desk.engine.counters.losses == 1)
    }

    @Test func `is released once its pushes in flight are done and committed`() throws {
        let (desk, sent) = try desk()
        desk.engine.revoking([id])
        #expect(desk.handover(commitsAreDone: true) == nil)
        for push in sent { desk.answer(push, 200) }
        desk.settle()
        let commit = OffsetCommit(assignment: id, next: 2, metadata: EngineDesk.mark)
        #expect(desk.handover(commitsAreDone: true) == .commit([commit]))
        #expect(desk.handover(commitsAreDone: false) == nil)
        desk.committed(CommitReport(commits: [commit], failure: nil))
        #expect(desk.handover(commitsAreDone: true) == .giveUp([id]))
        #expect(desk.handover(commitsAreDone: true) == nil)
    }

    @Test func `has its last commit only after earlier ones have ended`() throws {
        let (desk, sent) = try desk()
        for push in sent { desk.answer(push, 200) }
        desk.settle()
        desk.engine.revoking([id])
        #expect(desk.handover(commitsAreDone: false) == nil)
        let commit = OffsetCommit(assignment: id, next: 2, metadata: EngineDesk.mark)
        #expect(desk.handover(commitsAreDone: true) == .commit([commit]))
    }

    @Test func `leaves unsent pushes to the next owner`() throws {
        let (desk, _) = try desk()
        desk.engine.revoking([id])
        #expect(desk.send() == nil)
        #expect(desk.engine.window.records == 2)
    }

    @Test func `accepts no more records`() throws {
        let (desk, _) = try desk()
        desk.engine.revoking([id])
        desk.push(offset: 5)
        #expect(desk.engine.window.records == 2)
    }

    @Test func `retries none of its pushes`() throws {
        let (desk, sent) = try desk()
        desk.engine.revoking([id])
        desk.engine.notSent(sent[0])
        desk.answer(sent[1], 503, "ServiceUnavailable")
        desk.pass(milliseconds: 1000)
        #expect(desk.send() == nil)
        #expect(desk.publish().isEmpty)
        #expect(desk.engine.window.records == 0)
        guard case .commit(let commits) = desk.handover(commitsAreDone: true) else {
            Issue.record("no commit")
            return
        }
        #expect(commits.allSatisfy { $0.next == 0 && $0.metadata.isEmpty })
    }

    @Test func `is released at the deadline, even with pushes in flight`() throws {
        let (desk, sent) = try desk()
        desk.answer(sent[0], 200)
        desk.settle()
        desk.engine.revoking([id])
        desk.pass(milliseconds: 10_000)
        let commit = OffsetCommit(assignment: id, next: 1, metadata: EngineDesk.mark)
        #expect(desk.handover(commitsAreDone: true) == .commit([commit]))
        #expect(desk.handover(commitsAreDone: true) == .giveUp([id]))
        desk.answer(sent[1], 200)
        #expect(desk.settle().count == 1)
        #expect(desk.takeCommits().isEmpty)
    }

    @Test func `is committed again if its last commit fails`() throws {
        let (desk, sent) = try desk()
        for push in sent { desk.answer(push, 200) }
        desk.settle()
        desk.engine.revoking([id])
        guard case .commit(let first) = desk.handover(commitsAreDone: true) else {
            Issue.record("no last commit")
            return
        }
        let failure = KafkaFailure(code: "X", detail: "x", isFatal: false)
        desk.committed(CommitReport(commits: first, failure: failure))
        #expect(desk.handover(commitsAreDone: true) == nil)
        #expect(desk.isDirty)
        #expect(desk.takeCommits() == first)
        desk.committed(CommitReport(commits: first, failure: nil))
        #expect(desk.handover(commitsAreDone: true) == .giveUp([id]))
    }

    @Test func `is committed and released together with those revoked with it`() throws {
        let desk = try EngineDesk()
        let ids = [desk.assign(0), desk.assign(1)]
        for id in ids { desk.push(offset: 0, of: id) }
        let sent = desk.sendAll()
        desk.engine.revoking(ids)
        desk.answer(sent[0], 200)
        desk.settle()
        #expect(desk.handover(commitsAreDone: true) == nil)
        desk.answer(sent[1], 200)
        desk.settle()
        guard case .commit(let commits) = desk.handover(commitsAreDone: true) else {
            Issue.record("no last commit")
            return
        }
        #expect(commits.map(\.assignment) == ids)
        #expect(desk.handover(commitsAreDone: true) == .giveUp(ids))
    }

    @Test func `does not affect other partitions`() throws {
        let desk = try EngineDesk()
        let kept = desk.assign(0)
        let revoked = desk.assign(1)
        desk.push(offset: 0, of: kept)
        desk.push(offset: 0, of: revoked)
        desk.engine.revoking([revoked])
        #expect(desk.sendAll().count == 1)
        #expect(desk.owned == [kept])
    }
}

@Suite struct `A record with several pushes in a revoked partition` {
    private let id = AssignmentID(0)
    private func event(_ tokens: String...) -> String {
        let list = tokens.map { #""\#($0)""# }.joined(separator: ",")
        return #"{"device_tokens":[\#(list)],"payload":{"aps":{"alert":"Hi"}}}"#
    }

    @Test func `is finished if one of its pushes was already sent`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.take(event("aa", "bb", "cc"), offset: 0)
        desk.push("dd", offset: 1)
        let first = try #require(desk.send())
        desk.engine.revoking([id])
        let others = desk.sendAll()
        #expect(others.map(desk.token) == ["bb", "cc"])
        for push in [first] + others { desk.answer(push, 200) }
        #expect(desk.settle().outcomes.count == 3)
        let commit = OffsetCommit(assignment: id, next: 1, metadata: EngineDesk.mark)
        #expect(desk.handover(commitsAreDone: true) == .commit([commit]))
    }

    @Test func `is abandoned as a whole if none of its pushes left`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.take(event("aa", "bb"), offset: 0)
        desk.take(event("cc", "dd"), offset: 1)
        let first = try #require(desk.send())
        desk.engine.revoking([id])
        #expect(desk.engine.window.records == 1)
        desk.engine.notSent(first)
        #expect(desk.send() == nil)
        #expect(desk.engine.window.records == 0)
        #expect(desk.publish().isEmpty)
    }

    @Test func `is abandoned at the deadline, and no more of it is sent`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.take(event("aa", "bb"), offset: 0)
        desk.answer(try #require(desk.send()), 200)
        desk.settle()
        desk.engine.revoking([id])
        desk.pass(milliseconds: 10_000)
        let commit = OffsetCommit(assignment: id, next: 0, metadata: "")
        #expect(desk.handover(commitsAreDone: true) == .commit([commit]))
        #expect(desk.send() == nil)
        #expect(desk.handover(commitsAreDone: true) == .giveUp([id]))
        #expect(desk.engine.window.records == 0)
    }

    @Test func `is not finished if the partition was lost`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.take(event("aa", "bb"), offset: 0)
        desk.answer(try #require(desk.send()), 200)
        desk.engine.lost([id])
        #expect(desk.send() == nil)
        #expect(desk.settle().outcomes.count == 1)
        #expect(desk.engine.window.records == 0)
    }

    @Test func `does not overtake a push that is left to the next owner`() throws {
        let desk = try EngineDesk(orderedByDevice: true)
        desk.assign()
        desk.push("bb", offset: 0)
        desk.take(event("aa", "bb"), offset: 1)
        let blocker = try #require(desk.send())
        let first = try #require(desk.send())
        #expect(desk.token(first) == "aa")
        desk.engine.revoking([id])
        desk.answer(blocker, 503, "ServiceUnavailable")
        #expect(desk.send() == nil)
        desk.answer(first, 200)
        #expect(desk.settle().outcomes.count == 1)
        #expect(desk.engine.window.records == 0)
        #expect(desk.next() == 0)
    }
}

@Suite struct `A lost partition` {
    @Test func `is never committed again`() throws {
        let desk = try EngineDesk()
        let id = desk.assign()
        desk.push(offset: 0)
        try desk.sendAndAnswer(200)
        let all = desk.publish()
        desk.engine.lost([id])
        desk.store(all)
        #expect(desk.takeCommits().isEmpty)
        #expect(desk.handover(commitsAreDone: true) == nil)
        #expect(desk.engine.window.records == 0)
    }

    @Test func `still reports the outcomes of its pushes in flight`() throws {
        let desk = try EngineDesk()
        let id = desk.assign()
        desk.push(offset: 0)
        let push = try #require(desk.send())
        desk.engine.lost([id])
        desk.answer(push, 200)
        #expect(desk.settle().count == 1)
    }

    @Test func `has none of its pushes retried`() throws {
        let desk = try EngineDesk()
        let id = desk.assign()
        for offset in 0..<3 { desk.push(offset: Int64(offset)) }
        let pushes = desk.sendAll()
        desk.engine.lost([id])
        desk.engine.notSent(pushes[0])
        desk.answer(pushes[1], 503)
        desk.answer(pushes[2], 503, "Shutdown")
        desk.pass(milliseconds: 1000)
        #expect(desk.send() == nil)
        #expect(desk.engine.window.records == 0)
    }

    @Test func `leaves sending suspended if its probe is rejected later`() throws {
        let desk = try EngineDesk()
        let lost = desk.assign(0)
        let kept = desk.assign(1)
        desk.push(offset: 0, of: lost)
        desk.push(offset: 0, of: kept)
        try desk.sendAndAnswer(403, "Forbidden")
        desk.pass(milliseconds: 1000)
        let probe = try #require(desk.send())
        desk.engine.lost([lost])
        desk.answer(probe, 403, "Forbidden")
        #expect(desk.send() == nil)
        desk.pass(milliseconds: 2000)
        #expect(desk.sendAll().count == 1)
    }
}

@Suite struct `A commit` {
    @Test func `covers all records before the first that is not done`() throws {
        let desk = try EngineDesk()
        desk.assign()
        for offset in [3, 4, 7, 9] as [Int64] { desk.push(offset: offset) }
        let pushes = desk.sendAll()
        for index in [0, 2] { desk.answer(pushes[index], 200) }
        desk.settle()
        let commit = try #require(desk.takeCommits().first)
        #expect(commit.next == 4)
        let done = CompletedOffsets(text: commit.metadata, from: commit.next)
        #expect(done.ranges == [5..<9])
    }

    @Test func `is not sent twice`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push(offset: 0)
        try desk.sendAndAnswer(200)
        desk.settle()
        #expect(desk.takeCommits().count == 1)
        #expect(desk.takeCommits().isEmpty)
    }

    @Test func `is retried if Kafka rejects it`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push(offset: 0)
        try desk.sendAndAnswer(200)
        desk.settle()
        let commits = desk.takeCommits()
        let failure = KafkaFailure(code: "X", detail: "x", isFatal: false)
        desk.committed(CommitReport(commits: commits, failure: failure))
        #expect(desk.isDirty)
        #expect(desk.takeCommits() == commits)
    }

    @Test func `is not retried if a later one is in flight`() throws {
        let desk = try EngineDesk()
        desk.assign()
        var all: [[OffsetCommit]] = []
        for offset in 0..<2 {
            desk.push(offset: Int64(offset))
            try desk.sendAndAnswer(200)
            desk.settle()
            all.append(desk.takeCommits())
        }
        let failure = KafkaFailure(code: "X", detail: "x", isFatal: false)
        desk.committed(CommitReport(commits: all[0], failure: failure))
        #expect(desk.takeCommits().isEmpty)
    }

    @Test func `tells the next owner which later records to skip`() throws {
        let desk = try EngineDesk()
        desk.assign()
        for offset in 0..<4 { desk.push(offset: Int64(offset)) }
        let pushes = desk.sendAll()
        for push in pushes.dropFirst() { desk.answer(push, 200) }
        desk.settle()
        let commit = try #require(desk.takeCommits().first)
        let next = try EngineDesk()
        next.assign(0, committed: commit.next, metadata: commit.metadata)
        for offset in 0..<6 { next.push(offset: Int64(offset)) }
        #expect(next.sendAll().count == 3)
        #expect(next.engine.counters.alreadyDone == 3)
    }

    @Test func `of one partition does not overwrite the metadata of another`() throws {
        let desk = try EngineDesk()
        let known = CompletedOffsets(ranges: [12..<15]).text(from: 10)
        desk.assign(0, committed: 10, metadata: known)
        let other = desk.assign(1)
        desk.committed(CommitReport(commits: desk.takeCommits(), failure: nil))
        desk.push(offset: 0, of: other)
        try desk.sendAndAnswer(200)
        desk.settle()
        #expect(desk.takeCommits().map(\.assignment) == [other])
    }

    @Test func `still names completed offsets while they are read again`() throws {
        let desk = try EngineDesk()
        let known = CompletedOffsets(ranges: [12..<15]).text(from: 10)
        desk.assign(0, committed: 10, metadata: known)
        for offset in 10..<13 { desk.push(offset: Int64(offset)) }
        desk.answer(try #require(desk.send()), 200)
        desk.settle()
        let commit = try #require(desk.takeCommits().first)
        #expect(commit.next == 11)
        #expect(CompletedOffsets(text: commit.metadata, from: 11).ranges == [12..<15])
    }
}
