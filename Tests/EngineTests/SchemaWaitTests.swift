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

    private func harness(
        tweak: (inout EngineSettings) -> Void = { _ in }
    ) throws -> EngineHarness {
        let harness = try EngineHarness { settings in
            settings.schemaIDBytes = 4
            tweak(&settings)
        }
        harness.assign()
        return harness
    }

    private func known() throws -> SchemaResult {
        .found(.avro(try AvroSchema(Array(Self.schema.utf8))))
    }

    /// An event for the device with these four digits.
    private func event(_ token: String = "ab01", schema: UInt8 = 7) -> String {
        String(
            decoding: [0, 0, 0, 0, schema, 8] + Array(token.utf8) + [2, 10]
                + Array("alert".utf8) + [4] + Array("Hi".utf8) + [0], as: UTF8.self)
    }

    private func pauses(_ harness: EngineHarness) -> [PartitionState.Pause] {
        harness.engine.partitionStates { _ in nil }.flatMap(\.pauses)
    }

    private func notices(_ harness: EngineHarness) -> [Notice] { harness.engine.takeNotices() }

    @Test func `waits with its partition until it is looked up, in order`() throws {
        let harness = try harness()
        harness.assign(1)
        harness.take(event("aa01"), offset: 0)
        harness.take(event("aa02", schema: 8), offset: 1)
        harness.take(event("aa03"), offset: 2)
        #expect(harness.engine.takeSchemaQuestions() == [.id(7), .id(8)])
        #expect(harness.engine.takeSchemaQuestions() == [])
        #expect(harness.sendAll().isEmpty && harness.openRecords == 0)
        #expect(harness.flowChange()?.pause == [AssignmentID(0)])
        #expect(pauses(harness) == [.schema])
        harness.engine.lookedUp(.id(7), try known())
        #expect(harness.sendAll().map(harness.token) == ["aa01"])
        #expect(pauses(harness) == [.schema], "the second one waits yet")
        harness.engine.lookedUp(.id(8), try known())
        #expect(harness.sendAll().map(harness.token) == ["aa02", "aa03"])
        #expect(
            harness.flowChange() == FlowChange(resume: [AssignmentID(0)]) || pauses(harness) == [])
        harness.take(event("aa04"), offset: 3)
        #expect(harness.sendAll().map(harness.token) == ["aa04"])
        #expect(harness.engine.takeSchemaQuestions() == [] && notices(harness) == [])
    }

    @Test func `leaves other partitions alone`() throws {
        let harness = try harness()
        let other = harness.assign(1)
        harness.engine.lookedUp(.id(8), try known())
        harness.take(event(), offset: 0)
        harness.take(event("bb01", schema: 8), offset: 0, of: other, partition: 1)
        #expect(harness.sendAll().map(harness.token) == ["bb01"])
    }

    @Test func `costs nothing while the registry does not respond`() throws {
        let harness = try harness()
        harness.take(event("aa01"), offset: 0)
        _ = harness.engine.takeSchemaQuestions()
        harness.engine.lookedUp(.id(7), .unavailable("the registry responds 503"))
        harness.engine.lookedUp(.id(7), .unavailable("the registry responds 503"))
        harness.pass(milliseconds: 3_600_000)
        let state = try #require(harness.engine.state.schemaWait)
        #expect(state.schema == "7" && state.partitions == 1 && state.duration == .seconds(3600))
        #expect(state.detail == "the registry responds 503")
        #expect(harness.settle().isEmpty)
        #expect(
            notices(harness) == [
                .awaitsSchema(
                    EngineHarness.orders, "7", "the registry responds 503", isUnknown: false)
            ])
        harness.engine.lookedUp(.id(7), try known())
        #expect(harness.engine.state.schemaWait == nil)
        #expect(harness.sendAll().map(harness.token) == ["aa01"])
        #expect(notices(harness) == [.schemasFound("7")])
    }

    @Test func `is dropped with a dead letter once it was unknown for long`() throws {
        let harness = try harness()
        harness.take(event("aa01"), offset: 0)
        harness.take(event("aa02"), offset: 1)
        harness.engine.lookedUp(.id(7), .notYet("Schema 7 not found"))
        #expect(harness.settle().isEmpty)
        harness.engine.lookedUp(.id(7), .found(.unknown))
        let results = harness.settle()
        #expect(results.outcomes.count == 2)
        #expect(
            results.outcomes.allSatisfy {
                $0.value.contains(#""verdict":"dropped","reason":"unknown_schema""#)
            })
        let letter = try #require(results.deadLetters.first)
        #expect(letter.value == event("aa01"))
        #expect(letter.header("apns-bridge-schema-id") == "7")
        #expect(harness.next() == 2)
        #expect(
            notices(harness) == [
                .awaitsSchema(EngineHarness.orders, "7", "Schema 7 not found", isUnknown: true),
                .schemaUnknown("7"),
            ])
    }

    @Test(arguments: [KnownSchema.unknown, .unusable("its type is JSON")])
    func `is looked up again once a minute while its records are dropped`(
        schema: KnownSchema
    ) throws {
        let harness = try harness()
        harness.take(event(), offset: 0)
        #expect(harness.engine.takeSchemaQuestions() == [.id(7)])
        harness.engine.lookedUp(.id(7), .found(schema))
        harness.take(event(), offset: 1)
        #expect(harness.engine.takeSchemaQuestions() == [])
        harness.pass(milliseconds: 60_000)
        harness.take(event(), offset: 2)
        harness.take(event(), offset: 3)
        #expect(harness.engine.takeSchemaQuestions() == [.id(7)])
        #expect(harness.settle().outcomes.count == 4, "none waits")
        harness.engine.lookedUp(.id(7), try known())
        harness.take(event("aa05"), offset: 4)
        #expect(harness.sendAll().map(harness.token) == ["aa05"])
    }

    @Test func `is left to the next owner of its partition`() throws {
        let harness = try harness()
        harness.take(event(), offset: 0)
        harness.engine.revoking([AssignmentID(0)])
        #expect(harness.engine.intakeCell.value.schemas.heldCount == 0)
        harness.engine.lookedUp(.id(7), try known())
        #expect(harness.sendAll().isEmpty && harness.settle().isEmpty)
        let second = harness.assign(1)
        harness.take(event(), offset: 0, of: second, partition: 1)
        #expect(harness.sendAll().count == 1)
    }

    @Test func `is left to the next owner when the worker stops or loses its partition`() throws {
        for leave: (EngineHarness) -> Void in [
            { $0.engine.drain(until: $0.engine.now + .seconds(10)) },
            { $0.engine.lost([AssignmentID(0)]) },
        ] {
            let harness = try harness()
            harness.take(event(), offset: 0)
            leave(harness)
            #expect(harness.openRecords == 0)
            #expect(harness.engine.intakeCell.value.schemas.heldCount == 0)
            harness.engine.lookedUp(.id(7), try known())
            #expect(harness.sendAll().isEmpty && harness.settle().isEmpty)
        }
    }

    @Test func `of a log that was replaced is still taken`() throws {
        let harness = try harness()
        harness.take(event("aa01"), offset: 0)
        _ = harness.replace(
            AssignmentID(0), PositionReset(cause: .replaced, from: 1, to: 0, gone: nil))
        #expect(harness.openRecords == 1)
        harness.engine.lookedUp(.id(7), try known())
        #expect(harness.sendAll().map(harness.token) == ["aa01"])
    }

    @Test func `of a log that was replaced becomes a dead letter when the worker ends`() throws {
        let harness = try harness()
        harness.take(event("aa01"), offset: 0)
        _ = harness.replace(
            AssignmentID(0), PositionReset(cause: .replaced, from: 1, to: 0, gone: nil))
        harness.engine.drain(until: harness.engine.now + .seconds(10))
        #expect(harness.openRecords == 1)
        harness.engine.close()
        let results = harness.settle()
        #expect(results.outcomes.first?.value.contains("unknown_schema") == true)
        #expect(results.deadLetters.first?.value == event("aa01"))
        #expect(harness.openRecords == 0)
    }

    @Test func `waits as long as an operator has paused the connector`() throws {
        let harness = try harness()
        harness.take(event("aa01"), offset: 0)
        harness.engine.setPaused(true)
        harness.engine.lookedUp(.id(7), try known())
        #expect(harness.openRecords == 0)
        harness.engine.setPaused(false)
        harness.engine.asked(limit: 32, taken: 0)
        #expect(harness.sendAll().map(harness.token) == ["aa01"])
    }

    @Test func `waits for room in the window`() throws {
        let harness = try harness { $0.maxInFlight = 2 }
        for offset in 0..<5 { harness.take(event("aa0\(offset)"), offset: Int64(offset)) }
        harness.engine.lookedUp(.id(7), try known())
        #expect(harness.openRecords == 2)
        for id in harness.sendAll() { harness.respond(id, 200) }
        harness.settle()
        harness.engine.asked(limit: 32, taken: 0)
        #expect(harness.sendAll().map(harness.token) == ["aa02", "aa03"])
    }
}
