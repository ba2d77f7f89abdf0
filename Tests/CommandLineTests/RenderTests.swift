import Delivery
import Foundation
import Kafka
import Testing

@Suite final class `Render` {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write(connector, to: "orders.yaml")
        try write(#"{"type":"order.shipped","token":"00FF","order":{"id":7741}}"#, to: "event.json")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private func render(_ arguments: String...) throws -> Program.Ending {
        try Program.run(Program.path, ["render"] + arguments, in: folder)
    }

    /// Needs variables and a key file that do not exist.
    private let connector = """
        source: {topics: [shop.orders, shop.returns], group: apns-orders}
        kafka: {bootstrap.servers: "${env:NO_SUCH_KAFKA}"}
        apns:
          environment: production
          key: ${file:no/AuthKey.p8}
          key_id: ${env:NO_SUCH_KEY_ID}
          team_id: DEF123GHIJ
          bundle_id: com.example.shop
        results: {outcomes: apns.outcomes, unregistered: apns.gone, dead_letter: apns.dead}
        when: {type: [order.shipped]}
        notification:
          device_token: ${token}
          collapse_id: ${@topic}-${@partition}-${@offset}
          ttl: 4h
          payload:
            aps: {alert: {title: "Order ${order.id} of ${@key ?? "nobody"}"}}
            trace: ${@headers.trace?}
            at: ${@timestamp}

        """.replacing("\"nobody\"", with: "'nobody'")

