import Delivery
import Testing

@testable import Engine

@Suite struct `The start of a partition` {
    @Test func `is counted in a commit before records are taken`() throws {
        let group = try DyingGroup()
        group.harness.pass(milliseconds: 1)
        #expect(group.harness.engine.takeLimit(taken: 0) == 0)
        #expect(group.harness.shouldCommit)
        group.commit()
        #expect(group.metadata() == "s1;")
        #expect(group.harness.engine.takeLimit(taken: 0) == 32)
        try group.start()
        group.commit()
        #expect(group.metadata() == "s2;")
    }

    @Test func `delays records no longer than a moment when the commit takes long`() throws {
        let group = try DyingGroup()
        #expect(group.harness.engine.nextTake <= group.harness.now + StartWatch.timeout)
        group.harness.pass(milliseconds: StartWatch.timeout.milliseconds)
        #expect(group.harness.engine.takeLimit(taken: 0) == 32)
    }

    @Test func `is counted once, and costs no further commit while all is well`() throws {
        let group = try DyingGroup()
        group.commit()
        group.deliver(10...12)
        for _ in 0..<3 { try group.finishNext() }
        #expect(group.commit())
        #expect(group.metadata().isEmpty && group.committed[0]?.next == 13)
        for _ in 0..<20 { group.harness.pass(milliseconds: 1000) }
        #expect(!group.commit())
    }

    @Test func `counts as one without progress until the committed offset advances`() throws {
        let group = try DyingGroup()
        group.commit()
        group.deliver(10...12)
        let first = try #require(group.sendNext())
        try group.finishNext()
        group.commit()
        #expect(group.metadata().hasPrefix("s1;c"))
        group.harness.answer(first, 200)
        group.harness.settle()
        group.commit()
        #expect(group.committed[0]?.next == 12 && group.metadata().isEmpty)
    }

    @Test func `was survived if nothing is open ten seconds later`() throws {
        let group = try DyingGroup("s2;")
        group.commit()
        for _ in 0..<9 { group.harness.pass(milliseconds: 1000) }
        #expect(group.metadata() == "s3;")
        group.harness.pass(milliseconds: 1000)
        group.commit()
        #expect(group.metadata().isEmpty)
    }

    @Test func `was not survived while a record is open`() throws {
        let group = try DyingGroup()
        group.commit()
        group.deliver(10...10)
        _ = try #require(group.sendNext())
        for _ in 0..<20 { group.harness.pass(milliseconds: 1000) }
        group.commit()
        #expect(group.metadata() == "s1;")
    }

    @Test func `ends cleanly with a revocation after records were taken`() throws {
        let group = try DyingGroup("s2;")
        group.commit()
        group.deliver(10...10)
        try group.revoke()
        #expect(group.committed[0]?.next == 10 && group.metadata().isEmpty)
    }

    @Test func `shows nothing if the partition is revoked before a record was taken`() throws {
        let group = try DyingGroup("s2;")
        group.commit()
        #expect(group.metadata() == "s3;")
        try group.revoke()
        #expect(group.metadata() == "s2;")
    }

    @Test func `ends cleanly when the worker stops`() throws {
        let group = try DyingGroup("s2;")
        group.commit()
        group.deliver(10...10)
        group.harness.engine.drain(until: group.harness.now + .seconds(10))
        group.commitLast()
        #expect(group.metadata().isEmpty)
    }

    @Test func `is not counted for a log that was replaced`() throws {
        let group = try DyingGroup("s3;")
        group.commit()
        #expect(group.isSingle)
        let reset = PositionReset(cause: .replaced, from: 10, to: 0, gone: nil)
        let id = group.harness.replace(try #require(group.ids[0]), reset)
        #expect(group.harness.engine.partitions[id]?.watch.isSingle == false)
        group.harness.take(#"{"device_token":"ab01","payload":{}}"#, offset: 0, of: id)
        #expect(group.openRecords == 1)
        #expect(group.harness.takeCommits().allSatisfy { $0.metadata.isEmpty })
    }

    @Test func `is not counted where the broker stores hardly any metadata`() throws {
        let group = try DyingGroup("s3;") { $0.commitMetadata = 100 }
        #expect(!group.isSingle)
        #expect(group.harness.engine.takeLimit(taken: 0) == 32)
        #expect(!group.commit())
    }

    @Test func `does not hold records once the broker refuses all metadata`() throws {
        let group = try DyingGroup("s5;")
        group.deliver(10...11)
        #expect(group.openRecords == 0)
        refuseMetadata(group)
        #expect(group.openRecords == 2)
        #expect(group.harness.engine.takeLimit(taken: 0) == 32)
    }

    @Test func `leaves no partition paused once the broker refuses all metadata`() throws {
        let group = try DyingGroup("s5;")
        group.deliver(10...10)
        while group.openRecords == 0 { #expect(group.commit()) }
        #expect(group.harness.flowChange()?.pause == [AssignmentID(0)])
        refuseMetadata(group)
        #expect(!group.isSingle)
        #expect(group.harness.flowChange()?.resume == [AssignmentID(0)])
    }

    /// The broker refuses commits until they have no metadata.
    private func refuseMetadata(_ group: DyingGroup) {
        let failure = KafkaFailure(
            code: "OFFSET_METADATA_TOO_LARGE", detail: "test", isFatal: false)
        for _ in 0..<8 {
            group.harness.pass(milliseconds: 100)
            let commits = group.harness.takeCommits()
            group.harness.committed(CommitReport(commits: commits, failure: failure))
        }
        group.harness.pass(milliseconds: 100)
    }
}
