import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `A partition whose last three starts made no progress` {
    private func group(
        metadata: String = "s3;", tweak: @escaping (inout EngineSettings) -> Void = { _ in }
    ) throws -> DyingGroup {
        let group = try DyingGroup(metadata, tweak: tweak)
        group.commit()
        return group
    }

    @Test func `has its records taken one at a time, and the log says why`() throws {
        let group = try DyingGroup()
        try group.dieThreeTimes()
        #expect(group.metadata() == "s4;")
        let warning = Notice.takenOneAtATime(EngineHarness.orders, starts: 4, suspect: nil)
        #expect(group.notices.contains(warning))
        group.deliver(10...14)
        #expect(group.openRecords == 0)
        #expect(group.harness.flowChange()?.pause == [AssignmentID(0)])
        for offset in 10...14 as ClosedRange<Int64> {
            #expect(try group.finishNext() == offset)
            #expect(group.openRecords == 0)
        }
        group.commit()
        group.harness.pass(milliseconds: 1)
        #expect(group.harness.flowChange()?.resume == [AssignmentID(0)])
    }

    @Test func `has a record named before it is taken, and as sent before it is sent`() throws {
        let group = try group()
        group.deliver(10...12)
        #expect(group.openRecords == 0)
        group.commit()
        #expect(group.metadata() == "s4;t10,0;")
        #expect(group.openRecords == 1)
        #expect(group.nextToSend() == nil)
        group.commit()
        #expect(group.metadata() == "s4;t10,0,sent;")
        #expect(group.nextToSend() != nil)
        try group.finishNext()
        group.commit()
        #expect(group.metadata() == "t11,0;" && group.committed[0]?.next == 11)
    }

    @Test func `names no record in a commit that was not stored`() throws {
        let group = try group()
        group.deliver(10...10)
        group.harness.pass(milliseconds: 100)
        let failure = KafkaFailure(code: "NOT_COORDINATOR", detail: "test", isFatal: false)
        let commits = group.harness.takeCommits()
        #expect(commits.map(\.metadata) == ["s4;t10,0;"])
        group.harness.committed(CommitReport(commits: commits, failure: failure))
        #expect(group.openRecords == 0)
        group.commit()
        #expect(group.openRecords == 1)
    }

    @Test func `takes records normally after a thousand`() throws {
        let group = try group()
        for offset in 10..<1010 as Range<Int64> {
            #expect(group.isSingle)
            group.deliver(offset...offset)
            try group.finishNext()
        }
        group.commit()
        #expect(!group.isSingle && group.metadata().isEmpty)
        #expect(group.notices.contains(.takenNormally(EngineHarness.orders)))
        group.deliver(1010...1020)
        #expect(group.openRecords == 11)
    }

    @Test func `skips records that were done before without naming them`() throws {
        let done = CompletedOffsets(ranges: [11..<13]).text(from: 10)
        let group = try group(metadata: "s3;" + done)
        group.deliver(10...13)
        #expect(try group.finishNext() == 10)
        #expect(try group.finishNext() == 13)
        group.commit()
        #expect(group.committed[0]?.next == 14)
        #expect(group.harness.engine.counters.alreadyDone == 2)
    }

    @Test func `sends all pushes of a record with a thousand devices once it is named`() throws {
        let group = try group()
        let tokens = (0..<1000).map { #""\#(Samples.token("ab\(1000 + $0)"))""# }
        group.harness.take(
            #"{"device_tokens":[\#(tokens.joined(separator: ","))],"payload":{"aps":{"badge":1}}}"#,
            offset: 10)
        group.harness.engine.asked(limit: 32, taken: 1)
        var sent: [PushID] = []
        while let id = group.sendNext() { sent.append(id) }
        #expect(sent.count == 1000)
        for id in sent { group.harness.answer(id, 200) }
        group.harness.settle()
        group.commit()
        #expect(group.committed[0]?.next == 11)
    }

    @Test func `leaves what it has not taken to the next owner`() throws {
        let group = try group()
        group.deliver(10...20)
        try group.finishNext()
        try group.revoke()
        #expect(group.committed[0]?.next == 11 && group.metadata().isEmpty)
        #expect(group.harness.engine.search.held.count == 0)
    }

    @Test func `takes nothing while an operator has paused the connector`() throws {
        let group = try group()
        group.harness.engine.setPaused(true)
        group.deliver(10...12)
        group.commit()
        #expect(group.openRecords == 0 && group.metadata() == "s4;")
        group.harness.engine.setPaused(false)
        #expect(try group.finishNext() == 10)
    }

    @Test func `goes on while a record that has never crashed waits for a retry`() throws {
        let group = try group()
        group.deliver(10...12)
        let id = try #require(group.sendNext())
        group.harness.answer(id, 503, "ServiceUnavailable")
        group.commit()
        #expect(group.metadata() == "s4;" || group.metadata().contains("t11,0"))
        #expect(try group.finishNext() == 11)
    }

    @Test func `sends a record that waited before the one that has to follow it`() throws {
        let group = try group { $0.ordering = .partition }
        group.deliver(10...12)
        let id = try #require(group.sendNext())
        group.harness.answer(id, 503, "ServiceUnavailable")
        for _ in 0..<3 { group.commit() }
        #expect(group.openRecords == 2)
        group.harness.pass(milliseconds: 10_000)
        for offset in 10...12 as ClosedRange<Int64> { #expect(try group.finishNext() == offset) }
    }

    @Test func `does not take a named record before the window has room again`() throws {
        let group = try DyingGroup("s3;", "") { $0.maxInFlight = 1 }
        group.commit()
        group.deliver(10...10)
        group.harness.pass(milliseconds: 100)
        let naming = group.harness.takeCommits()
        #expect(naming.map(\.metadata) == ["s4;t10,0;"])
        group.deliver(10...10, partition: 1)
        group.harness.committed(CommitReport(commits: naming, failure: nil))
        #expect(group.openRecords == 1)
        try group.finishNext()
        #expect(group.openRecords == 0)
        try group.finishNext()
        for _ in 0..<2 { group.commit() }
        #expect(group.committed[0]?.next == 11 && group.committed[1]?.next == 11)
    }
}

@Suite struct `A record that crashes the worker` {
    /// Dies with the record at offset 10 of partition 0 taken, or in flight.
    private func die(_ group: DyingGroup, sent: Bool) throws {
        group.deliver(10...12)
        if sent {
            while let id = group.sendNext(), group.harness.offset(id) != 10 { continue }
        } else {
            for _ in 0..<5 where group.openRecords == 0 { group.commit() }
        }
        try group.start()
        group.commit()
    }

    @Test(arguments: [false, true])
    func `is ended after two crashes in which it was named`(sent: Bool) throws {
        let group = try DyingGroup()
        try group.dieThreeTimes()
        try die(group, sent: sent)
        #expect(group.metadata() == (sent ? "s5;w10,1,sent;" : "s5;w10,1;"))
        try die(group, sent: sent)
        #expect(group.metadata() == (sent ? "s6;w10,2,sent;" : "s6;w10,2;"))
        _ = group.notices
        group.deliver(10...12)
        group.commit()
        let results = group.harness.settle()
        let outcome = try #require(results.outcomes.first?.value)
        #expect(outcome.contains(#""offset":10"#) && outcome.contains(#""reason":"crashed""#))
        #expect(outcome.contains(sent ? #""verdict":"unknown""# : #""verdict":"dropped""#))
        #expect(results.deadLetters.count == (sent ? 0 : 1))
        let notice = try #require(group.notices.first { $0.name == "crashed" })
        guard case .crashed(_, 10, _, let verdict) = notice else {
            Issue.record("\(notice)")
            return
        }
        #expect(verdict == (sent ? .unknown : .dropped))
        #expect(try group.finishNext() == 11)
        #expect(try group.finishNext() == 12)
        group.commit()
        #expect(group.committed[0]?.next == 13 && group.metadata().isEmpty)
    }

    @Test func `keeps its number of crashes through a clean revocation`() throws {
        let group = try DyingGroup()
        try group.dieThreeTimes()
        try die(group, sent: false)
        try group.revoke()
        #expect(group.metadata().hasSuffix("w10,1;"))
        try group.start()
        #expect(group.isSingle)
    }

    @Test func `is forgotten when it is done`() throws {
        let group = try DyingGroup()
        try group.dieThreeTimes()
        try die(group, sent: true)
        group.deliver(10...12)
        #expect(try group.finishNext() == 10)
        group.commit()
        #expect(!group.metadata().contains("10,"))
    }

    @Test func `is forgotten when Kafka no longer has it`() throws {
        let group = try DyingGroup("s5;t10,1;")
        group.commit()
        group.deliver(11...12)
        #expect(try group.finishNext() == 11)
        group.commit()
        #expect(!group.metadata().contains("10,"))
    }

    @Test func `does not end a record for ten kills before anything is taken`() throws {
        let group = try DyingGroup()
        for _ in 0..<10 {
            group.commit()
            try group.start()
        }
        group.commit()
        group.deliver(10...12)
        for offset in 10...12 as ClosedRange<Int64> { #expect(try group.finishNext() == offset) }
        #expect(group.harness.engine.counters.dropped == 0)
    }

    @Test func `does not end a record for kills while its app is suspended`() throws {
        let group = try DyingGroup("s3;")
        for _ in 0..<10 {
            group.commit()
            group.deliver(10...12)
            let id = try #require(group.sendNext())
            group.harness.answer(id, 403, "InvalidProviderToken")
            group.commit()
            #expect(!group.metadata().contains("t10"))
            try group.start()
        }
        #expect(!group.metadata().contains("10,2"))
    }

    @Test func `is tried a second time while nothing else is processed`() throws {
        let group = try DyingGroup("", "")
        try group.dieThreeTimes()
        group.deliver(10...12)
        group.deliver(10...12, partition: 1)
        group.commit()
        #expect(group.metadata(0) == "s4;t10,0;" && group.metadata(1) == "s4;t10,0;")
        // The one in partition 0 crashes: both were named.
        try group.start()
        group.commit()
        #expect(group.metadata(0) == "s5;w10,1;" && group.metadata(1) == "s5;w10,1;")
        group.deliver(10...12)
        group.deliver(10...12, partition: 1)
        group.commit()
        #expect(group.metadata(0) == "s5;t10,1;" && group.metadata(1) == "s5;w10,1;")
        // It crashes again, and only it was named.
        try group.start()
        group.commit()
        #expect(group.metadata(0) == "s6;w10,2;" && group.metadata(1) == "s6;w10,1;")
        group.deliver(10...12)
        group.deliver(10...12, partition: 1)
        for _ in 0..<3 { group.commit() }
        let results = group.harness.settle()
        #expect(results.outcomes.count == 1)
        #expect(results.outcomes.first?.value.contains(#""partition":0"#) == true)
        for _ in 0..<5 { try group.finishNext() }
        for _ in 0..<3 { group.commit() }
        #expect(group.committed[0]?.next == 13 && group.committed[1]?.next == 13)
        #expect(group.harness.engine.counters.dropped == 1)
    }

    @Test func `keeps other partitions waiting until no commit names it`() throws {
        let group = try DyingGroup("", "s5;w10,1;")
        group.commit()
        group.deliver(10...10, partition: 1)
        #expect(try group.finishNext() == 10)
        // It is done, but a crash would count against it.
        #expect(group.metadata(1).contains("t10,1"))
        group.deliver(10...10)
        #expect(group.nextToSend() == nil)
        group.commit()
        #expect(!group.metadata(1).contains("10,"))
        #expect(group.sendNext() != nil)
    }

    @Test func `waits until pushes of other partitions have finished before it is tried again`()
        throws
    {
        let group = try DyingGroup("", "s5;w10,1;")
        group.commit()
        group.deliver(10...10)
        let busy = try #require(group.sendNext())
        group.deliver(10...10, partition: 1)
        group.deliver(11...11)
        #expect(group.sendNext() == nil)
        #expect(group.metadata(1) == "s6;w10,1;")
        group.harness.answer(busy, 200)
        group.harness.settle()
        group.commit()
        #expect(group.metadata(1) == "s6;t10,1;")
        #expect(try group.finishNext() == 10)
        #expect(try group.finishNext() == 11)
        group.commit()
        #expect(group.metadata(1).isEmpty && group.committed[1]?.next == 11)
    }

    @Test func `keeps back the push that is next when it is about to be named again`() throws {
        let group = try DyingGroup("", "s5;w10,1;")
        group.commit()
        group.deliver(10...10, partition: 1)
        group.harness.answer(try #require(group.sendNext()), 503, "ServiceUnavailable")
        for _ in 0..<3 { group.commit() }
        #expect(group.metadata(1) == "s6;w10,1,sent;")
        group.deliver(10...10)
        while group.harness.nextRetry != nil { group.harness.pass(milliseconds: 100) }
        // As a worker does: it asks for one push after the other.
        group.harness.engine.startSending()
        let first = group.harness.engine.nextToSend()
        let id = try #require(first)
        let awaitsItsName = group.harness.engine.awaitsItsName(id)
        #expect(awaitsItsName)
        group.harness.engine.setAside(id)
        let second = group.harness.engine.nextToSend()
        #expect(second == nil)
        group.commit()
        #expect(group.metadata(1) == "s6;t10,1,sent;")
    }
}
