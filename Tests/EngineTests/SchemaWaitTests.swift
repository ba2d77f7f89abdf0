import Avro
import Delivery
import EventLoop
import Mapping
import Testing

@testable import Engine

@Suite struct `A record whose schema is not known` {
    private static let schema = #"""
        {"type": "record", "name": "E", "fields": [
          {"name": "device_token", "type": "string"},
          {"name": "payload", "type": {"type": "record", "name": "P", "fields": [
            {"name": "aps", "type": {"type": "map", "values": "string"}}]}}]}
        """#

    private func desk(
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineDesk {
        let desk = try EngineDesk { settings in
            settings.schemaIDBytes = 4
            tweak(&settings)
        }
        desk.assign()
        return desk
    }

    private func known() throws -> SchemaAnswer {
        .found(.avro(try AvroSchema(Array(Self.schema.utf8))))
    }

    /// An event for the device with these four digits.
    private func event(_ token: String = "ab01", schema: UInt8 = 7) -> String {
        String(
            decoding: [0, 0, 0, 0, schema, 8] + Array(token.utf8) + [2, 10]
                + Array("alert".utf8) + [4] + Array("Hi".utf8) + [0], as: UTF8.self)
    }

    private func pauses(_ desk: EngineDesk) -> [PartitionState.Pause] {
        desk.engine.partitionStates { _ in nil }.flatMap(\.pauses)
    }

    private func notices(_ desk: EngineDesk) -> [Notice] { desk.engine.takeNotices() }

    @Test func `waits with its partition until it is looked up, in order`() throws {
        let desk = try desk()
        desk.assign(1)
        desk.take(event("aa01"), offset: 0)
        desk.take(event("aa02", schema: 8), offset: 1)
        desk.take(event("aa03"), offset: 2)
        #expect(desk.engine.takeSchemaQuestions() == [.id(7), .id(8)])
        #expect(desk.engine.takeSchemaQuestions() == [])
        #expect(desk.sendAll().isEmpty && desk.openRecords == 0)
        #expect(desk.flowChange()?.pause == [AssignmentID(0)])
        #expect(pauses(desk) == [.schema])
        desk.engine.answered(.id(7), try known())
        #expect(desk.sendAll().map(desk.token) == ["aa01"])
        #expect(pauses(desk) == [.schema], "the second one waits yet")
        desk.engine.answered(.id(8), try known())
        #expect(desk.sendAll().map(desk.token) == ["aa02", "aa03"])
        #expect(desk.flowChange() == FlowChange(resume: [AssignmentID(0)]) || pauses(desk) == [])
        desk.take(event("aa04"), offset: 3)
        #expect(desk.sendAll().map(desk.token) == ["aa04"])
        #expect(desk.engine.takeSchemaQuestions() == [] && notices(desk) == [])
    }

    @Test func `leaves other partitions alone`() throws {
        let desk = try desk()
        let other = desk.assign(1)
        desk.engine.answered(.id(8), try known())
        desk.take(event(), offset: 0)
        desk.take(event("bb01", schema: 8), offset: 0, of: other, partition: 1)
        #expect(desk.sendAll().map(desk.token) == ["bb01"])
    }

    @Test func `costs nothing while the registry does not respond`() throws {
        let desk = try desk()
        desk.take(event("aa01"), offset: 0)
        _ = desk.engine.takeSchemaQuestions()
        desk.engine.answered(.id(7), .unavailable("the registry responds 503"))
        desk.engine.answered(.id(7), .unavailable("the registry responds 503"))
        desk.pass(milliseconds: 3_600_000)
        let state = try #require(desk.engine.state.schemaWait)
        #expect(state.schema == "7" && state.partitions == 1 && state.duration == .seconds(3600))
        #expect(state.detail == "the registry responds 503")
        #expect(desk.settle().isEmpty)
        #expect(
            notices(desk) == [.awaitsSchema("7", "the registry responds 503", isUnknown: false)])
        desk.engine.answered(.id(7), try known())
        #expect(desk.engine.state.schemaWait == nil)
        #expect(desk.sendAll().map(desk.token) == ["aa01"])
        #expect(notices(desk) == [.schemasFound("7")])
    }

    @Test func `is dropped with a dead letter once it was unknown for long`() throws {
        let desk = try desk()
        desk.take(event("aa01"), offset: 0)
        desk.take(event("aa02"), offset: 1)
        desk.engine.answered(.id(7), .notYet("Schema 7 not found"))
        #expect(desk.settle().isEmpty)
        desk.engine.answered(.id(7), .found(.unknown))
        let results = desk.settle()
        #expect(results.outcomes.count == 2)
        #expect(
            results.outcomes.allSatisfy {
                $0.value.contains(#""verdict":"dropped","reason":"unknown_schema""#)
            })
        let letter = try #require(results.deadLetters.first)
        #expect(letter.value == event("aa01"))
        #expect(letter.header("apns-bridge-schema-id") == "7")
        #expect(desk.next() == 2)
        #expect(
            notices(desk) == [
                .awaitsSchema("7", "Schema 7 not found", isUnknown: true), .schemaUnknown("7"),
            ])
    }

    @Test func `is looked up again once a minute while it is unknown`() throws {
        let desk = try desk()
        desk.take(event(), offset: 0)
        #expect(desk.engine.takeSchemaQuestions() == [.id(7)])
        desk.engine.answered(.id(7), .found(.unknown))
        desk.take(event(), offset: 1)
        #expect(desk.engine.takeSchemaQuestions() == [])
        desk.pass(milliseconds: 60_000)
        desk.take(event(), offset: 2)
        desk.take(event(), offset: 3)
        #expect(desk.engine.takeSchemaQuestions() == [.id(7)])
        #expect(desk.settle().outcomes.count == 4, "none waits")
        desk.engine.answered(.id(7), try known())
        desk.take(event("aa05"), offset: 4)
        #expect(desk.sendAll().map(desk.token) == ["aa05"])
    }

    @Test func `is left to the next owner of its partition`() throws {
        let desk = try desk()
        desk.take(event(), offset: 0)
        desk.engine.revoking([AssignmentID(0)])
        #expect(desk.engine.schemas.heldCount == 0)
        desk.engine.answered(.id(7), try known())
        #expect(desk.sendAll().isEmpty && desk.settle().isEmpty)
        let second = desk.assign(1)
        desk.take(event(), offset: 0, of: second, partition: 1)
        #expect(desk.sendAll().count == 1)
    }

    @Test func `is left to the next owner when the worker stops or loses its partition`() throws {
        for leave: (EngineDesk) -> Void in [
            { $0.engine.drain(until: $0.engine.now + .seconds(10)) },
            { $0.engine.lost([AssignmentID(0)]) },
        ] {
            let desk = try desk()
            desk.take(event(), offset: 0)
            leave(desk)
            #expect(desk.openRecords == 0 && desk.engine.schemas.heldCount == 0)
            desk.engine.answered(.id(7), try known())
            #expect(desk.sendAll().isEmpty && desk.settle().isEmpty)
        }
    }

    @Test func `of a log that was replaced is still taken`() throws {
        let desk = try desk()
        desk.take(event("aa01"), offset: 0)
        _ = desk.replace(
            AssignmentID(0), PositionReset(cause: .replaced, from: 1, to: 0, gone: nil))
        #expect(desk.openRecords == 1)
        desk.engine.answered(.id(7), try known())
        #expect(desk.sendAll().map(desk.token) == ["aa01"])
    }

    @Test func `of a log that was replaced becomes a dead letter when the worker ends`() throws {
        let desk = try desk()
        desk.take(event("aa01"), offset: 0)
        _ = desk.replace(
            AssignmentID(0), PositionReset(cause: .replaced, from: 1, to: 0, gone: nil))
        desk.engine.drain(until: desk.engine.now + .seconds(10))
        #expect(desk.openRecords == 1)
        desk.engine.close()
        let results = desk.settle()
        #expect(results.outcomes.first?.value.contains("unknown_schema") == true)
        #expect(results.deadLetters.first?.value == event("aa01"))
        #expect(desk.openRecords == 0)
    }

    @Test func `waits as long as an operator has paused the connector`() throws {
        let desk = try desk()
        desk.take(event("aa01"), offset: 0)
        desk.engine.setPaused(true)
        desk.engine.answered(.id(7), try known())
        #expect(desk.openRecords == 0)
        desk.engine.setPaused(false)
        desk.engine.asked(limit: 32, taken: 0)
        #expect(desk.sendAll().map(desk.token) == ["aa01"])
    }

    @Test func `waits for room in the window`() throws {
        let desk = try desk { $0.maxInFlight = 2 }
        for offset in 0..<5 { desk.take(event("aa0\(offset)"), offset: Int64(offset)) }
        desk.engine.answered(.id(7), try known())
        #expect(desk.openRecords == 2)
        for id in desk.sendAll() { desk.answer(id, 200) }
        desk.settle()
        desk.engine.asked(limit: 32, taken: 0)
        #expect(desk.sendAll().map(desk.token) == ["aa02", "aa03"])
    }
}