    @Test func `needs the name of a topic for an offset if the connector has only patterns`() throws
    {
        try write(
            connector.replacing("[shop.orders, shop.returns]", with: #"['^shop\..*', ^pay]"#),
            to: "orders.yaml")
        let refused = try render("orders.yaml", "event.json", "--offset", "4")
        #expect(refused.code == 64)
        #expect(
            refused.errors.contains(
                "error: --offset needs a topic, and 'source.topics' names none\n  add --topic with"
                    + #" the name of one that matches ^shop\..* or ^pay"#), "\(refused)")
        let first = try render("orders.yaml", "event.json")
        #expect(first.code == 0 && first.output.contains("--0-0"), "\(first)")
        let named = try render("orders.yaml", "event.json", "--offset", "4", "--topic", "shop.a")
        #expect(named.code == 0 && named.output.contains("shop.a-0-4"), "\(named)")
    }

    @Test func `shows no control characters of events and files, in JSON either`() throws {
        let text = "\u{9B}2J\u{202E}x"
        try write(
            #"{"type":"order.shipped","token":"00FF","order":{"id":"\#(text)"}}"#, to: "event.json")
        let json = try render("orders.yaml", "event.json", "--format", "json")
        #expect(json.code == 0 && json.output.contains(#"\u009b2J\u202ex"#), "\(json.output)")
        let plain = try render("orders.yaml", "event.json")
        try write(
            connector.replacing("  ttl: 4h", with: #"  "tt\x9b2J\u202E": 4h"#), to: "bad.yaml")
        let lint = try Program.run(
            Program.path, ["lint", "--format", "json", "bad.yaml"], in: folder)
        #expect(lint.output.contains(#"tt\u009b2J\u202e"#), "\(lint.output)")
        for output in [json.output, plain.output, lint.output] {
            #expect(!output.unicodeScalars.contains { ["\u{9B}", "\u{202E}"].contains($0) })
        }
    }

    @Test func `shows the request, and needs neither variables nor key files`() throws {
        let ending = try render("orders.yaml", "event.json", "--now", "2026-01-01T10:00:00Z")
        #expect(ending.code == 0)
        #expect(ending.errors.isEmpty)
        let lines = ending.output.split(separator: "\n", omittingEmptySubsequences: false)
        let expected = [
            "POST /3/device/00ff",
            "apns-topic: com.example.shop        production, api.push.apple.com:443",
            "apns-push-type: alert",
            "apns-priority: 10                   default for alert",
            "apns-expiration: 1767276000         2026-01-01T14:00:00Z, ttl 4h from event_time, "
                + "in 4 h",
            "apns-collapse-id: shop.orders-0-0   15 of 64 bytes",
        ]
        #expect(lines.prefix(6).map(String.init) == expected)
        #expect(
            lines.dropFirst(7).joined(separator: "\n") == """

                {"aps": {"alert": {"title": "Order 7741 of nobody"}}, "at": 1767261600000}

                69 of 4096 bytes. Would send 1 notification.

                """)
    }

    @Test func `takes the record's key, headers, time and position from its options`() throws {
        let ending = try render(
            "orders.yaml", "event.json", "--key", "Ana", "--header", "trace=a=b", "--header",
            "other=", "--timestamp", "1767261600", "--now", "1767261600500", "--topic",
            "shop.returns", "--partition", "3", "--offset=41")
        #expect(ending.output.contains("\napns-collapse-id: shop.returns-3-41  17 of 64 bytes\n"))
        #expect(
            ending.output.contains(
                """
                {"aps": {"alert": {"title": "Order 7741 of Ana"}},
                 "trace": "a=b",
                 "at": 1767261600000}
                """))
    }

    @Test func `reads standard input`() throws {
        let ending = try Program.run(
            "/bin/sh",
            ["-c", "'\(Program.path)' render orders.yaml - --format json < event.json"],
            in: folder)
        #expect(ending.code == 0)
        let parsed = try JSONSerialization.jsonObject(with: Data(ending.output.utf8))
        #expect((parsed as? [String: Any])?["filtered"] as? Bool == false)
    }

    @Test(arguments: [
        (#"{"type":"order.created"}"#, Int32(0), "skipped: 'when' did not match\n"),
        (#"{"type":"order.shipped","token":"00FF"}"#, 1, "dropped: missing_field\n"),
        ("{", 65, "dropped: unparsable\n"), ("", 65, "dropped: unparsable\n"),
    ])
    func `exits with a code for each verdict`(event: String, code: Int32, line: String) throws {
        try write(event, to: "event.json")
        let ending = try render("orders.yaml", "event.json")
        #expect(ending.code == code)
        #expect(ending.output.hasPrefix(line))
        #expect(ending.output.hasSuffix("\nWould send nothing.\n"))
    }

    @Test func `shows what the event has if a field is missing`() throws {
        try write(#"{"type":"order.shipped","token":"aa","order":{"number":7}}"#, to: "event.json")
        #expect(
            try render("orders.yaml", "event.json").output == """
                dropped: missing_field
                orders.yaml:16:33: ${order.id} is absent
                the event has order.number
                give it a default: ${order.id ?? "…"}

                Would send nothing.

                """)
    }

    @Test func `reports what is wrong with the connector`() throws {
        try write(connector + "wrokers: 2\n", to: "orders.yaml")
        let ending = try render("orders.yaml", "event.json")
        #expect(ending.code == 78)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.hasPrefix("orders.yaml:19:1: error: unknown key 'wrokers'\n"))
    }

    @Test func `rejects a key file without a key`() throws {
        try FileManager.default.createDirectory(
            at: folder.appending(path: "no"), withIntermediateDirectories: true)
        try write("garbage", to: "no/AuthKey.p8")
        let ending = try render("orders.yaml", "event.json")
        #expect(ending.code == 78)
        #expect(ending.errors.contains("error: 'key' is not a PEM key"))
    }

    @Test func `reports files that do not exist`() throws {
        let connector = try render("none.yaml", "event.json")
        #expect(connector.code == 66)
        #expect(connector.errors.hasPrefix("none.yaml: error: "))
        let event = try render("orders.yaml", "none.json")
        #expect(event.code == 66)
        #expect(event.errors == "error: none.json cannot be read: no such file or directory\n")
    }

    @Test(arguments: [
        (["orders.yaml"], "error: no event"),
        (["orders.yaml", "event.json", "--header", "x"], "error: --header: 'x' is not a header"),
        (["orders.yaml", "event.json", "--now", "noon"], "error: --now: 'noon' is not a time"),
    ])
    func `rejects options that it cannot parse`(arguments: [String], message: String) throws {
        let ending = try Program.run(Program.path, ["render"] + arguments, in: folder)
        #expect(ending.code == 64)
        #expect(ending.errors.hasPrefix(message))
    }

    @Test func `needs what the kafka block names if it reads from Kafka`() throws {
        let ending = try render("orders.yaml", "--topic", "shop.orders")
        #expect(ending.code == 78)
        #expect(ending.errors.contains("the environment variable 'NO_SUCH_KAFKA' is not set"))
    }

    @Test func `reads one record from Kafka without joining the group`() throws {
        let cluster = try EmbeddedCluster()
        try cluster.createTopic("shop.returns", partitions: 2)
        let properties: KafkaProperties = ["bootstrap.servers": cluster.bootstrapServers]
        let event = try Data(contentsOf: folder.appending(path: "event.json"))
        var writer = try RecordWriter(properties: properties)
        for value in [Array("{}".utf8), Array(event)] {
            try writer.write(
                "shop.returns", key: Array("Ana".utf8), value: value, partition: 1)
        }
        try writer.flush()
        try write(
            connector.replacing("${env:NO_SUCH_KAFKA}", with: cluster.bootstrapServers),
            to: "orders.yaml")
        let call = ["render", "orders.yaml", "--topic", "shop.returns", "--partition"]
        let ending = try Program.run(Program.path, call + ["1", "--offset", "1"], in: folder)
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.output.contains("apns-collapse-id: shop.returns-1-1 "))
        #expect(ending.output.contains("Order 7741 of Ana"))
        let past = try Program.run(Program.path, call + ["1", "--offset", "9"], in: folder)
        #expect(past.code == 66)
        #expect(
            past.errors == "error: read shop.returns/1 at offset 9: "
                + "the partition holds offsets 0 to 1\n")
        let none = try Program.run(Program.path, call + ["7"], in: folder)
        #expect(none.code == 66)
        #expect(
            none.errors == "error: read shop.returns/7: the topic has the partitions 0 to 1\n")
    }

    @Test func `reports that Kafka does not respond`() throws {
        let peer = try WrongPeer(.refuses)
        try write(
            connector.replacing("${env:NO_SUCH_KAFKA}", with: "127.0.0.1:\(peer.port)"),
            to: "orders.yaml")
        let ending = try render("orders.yaml", "--topic", "shop.orders")
        #expect(ending.code == 69)
        #expect(ending.errors.contains("Connection refused"))
    }

    @Test func `shows what a connector reads of an event by its schema`() throws {
        let avro = connector.replacing("source: {", with: "source: {format: avro, ")
        try write(
            avro + "schema_registry: {url: [\"http://localhost:8081\"]}\n", to: "avro.yaml")
        try write(
            """
            {"type": "record", "name": "E", "fields": [
             {"name": "type", "type": "string"}, {"name": "token", "type": "string"},
             {"name": "order", "type": {"type": "record", "name": "O", "fields": [
              {"name": "id", "type":
               {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}}]}}]}
            """, to: "order.avsc")
        let shown = try render("avro.yaml", "event.json", "--schema", "order.avsc")
        #expect(shown.code == 0 && shown.output.contains("Order 7741.00 of"), "\(shown)")
        try write(#"{"type":"order.shipped","token":7}"#, to: "other.json")
        let other = try render("avro.yaml", "other.json", "--schema", "order.avsc")
        #expect(other.code == 65)
        #expect(
            other.errors.contains("does not fit the schema: 'token': expected a string, not 7"))
        #expect(try render("orders.yaml", "event.json", "--schema", "order.avsc").code == 78)
        #expect(try render("avro.yaml", "--topic", "a", "--schema", "order.avsc").code == 64)
    }
}
