import Delivery
import EventLoop
import Testing

@testable import Engine

@Suite struct `The window` {
    @Test func `has no room beyond its maximum number of records`() throws {
        let harness = try EngineHarness { $0.maxInFlight = 3 }
        harness.assign()
        for offset in 0..<3 { harness.push(offset: Int64(offset)) }
        #expect(harness.engine.intakeCell.value.window.room == 0)
        #expect(harness.engine.intakeCell.value.window.batch == 0)
    }

    @Test func `has no room beyond its maximum number of bytes`() throws {
        let harness = try EngineHarness { $0.maxInFlightBytes = 100_000 }
        harness.assign()
        harness.take(String(repeating: " ", count: 100_000), offset: 0)
        #expect(harness.engine.intakeCell.value.window.room == 0)
        #expect(harness.engine.intakeCell.value.window.batch == 0)
    }

    @Test func `takes no more records while enough pushes wait to be sent`() throws {
        let harness = try EngineHarness { $0.maxQueued = 40 }
        harness.assign()
        for offset in 0..<30 { harness.push("ab\(offset + 10)", offset: Int64(offset)) }
        #expect(harness.engine.takeLimit(taken: 0) == 10)
        for offset in 30..<40 { harness.push("ab\(offset + 10)", offset: Int64(offset)) }
        #expect(harness.engine.takeLimit(taken: 0) == 0)
        harness.send()
        #expect(harness.engine.takeLimit(taken: 0) == 1)
        harness.sendAll()
        #expect(harness.engine.takeLimit(taken: 0) == 32)
    }

    @Test func `takes no more records after one with many devices until its pushes are sent`()
        throws
    {
        let harness = try EngineHarness()
        harness.assign()
        let tokens = (1000..<2000).map { #""ab\#($0)""# }.joined(separator: ",")
        harness.take(
            #"{"device_tokens":[\#(tokens)],"payload":{"aps":{"alert":"Hi"}}}"#, offset: 0)
        #expect(harness.engine.takeLimit(taken: 0) == 0)
        #expect(harness.sendAll().count == 1000)
        #expect(harness.engine.takeLimit(taken: 0) == 32)
    }

    @Test func `takes records although pushes of a suspended app wait`() throws {
        let harness = try EngineHarness { $0.maxQueued = 4 }
        harness.assign()
        for offset in 0..<4 { harness.push("ab\(offset + 10)", offset: Int64(offset)) }
        #expect(harness.engine.takeLimit(taken: 0) == 0)
        try harness.sendAndRespond(403, "InvalidProviderToken")
        #expect(harness.engine.isAnyAppSuspended == true)
        #expect(harness.engine.takeLimit(taken: 0) == 4)
    }

    @Test func `pauses everything after half a second without room`() throws {
        let harness = try EngineHarness { $0.maxQueued = 4 }
        harness.assign()
        for offset in 0..<4 { harness.push("ab\(offset + 10)", offset: Int64(offset)) }
        harness.engine.regulateIntake()
        harness.pass(milliseconds: 600)
        harness.engine.regulateIntake()
        #expect(harness.engine.intakeCell.value.flow.isWindowFull == true)
        harness.send()
        harness.engine.regulateIntake()
        #expect(harness.engine.intakeCell.value.flow.isWindowFull == false)
    }

    @Test func `resumes when a quarter of it is free, and of the queue`() throws {
        let harness = try EngineHarness {
            $0.maxInFlight = 8
            $0.maxQueued = 4
        }
        harness.assign()
        for offset in 0..<8 { harness.push("ab\(offset + 10)", offset: Int64(offset)) }
        let pushes = harness.sendAll()
        harness.engine.regulateIntake()
        harness.pass(milliseconds: 600)
        harness.engine.regulateIntake()
        #expect(harness.engine.intakeCell.value.flow.isWindowFull == true)
        for (count, push) in pushes.prefix(2).enumerated() {
            harness.respond(push, 200)
            harness.store(harness.publish())
            harness.engine.regulateIntake()
            #expect(harness.engine.intakeCell.value.flow.isWindowFull == (count == 0))
        }
    }

    @Test func `counts every push of a record, with its payload`() throws {
        let harness = try EngineHarness()
        harness.assign()
        let tokens = (10..<60).map { #""ab\#($0)""# }.joined(separator: ",")
        let value = #"{"device_tokens":[\#(tokens)],"payload":{"aps":{"alert":"Hi"}}}"#
        harness.take(value, offset: 0)
        #expect(harness.engine.openPushes == 50)
        #expect(harness.engine.intakeCell.value.window.bytes > 50 * (Engine.pushOverhead + 20))
    }

    @Test func `asks for fewer records at a time if they are large`() throws {
        let harness = try EngineHarness { $0.maxInFlightBytes = 10 << 20 }
        harness.assign()
        var offset: Int64 = 0
        var maximum = 0
        let value = String(repeating: " ", count: 900_000)
        for _ in 0..<20 {
            for _ in 0..<harness.engine.intakeCell.value.window.batch {
                harness.take(value, offset: offset)
                offset += 1
            }
            if offset > 100 { maximum = max(maximum, harness.engine.intakeCell.value.window.bytes) }
            harness.settle()
        }
        #expect(maximum <= 11 << 20)
        #expect(maximum > 5 << 20)
    }

    @Test func `counts a push until Kafka has stored its outcome`() throws {
        let harness = try EngineHarness()
        harness.assign()
        harness.push(offset: 0)
        try harness.sendAndRespond(200)
        let all = harness.publish()
        #expect(harness.recordsInFlight == 1)
        harness.store(all)
        #expect(harness.recordsInFlight == 0)
        #expect(harness.engine.intakeCell.value.window.bytes == 0)
        #expect(harness.openRecords == 0)
    }
}
