import BridgeSamples
import Delivery
import Testing

@testable import Engine

@Suite struct `A commit that names a record of a partition that leaves the worker` {
    /// Partition 1 has a record that crashed a worker once and is tried alone; partition 0 has one
    /// that may be what really crashes.
    private func group(takenAndSent: Bool) throws -> DyingGroup {
        let group = try DyingGroup("", "s5;w10,1;")
        group.commit()
        group.deliver(10...10, partition: 1)
        if takenAndSent {
            _ = try #require(group.sendNext())
            #expect(group.metadata(1) == "s6;t10,1,sent;")
        } else {
            // The commit is stored, and the worker has not heard of it.
            group.harness.pass(milliseconds: 100)
            group.storeUnheard(group.harness.takeCommits())
            #expect(group.metadata(1) == "s6;t10,1;")
        }
        group.deliver(10...10)
        #expect(next(group) == nil)
        return group
    }

    /// The next push to send, after the engine was asked for records.
    private func next(_ group: DyingGroup) -> PushID? {
        group.harness.engine.asked(limit: 32, taken: 0)
        return group.nextToSend()
    }

    @Test func `keeps all others waiting until the last commit is stored`() throws {
        let group = try group(takenAndSent: true)
        group.harness.engine.revoking([try #require(group.ids[1])])
        #expect(next(group) == nil)
        let id = try #require(group.inFlight.first)
        group.harness.answer(id, 200)
        group.harness.settle()
        #expect(next(group) == nil)
        try group.handOver()
        #expect(group.committed[1]?.next == 11 && group.metadata(1).isEmpty)
        #expect(group.sendNext() != nil)
    }

    @Test func `is followed at once by one that does not name it if it was not taken`() throws {
        let group = try group(takenAndSent: false)
        group.harness.engine.revoking([try #require(group.ids[1])])
        #expect(next(group) == nil)
        group.hear()
        #expect(next(group) == nil)
        try group.handOver()
        #expect(group.metadata(1) == "s5;w10,1;")
        #expect(group.sendNext() != nil)
    }

    @Test func `does not count a crash of another record while the partition leaves`() throws {
        let group = try group(takenAndSent: false)
        group.harness.engine.revoking([try #require(group.ids[1])])
        // Whatever the worker processes now crashes it.
        for _ in 0..<5 where next(group) == nil {
            group.hear()
            try group.handOver()
        }
        #expect(next(group) != nil)
        try group.start()
        group.commit()
        #expect(group.metadata(1).hasSuffix("w10,1;"))
    }

    @Test func `is not written for a record that could be sent again just then`() throws {
        let group = try DyingGroup("", "s5;w10,1;")
        group.commit()
        let tokens = #"["\#(Samples.token("ab1"))","\#(Samples.token("ab2"))"]"#
        group.harness.take(
            #"{"device_tokens":\#(tokens),"payload":{"aps":{"badge":1}}}"#, offset: 10,
            of: try #require(group.ids[1]), partition: 1)
        group.harness.engine.asked(limit: 32, taken: 1)
        let (first, second) = (try #require(group.sendNext()), try #require(group.sendNext()))
        group.harness.answer(first, 200)
        group.harness.settle()
        group.harness.answer(second, 503, "ServiceUnavailable")
        for _ in 0..<3 { group.commit() }
        #expect(group.metadata(1) == "s6;w10,1,sent;")
        group.deliver(10...10)
        while group.harness.nextRetry != nil { group.harness.pass(milliseconds: 100) }
        // It is about to be named again, and its partition is revoked.
        #expect(next(group) == nil)
        group.harness.engine.revoking([try #require(group.ids[1])])
        for _ in 0..<2 { group.harness.engine.sent(try #require(next(group))) }
        group.commit()
        #expect(group.metadata(1) == "s6;w10,1,sent;")
    }

    @Test func `keeps all others waiting while the worker stops`() throws {
        let group = try group(takenAndSent: true)
        group.harness.engine.drain(until: group.harness.now + .seconds(10))
        #expect(next(group) == nil)
        let id = try #require(group.inFlight.first)
        group.harness.answer(id, 200)
        group.harness.settle()
        group.commitLast()
        #expect(group.committed[1]?.next == 11 && group.metadata(1).isEmpty)
    }

    @Test func `is not waited for once the partition is given up without another one`() throws {
        let group = try group(takenAndSent: true)
        group.harness.engine.revoking([try #require(group.ids[1])])
        // Kafka cannot be reached: neither the response nor the last commit comes in time.
        var steps = 0
        while steps < 10, next(group) == nil {
            group.harness.pass(milliseconds: 60_000)
            _ = group.harness.engine.takeHandover()
            steps += 1
        }
        #expect(steps > 0 && next(group) != nil)
    }

    @Test func `is not waited for once another member has the partition`() throws {
        let group = try group(takenAndSent: true)
        group.harness.engine.lost([try #require(group.ids[1])])
        #expect(next(group) != nil)
    }

    @Test func `keeps nobody waiting once the log of its partition is replaced`() throws {
        let group = try DyingGroup("s3;", "s5;w10,1;")
        group.commit()
        group.deliver(10...12)
        group.harness.pass(milliseconds: 100)
        group.storeUnheard(group.harness.takeCommits())
        #expect(group.metadata() == "s4;t10,0;")
        try group.replace()
        group.hear()
        // The record that has crashed a worker is tried alone, and then everything else is sent.
        group.deliver(10...10, partition: 1)
        #expect(try group.finishNext() == 10)
        for _ in 0..<3 { try group.finishNext() }
        #expect(group.openRecords == 0)
    }

    @Test func `keeps what is held of a replaced log from being taken`() throws {
        let group = try DyingGroup("s3;", "s5;w10,1;")
        group.commit()
        group.deliver(10...10, partition: 1)
        let suspect = try #require(group.sendNext())
        #expect(group.metadata(1) == "s6;t10,1,sent;")
        group.deliver(10...12)
        try group.replace()
        group.harness.pass(milliseconds: 1)
        #expect(group.harness.engine.recordsInFlight == 1 && group.openRecords == 4)
        group.harness.answer(suspect, 200)
        group.harness.settle()
        group.commit()
        #expect(group.metadata(1).isEmpty)
        for _ in 0..<3 { try group.finishNext() }
        #expect(group.openRecords == 0)
    }
}
