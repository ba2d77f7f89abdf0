import Delivery
import Testing

@testable import Engine

@Suite struct `The window` {
    @Test func `has no room beyond its maximum number of records`() throws {
        let desk = try EngineDesk { $0.maxInFlight = 3 }
        desk.assign()
        for offset in 0..<3 { desk.push(offset: Int64(offset)) }
        #expect(desk.engine.window.room == 0)
        #expect(desk.engine.window.batch == 0)
    }

    @Test func `has no room beyond its maximum number of bytes`() throws {
        let desk = try EngineDesk { $0.maxInFlightBytes = 100_000 }
        desk.assign()
        desk.take(String(repeating: " ", count: 100_000), offset: 0)
        #expect(desk.engine.window.room == 0)
        #expect(desk.engine.window.batch == 0)
    }

    @Test func `takes no more records while enough pushes wait to be sent`() throws {
        let desk = try EngineDesk { $0.maxQueued = 40 }
        desk.assign()
        for offset in 0..<30 { desk.push("ab\(offset + 10)", offset: Int64(offset)) }
        #expect(desk.engine.takeLimit(taken: 0) == 10)
        for offset in 30..<40 { desk.push("ab\(offset + 10)", offset: Int64(offset)) }
        #expect(desk.engine.takeLimit(taken: 0) == 0)
        desk.send()
        #expect(desk.engine.takeLimit(taken: 0) == 1)
        desk.sendAll()
        #expect(desk.engine.takeLimit(taken: 0) == 32)
    }

    @Test func `takes no more records after one with many devices until its pushes are sent`()
        throws
    {
        let desk = try EngineDesk()
        desk.assign()
        let tokens = (1000..<2000).map { #""ab\#($0)""# }.joined(separator: ",")
        desk.take(
            #"{"device_tokens":[\#(tokens)],"payload":{"aps":{"alert":"Hi"}}}"#, offset: 0)
        #expect(desk.engine.takeLimit(taken: 0) == 0)
        #expect(desk.sendAll().count == 1000)
        #expect(desk.engine.takeLimit(taken: 0) == 32)
    }

    @Test func `takes records although pushes of a suspended app wait`() throws {
        let desk = try EngineDesk { $0.maxQueued = 4 }
        desk.assign()
        for offset in 0..<4 { desk.push("ab\(offset + 10)", offset: Int64(offset)) }
        #expect(desk.engine.takeLimit(taken: 0) == 0)
        try desk.sendAndAnswer(403, "InvalidProviderToken")
        #expect(desk.engine.isAnyAppSuspended == true)
        #expect(desk.engine.takeLimit(taken: 0) == 4)
    }

    @Test func `pauses everything after half a second without room`() throws {
        let desk = try EngineDesk { $0.maxQueued = 4 }
        desk.assign()
        for offset in 0..<4 { desk.push("ab\(offset + 10)", offset: Int64(offset)) }
        desk.engine.regulateIntake()
        desk.pass(milliseconds: 600)
        desk.engine.regulateIntake()
        #expect(desk.engine.flow.isWindowFull == true)
        desk.send()
        desk.engine.regulateIntake()
        #expect(desk.engine.flow.isWindowFull == false)
    }

    @Test func `resumes when a quarter of it is free, and of the queue`() throws {
        let desk = try EngineDesk {
            $0.maxInFlight = 8
            $0.maxQueued = 4
        }
        desk.assign()
        for offset in 0..<8 { desk.push("ab\(offset + 10)", offset: Int64(offset)) }
        let pushes = desk.sendAll()
        desk.engine.regulateIntake()
        desk.pass(milliseconds: 600)
        desk.engine.regulateIntake()
        #expect(desk.engine.flow.isWindowFull == true)
        for (count, push) in pushes.prefix(2).enumerated() {
            desk.answer(push, 200)
            desk.store(desk.publish())
            desk.engine.regulateIntake()
            #expect(desk.engine.flow.isWindowFull == (count == 0))
        }
    }

    @Test func `counts every push of a record, with its payload`() throws {
        let desk = try EngineDesk()
        desk.assign()
        let tokens = (10..<60).map { #""ab\#($0)""# }.joined(separator: ",")
        let value = #"{"device_tokens":[\#(tokens)],"payload":{"aps":{"alert":"Hi"}}}"#
        desk.take(value, offset: 0)
        #expect(desk.engine.openPushes == 50)
        #expect(desk.engine.window.bytes > 50 * (Engine.pushOverhead + 20))
    }

    @Test func `asks for fewer records at a time if they are large`() throws {
        let desk = try EngineDesk { $0.maxInFlightBytes = 10 << 20 }
        desk.assign()
        var offset: Int64 = 0
        var most = 0
        let value = String(repeating: " ", count: 900_000)
        for _ in 0..<20 {
            for _ in 0..<desk.engine.window.batch {
                desk.take(value, offset: offset)
                offset += 1
            }
            if offset > 100 { most = max(most, desk.engine.window.bytes) }
            desk.settle()
        }
        #expect(most <= 11 << 20)
        #expect(most > 5 << 20)
    }

    @Test func `counts a push until Kafka has stored its outcome`() throws {
        let desk = try EngineDesk()
        desk.assign()
        desk.push(offset: 0)
        try desk.sendAndAnswer(200)
        let all = desk.publish()
        #expect(desk.engine.window.records == 1)
        desk.store(all)
        #expect(desk.engine.window.records == 0)
        #expect(desk.engine.window.bytes == 0)
        #expect(desk.openRecords == 0)
    }
}
