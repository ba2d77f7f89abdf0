import BridgeSamples
import Configuration
import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `A partition whose last three starts made no progress` {
    @Test func `has its first record taken alone, and the log says why`() throws {
        let group = try DyingGroup()
        try group.dieThreeTimes()
        #expect(group.metadata() == "e3;" && group.batch == 1)
        let notice = try #require(group.notices.first)
        let position = TopicPartition(topic: "shop.orders", partition: 0)
        #expect(notice == .takenOneAtATime(position, starts: 3))
        #expect(group.harness.engine.counters.crashedStarts == 1)
        group.deliver(10...14)
        #expect(group.openRecords == 0)
        group.commit()
        #expect(group.metadata() == "e4;" && group.openRecords == 1)
    }

    @Test func `has a start counted before its record is taken, and that it is sent before it is`()
        throws
    {
        let group = try DyingGroup("e3;")
        group.deliver(10...12)
        group.commit()
        #expect(group.metadata() == "e4;" && group.openRecords == 1)
        #expect(group.nextToSend() == nil)
        group.commit()
        #expect(group.metadata() == "e4,sent;")
        #expect(group.nextToSend() != nil)
    }

    @Test func `takes nothing before the commit that counts the start is stored`() throws {
        let group = try DyingGroup("e3;")
        group.deliver(10...10)
        group.harness.pass(milliseconds: 1000)
        let failure = KafkaFailure(code: "NOT_COORDINATOR", detail: "test", isFatal: false)
        let commits = group.harness.takeCommits()
        #expect(commits.map(\.metadata) == ["e4;"])
        group.harness.committed(CommitReport(commits: commits, failure: failure))
        #expect(group.openRecords == 0)
        group.commit()
        #expect(group.openRecords == 1)
    }

    @Test func `takes more and more records once the first is done, and then all`() throws {
        let group = try DyingGroup("e3;")
        group.deliver(10...200)
        #expect(try group.finishNext() == 10)
        for _ in 0..<3 { group.commit() }
        #expect(group.committed[0]?.next == 11 && group.metadata() == "e3;")
        var maximum = group.openRecords
        #expect(maximum > 0 && maximum < 191)
        for _ in 11...200 {
            try group.finishNext()
            maximum = max(maximum, group.openRecords)
            group.commit()
        }
        #expect(group.committed[0]?.next == 201)
        #expect(maximum > 20)
        for _ in 0..<12 { group.harness.pass(milliseconds: 1000) }
        group.commit()
        #expect(group.batch == nil && group.metadata().isEmpty)
        #expect(group.notices.contains { $0.name == "takenNormally" })
        group.deliver(201...260)
        #expect(group.openRecords == 60)
    }

    @Test func `begins with one record again if the next ones crash the worker`() throws {
        let group = try DyingGroup("e3;")
        group.deliver(10...50)
        try group.finishNext()
        for _ in 0..<3 { group.commit() }
        #expect(group.openRecords > 0 && group.metadata() == "e3;")
        try group.start()
        group.deliver(11...50)
        #expect(group.batch == 1 && group.openRecords == 0)
        group.commit()
        #expect(group.metadata() == "e4;" && group.openRecords == 1)
    }

    @Test func `skips records that were done before`() throws {
        let done = CompletedOffsets(ranges: [11..<13]).text(from: 10)
        let group = try DyingGroup("e3;" + done)
        group.deliver(10...13)
        #expect(try group.finishNext() == 10)
        #expect(try group.finishNext() == 13)
        for _ in 0..<3 { group.commit() }
        #expect(group.committed[0]?.next == 14)
        #expect(group.harness.engine.counters.alreadyDone == 2)
    }

    @Test func `sends all pushes of a first record with a thousand devices`() throws {
        let group = try DyingGroup("e3;")
        let tokens = (0..<1000).map { #""\#(Samples.token("ab\(1000 + $0)"))""# }
        group.harness.take(
            #"{"device_tokens":[\#(tokens.joined(separator: ","))],"payload":{"aps":{"badge":1}}}"#,
            offset: 10)
        group.harness.engine.asked(limit: 32, taken: 1)
        var sent: [PushID] = []
        while let id = group.sendNext() { sent.append(id) }
        #expect(sent.count == 1000)
        for id in sent { group.harness.respond(id, 200) }
        group.harness.settle()
        group.commit()
        #expect(group.committed[0]?.next == 11)
    }

    @Test func `takes nothing while an operator has paused the connector`() throws {
        let group = try DyingGroup("e3;")
        group.harness.engine.setPaused(true)
        group.deliver(10...12)
        group.commit()
        #expect(group.openRecords == 0 && group.metadata() == "e3;")
        group.harness.engine.setPaused(false)
        #expect(try group.finishNext() == 10)
    }

    @Test func `goes on while its first record waits for a retry`() throws {
        let group = try DyingGroup("e3;")
        group.deliver(10...12)
        let id = try #require(group.sendNext())
        group.harness.respond(id, 503, "ServiceUnavailable", retryAfter: 60)
        for _ in 0..<3 { group.commit() }
        #expect(group.metadata() == "e3,sent;")
        #expect(try group.finishNext() == 11)
        while group.harness.nextRetry != nil { group.harness.pass(milliseconds: 100) }
        #expect(try group.finishNext() == 10)
    }

    @Test func `has its first record sent again alone`() throws {
        let group = try DyingGroup("e3;", "")
        group.deliver(10...10)
        let first = try #require(group.sendNext())
        group.harness.respond(first, 503, "ServiceUnavailable", retryAfter: 60)
        for _ in 0..<3 { group.commit() }
        group.deliver(10...10, partition: 1)
        let other = try #require(group.sendNext())
        while group.harness.nextRetry != nil { group.harness.pass(milliseconds: 100) }
        #expect(group.nextToSend() == nil)
        group.commit()
        #expect(group.metadata() == "e3,sent;")
        group.harness.respond(other, 200)
        group.harness.settle()
        let id = try #require(group.sendNext())
        #expect(group.harness.assignment(of: id) == group.ids[0] && group.metadata() == "e4,sent;")
    }

    @Test func `does not take its first record before the window has room again`() throws {
        let group = try DyingGroup("e3;", "") { $0.maxInFlight = 1 }
        group.deliver(10...10, partition: 1)
        #expect(try group.finishNext() == 10)
        group.deliver(10...10)
        #expect(try group.finishNext() == 10)
    }
}

@Suite struct `A record that crashes the worker` {
    /// Dies with the record at offset 10 of partition 0 taken, or in flight.
    private func die(_ group: DyingGroup, sent: Bool) throws {
        group.deliver(10...12)
        if sent {
            _ = try #require(group.sendNext())
        } else {
            for _ in 0..<5 where group.openRecords == 0 { group.commit() }
            #expect(group.openRecords == 1)
        }
        try group.start()
    }

    @Test(arguments: [false, true])
    func `is ended after two ends in which it was alone`(sent: Bool) throws {
        let group = try DyingGroup()
        try group.dieThreeTimes()
        try die(group, sent: sent)
        #expect(group.metadata() == (sent ? "e4,sent;" : "e4;"))
        try die(group, sent: sent)
        #expect(group.metadata() == (sent ? "e5,sent;" : "e5;"))
        _ = group.notices
        group.deliver(10...12)
        group.commit()
        let results = group.harness.settle()
        let outcome = try #require(results.outcomes.first?.value)
        #expect(outcome.contains(#""offset":10"#) && outcome.contains(#""reason":"crashed""#))
        #expect(outcome.contains(sent ? #""verdict":"unknown""# : #""verdict":"dropped""#))
        #expect(results.deadLetters.count == (sent ? 0 : 1))
        let position = TopicPartition(topic: "shop.orders", partition: 0)
        #expect(
            group.notices.contains(
                .crashed(position, offset: 10, crashes: 2, sent ? .unknown : .dropped)))
        #expect(try group.finishNext() == 11)
        #expect(try group.finishNext() == 12)
        for _ in 0..<12 { group.harness.pass(milliseconds: 1000) }
        for _ in 0..<3 { group.commit() }
        #expect(group.committed[0]?.next == 13 && group.metadata().isEmpty)
    }

    @Test(arguments: [false, true])
    func `is forgotten after a clean stop, also if it was not taken`(taken: Bool) throws {
        let group = try DyingGroup("e4,sent;")
        if taken {
            group.deliver(10...12)
            _ = try #require(group.sendNext())
        }
        group.harness.engine.drain(until: group.harness.now + .seconds(10))
        group.harness.engine.close()
        group.commitLast()
        #expect(group.metadata() == "e0,sent;")
        try group.start()
        #expect(group.batch == nil)
    }

    @Test func `keeps its count if its partition moves before it was taken`() throws {
        let group = try DyingGroup("e4;")
        group.deliver(10...10)
        try group.revoke()
        #expect(group.metadata() == "e4;")
    }

    @Test func `does not end a record for ten kills before anything is taken`() throws {
        let group = try DyingGroup()
        for _ in 0..<10 {
            group.commit()
            try group.start()
        }
        #expect(group.metadata().isEmpty && group.batch == nil)
    }

    @Test func `does not end a record for kills while its app is suspended`() throws {
        let group = try DyingGroup("e3;")
        for _ in 0..<10 {
            group.deliver(10...12)
            let id = try #require(group.sendNext())
            group.harness.respond(id, 403, "InvalidProviderToken")
            for _ in 0..<3 { group.commit() }
            #expect(group.metadata() == "e3,sent;")
            try group.start()
        }
        #expect(group.harness.engine.counters.dropped == 0)
    }

    @Test func `is taken when nothing else of the worker is in flight`() throws {
        let group = try DyingGroup("", "e4;")
        group.deliver(10...10)
        let busy = try #require(group.sendNext())
        group.deliver(10...10, partition: 1)
        group.deliver(11...11)
        #expect(group.sendNext() == nil)
        #expect(group.metadata(1) == "e4;")
        group.harness.respond(busy, 200)
        group.harness.settle()
        group.commit()
        #expect(group.metadata(1) == "e5;")
        let id = try #require(group.sendNext())
        #expect(group.harness.assignment(of: id) == group.ids[1] && group.inFlight.count == 1)
        #expect(group.nextToSend() == nil)
        group.harness.respond(id, 200)
        group.harness.settle()
        #expect(group.nextToSend() == nil)
        #expect(try group.finishNext() == 11)
        #expect(group.metadata(1).hasPrefix("e3;"))
    }

    @Test func `is one at a time`() throws {
        let group = try DyingGroup("e3;", "e3;")
        group.deliver(10...12)
        group.deliver(10...12, partition: 1)
        group.commit()
        #expect(group.openRecords == 1)
        #expect([group.metadata(0), group.metadata(1)].sorted() == ["e3;", "e4;"])
        for _ in 0..<6 { try group.finishNext() }
        for _ in 0..<3 { group.commit() }
        #expect(group.committed[0]?.next == 13 && group.committed[1]?.next == 13)
    }

    @Test func `waits until nothing of other workers is in flight, and not for ever`() throws {
        let group = try DyingGroup("e3;", "")
        group.harness.areOthersQuiet = false
        group.deliver(10...10)
        for _ in 0..<4 { group.harness.pass(milliseconds: 1000) }
        #expect(group.openRecords == 0 && !group.harness.shouldCommit)
        group.harness.pass(milliseconds: 1001)
        group.harness.pass(milliseconds: 1)
        #expect(!group.harness.wantsToBeAlone)
        group.deliver(10...10, partition: 1)
        #expect(try group.finishNext() == 10)
        #expect(group.openRecords == 0)
        group.harness.pass(milliseconds: 30_000)
        #expect(group.harness.wantsToBeAlone)
        group.harness.areOthersQuiet = true
        #expect(try group.finishNext() == 10)
    }

    @Test func `waits while one of another worker is alone`() throws {
        let group = try DyingGroup("")
        group.deliver(10...10)
        group.commit()
        #expect(group.openRecords == 1)
        group.harness.engine.setStanding(.othersTurn)
        group.harness.engine.startSending()
        let next = group.harness.engine.nextToSend()
        #expect(next == nil)
        group.harness.take(Samples.event("ab01"), offset: 11, of: try #require(group.ids[0]))
        #expect(group.openRecords == 1)
        group.harness.engine.setStanding(.free)
        #expect(try group.finishNext() == 10)
        #expect(try group.finishNext() == 11)
    }
}
