import Avro
import BridgeSamples
import Delivery
import EventLoop
import Mapping
import Testing

@testable import Engine

@Suite struct `A record whose key has a schema of its own` {
    private static let value = #"""
        {"type": "record", "name": "E", "fields": [{"name": "device_token", "type": "string"}]}
        """#
    private static let key = #"""
        {"type": "record", "name": "K", "fields": [{"name": "badge", "type": "int"}]}
        """#

    private func found(_ schema: String) throws -> SchemaResult {
        .found(.avro(try AvroSchema(Array(schema.utf8))))
    }

    private func harness() throws -> EngineHarness {
        let harness = try EngineHarness(plan: try Samples.keyPlan()) {
            $0.schemaIDBytes = 4
            $0.keysHaveSchemas = true
        }
        harness.assign()
        return harness
    }

    private func take(_ token: String, key schema: UInt8, offset: Int64, _ harness: EngineHarness) {
        let value = [0, 0, 0, 0, 7, 8] + Array(token.utf8)
        harness.take(
            String(decoding: value, as: UTF8.self), offset: offset,
            key: String(decoding: [0, 0, 0, 0, schema, 10], as: UTF8.self))
    }

    @Test func `waits for the one and then for the other, in order`() throws {
        let harness = try harness()
        take("aa01", key: 8, offset: 0, harness)
        take("aa02", key: 9, offset: 1, harness)
        take("aa03", key: 8, offset: 2, harness)
        #expect(harness.engine.takeSchemaQuestions() == [.id(7)])
        harness.engine.lookedUp(.id(7), try found(Self.value))
        #expect(harness.sendAll().isEmpty)
        #expect(harness.engine.takeSchemaQuestions() == [.id(8)])
        harness.engine.lookedUp(.id(8), try found(Self.key))
        #expect(harness.sendAll().map(harness.token) == ["aa01"])
        #expect(harness.engine.takeSchemaQuestions() == [.id(9)])
        harness.engine.lookedUp(.id(9), try found(Self.key))
        #expect(harness.sendAll().map(harness.token) == ["aa02", "aa03"])
        take("aa04", key: 9, offset: 3, harness)
        #expect(harness.sendAll().map(harness.token) == ["aa04"])
    }

    @Test func `is dropped when the registry does not know that of the key, which is asked again`()
        throws
    {
        let harness = try harness()
        harness.engine.lookedUp(.id(7), try found(Self.value))
        take("aa01", key: 8, offset: 0, harness)
        #expect(harness.engine.takeSchemaQuestions() == [.id(8)])
        harness.engine.lookedUp(.id(8), .found(.unknown))
        #expect(harness.sendAll().isEmpty)
        let results = harness.settle()
        #expect(
            try results.outcomes.map { try Samples.member("reason", of: $0.value) }
                == ["unknown_schema"])
        let letter = try #require(results.deadLetters.first)
        #expect(letter.header("apns-bridge-schema-id") == "7")
        #expect(letter.header("apns-bridge-key-schema-id") == "8")
        harness.engine.setTime(
            Instant(nanoseconds: 1_000_000_000) + .seconds(61), wallClock: EngineHarness.start)
        take("aa02", key: 8, offset: 1, harness)
        #expect(harness.engine.takeSchemaQuestions() == [.id(8)])
    }
}
