import Configuration
import Foundation
import Testing

@testable import ConnectorTesting

@Suite final class `A test file with a schema` {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write(
            """
            {"type": "record", "name": "Order", "fields": [
             {"name": "token", "type": "string"},
             {"name": "total", "type":
              {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
             {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}}]}
            """, to: "order.avsc")
        try write(
            """
            syntax = "proto3";
            message Order { string token = 1; int64 total = 2; int64 at = 3; }
            """, to: "order.proto")
        try write(connector(format: "avro"), to: "a.yaml")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private func connector(format: String) -> String {
        """
        source: {topics: [a], group: g, format: \(format)}
        schema_registry: {url: ["http://localhost:8081"]}
        kafka: {bootstrap.servers: "k:9092"}
        apns: {environment: production, key: "${file:k.p8}", key_id: ABC123DEFG,
               team_id: DEF123GHIJ, bundle_id: com.example.shop}
        results: {outcomes: o, unregistered: u, dead_letter: d}
        notification:
          device_token: ${token}
          ttl: 1h
          payload: {aps: {alert: "${total} at ${at}"}}
        """
    }

    /// The suite of a test file whose record has a value.
    private func suite(_ value: String, schema: String, alert: String = "") throws
        -> ConnectorTestSuite
    {
        try write(
            """
            now: 2026-01-01T10:00:00Z
            schema: \(schema)
            tests:
              - name: a
                record: {\(value)}
                expect: {requests: [{payload: {aps: {alert: "\(alert)"}}}]}
            """, to: "a.test.yaml")
        return ConnectorTestSuite.run(connector: folder.appending(path: "a.yaml").path)
    }

    private func problem(_ value: String, schema: String) throws -> String {
        let suite = try suite(value, schema: schema)
        let found = suite.diagnostics.first
        return found.map { "\($0.line):\($0.column): \($0.message)" } ?? "no problem"
    }

    @Test func `refuses an event that does not fit it`() throws {
        #expect(
            try problem("value: {token: aa, total: 1.255, at: 0}", schema: "order.avsc")
                == "5:21: the event does not fit the schema: 'total': expected a number with at"
                + " most 2 decimals, not 1.255")
    }

    @Test func `names a schema that cannot be used`() throws {
        let event = "value: {token: aa, total: 1, at: 0}"
        #expect(try problem(event, schema: "gone.avsc").hasSuffix("no such file or directory"))
        #expect(try problem(event, schema: "[]") == "2:9: 'schema' has no file")
        try write("{\n  x", to: "broken.avsc")
        #expect(try problem(event, schema: "broken.avsc").contains("/broken.avsc:2:3: it is not a"))
        #expect(
            try problem(event, schema: "order.proto")
                == "2:9: a schema in Protobuf does not fit the connector's 'format: avro'")
    }

    @Test func `names both formats where they differ, even if no event fits the schema`() throws {
        #expect(
            try problem("value: {tokn: aa}", schema: "order.proto")
                == "2:9: a schema in Protobuf does not fit the connector's 'format: avro'")
        try write(
            connector(format: "json").replacing(/schema_registry.*\n/, with: ""), to: "a.yaml")
        #expect(
            try problem("value: {tokn: aa}", schema: "order.avsc")
                == "2:9: a schema in Avro does not fit the connector's 'format: json'")
    }

    @Test func `shows the connector what it reads of such a record`() throws {
        let suite = try suite(
            "value: {token: aa, total: 12.5, at: 1767225600000}", schema: "order.avsc",
            alert: "12.50 at 2026-01-01T00:00:00.000Z")
        #expect(suite.diagnostics == [] && suite.passedCount == 1, "\(suite.results)")
    }

    @Test func `may be in Protobuf`() throws {
        try write(connector(format: "protobuf"), to: "a.yaml")
        let suite = try suite("value: {token: aa}", schema: "[order.proto]", alert: "0 at 0")
        #expect(suite.diagnostics == [] && suite.passedCount == 1, "\(suite.results)")
        #expect(
            try problem("value: {tokn: aa}", schema: "order.proto")
                == "5:21: the event does not fit the schema: the message Order has no field 'tokn';"
                + " its fields are token, total, at")
        #expect(
            try problem("value: {token: aa, total: 1.5}", schema: "order.proto")
                == "5:21: the event does not fit the schema: 'total': expected a whole number of 64"
                + " bits, not 1.5")
    }

    @Test func `leaves other texts as they are`() throws {
        let text = #"value_text: '{"token": "aa", "total": "x", "at": 1}'"#
        #expect(try suite(text, schema: "order.avsc", alert: "x at 1").passedCount == 1)
    }
}
