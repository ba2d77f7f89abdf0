import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `The start of a partition` {
    @Test func `is counted in a commit before its first record is taken`() throws {
        let group = try DyingGroup()
        #expect(!group.commit())
        group.deliver(10...12)
        #expect(group.openRecords == 0)
        #expect(group.harness.engine.takeLimit(taken: 0) == 0)
        group.commit()
        #expect(group.metadata() == "e1;" && group.openRecords == 3)
        #expect(group.harness.engine.takeLimit(taken: 0) == 32)
        try group.start()
        group.deliver(10...10)
        group.commit()
        #expect(group.metadata() == "e2;")
    }

    @Test func `delays records no longer than a moment when the commit takes long`() throws {
        let group = try DyingGroup()
        group.deliver(10...10)
        #expect(group.harness.engine.nextTake <= group.harness.now + StartWatch.maxDelay)
        group.harness.pass(milliseconds: StartWatch.maxDelay.milliseconds)
        #expect(group.openRecords == 1)
        #expect(group.harness.engine.takeLimit(taken: 0) == 32)
    }

    @Test func `is counted once, and costs no further commit while all is well`() throws {
        let group = try DyingGroup()
        group.deliver(10...12)
        for _ in 0..<3 { try group.finishNext() }
        group.commit()
        #expect(group.metadata().isEmpty && group.committed[0]?.next == 13)
        for _ in 0..<20 { group.harness.pass(milliseconds: 1000) }
        #expect(!group.commit())
    }

    @Test func `counts as one without progress until the committed offset advances`() throws {
        let group = try DyingGroup()
        group.deliver(10...12)
        let first = try #require(group.sendNext())
        try group.finishNext()
        group.commit()
        #expect(group.metadata().hasPrefix("e1;c"))
        group.harness.respond(first, 200)
        group.harness.settle()
        group.commit()
        #expect(group.committed[0]?.next == 12 && group.metadata().isEmpty)
    }

    @Test func `does not count while nothing is in flight, and counts again when something is`()
        throws
    {
        let group = try DyingGroup("e2;")
        group.deliver(10...10)
        let id = try #require(group.sendNext())
        #expect(group.metadata() == "e3;")
        for _ in 0..<3 { group.harness.pass(milliseconds: 1000) }
        group.commit()
        #expect(group.metadata() == "e3;")
        group.harness.respond(id, 503, "ServiceUnavailable", retryAfter: 60)
        for _ in 0..<2 { group.harness.pass(milliseconds: 1000) }
        group.commit()
        #expect(group.metadata() == "e2;")
        while group.harness.nextRetry != nil { group.harness.pass(milliseconds: 1000) }
        #expect(group.nextToSend() == nil)
        group.commit()
        #expect(group.metadata() == "e3;" && group.nextToSend() != nil)
    }

    @Test func `does not count for a partition without records, however often it is killed`()
        throws
    {
        let group = try DyingGroup("e2;", "")
        for _ in 0..<10 {
            for _ in 0..<3 { group.harness.pass(milliseconds: 1000) }
            group.commit()
            try group.start()
        }
        #expect(group.metadata(0) == "e2;" && group.metadata(1).isEmpty)
    }

    @Test func `ends cleanly with a revocation after records were taken`() throws {
        let group = try DyingGroup("e2;")
        group.deliver(10...10)
        group.commit()
        try group.revoke()
        #expect(group.committed[0]?.next == 10 && group.metadata().isEmpty)
    }

    @Test func `shows nothing if the partition is revoked before a record was taken`() throws {
        let group = try DyingGroup("e2;")
        group.deliver(10...10)
        try group.revoke()
        #expect(group.metadata() == "e2;")
    }

    @Test(arguments: [false, true])
    func `ends cleanly when the worker stops`(taken: Bool) throws {
        let group = try DyingGroup("e2;")
        if taken {
            group.deliver(10...10)
            group.commit()
        }
        group.harness.engine.drain(until: group.harness.now + .seconds(10))
        group.commitLast()
        #expect(group.metadata().isEmpty)
    }

    @Test func `is not counted for a log that was replaced`() throws {
        let group = try DyingGroup("e3;")
        #expect(group.batch == 1)
        let reset = PositionReset(cause: .replaced, from: 10, to: 0, gone: nil)
        let id = group.harness.replace(try #require(group.ids[0]), reset)
        #expect(group.harness.engine.intakeCell.value.partitions[id]?.watch.batch == nil)
        group.harness.take(#"{"device_token":"ab01","payload":{}}"#, offset: 0, of: id)
        #expect(group.openRecords == 1)
        #expect(group.harness.takeCommits().allSatisfy { $0.metadata.isEmpty })
    }

    @Test func `is not counted where the broker stores hardly any metadata`() throws {
        let group = try DyingGroup("e3;") { $0.commitMetadata = 100 }
        #expect(group.batch == nil)
        group.deliver(10...12)
        #expect(group.openRecords == 3 && !group.commit())
    }

    @Test func `does not hold records once the broker refuses all metadata`() throws {
        let group = try DyingGroup("e5;")
        group.deliver(10...11)
        #expect(group.openRecords == 0)
        let failure = KafkaFailure(
            code: "OFFSET_METADATA_TOO_LARGE", detail: "test", isFatal: false)
        for _ in 0..<8 {
            group.harness.pass(milliseconds: 100)
            let commits = group.harness.takeCommits()
            group.harness.committed(CommitReport(commits: commits, failure: failure))
        }
        for _ in 0..<3 { group.harness.pass(milliseconds: 100) }
        #expect(group.openRecords == 2 && group.batch == nil)
        #expect(group.harness.engine.takeLimit(taken: 0) == 32)
    }
}
