import Configuration
import ConnectorTesting
import Delivery
import TLS
import Testing

@Suite struct `Where a rendered push would go` {
    private func rendered(_ app: String) throws -> RenderedRecord {
        let key = String(decoding: try SigningKey.generate().privateKeyPEM, as: UTF8.self)
        let file = """
            source: {topics: [shop.orders], group: apns-orders}
            kafka: {bootstrap.servers: "localhost:9092"}
            apns:
              key: "${env:KEY}"
              key_id: ABC123DEFG
              team_id: DEF123GHIJ
              app: ${app}
              apps:
                shop: {bundle_id: com.example.shop, environment: production}
                beta: {bundle_id: com.example.shop, environment: sandbox}
            notification: {device_token: ab, ttl: 4h, payload: {aps: {badge: 1}}}
            results: {outcomes: o, unregistered: u, dead_letter: d}
            """
        let loaded = ConnectorFile.load(
            bytes: Array(file.utf8), path: "orders.yaml", environment: ["KEY": key])
        let connector = try #require(loaded.connector, "\(loaded.diagnostics)")
        var renderer = RecordRenderer(
            plan: connector.plan, group: "g", targets: RenderedTarget.all(of: connector))
        let record = Record.owning(
            assignment: AssignmentID(0),
            topicPartition: TopicPartition(topic: "shop.orders", partition: 0), offset: 0,
            timestamp: 1_767_261_600_000, value: Array(#"{"app":"\#(app)"}"#.utf8))
        return renderer.render(record, now: 1_767_261_600_000)
    }

    @Test(arguments: [
        ("shop", "production", "api.push.apple.com:443"),
        ("beta", "development", "api.sandbox.push.apple.com:443"),
    ])
    func `stands in the text and in the JSON`(
        _ app: String, _ environment: String, _ host: String
    ) throws {
        let rendered = try rendered(app)
        let line = "apns-topic: com.example.shop        app \(app), \(environment), \(host)"
        #expect(rendered.text(now: 0).split(separator: "\n").contains(Substring(line)))
        let json = String(decoding: rendered.json(), as: UTF8.self)
        #expect(
            json.contains(
                #""index":0,"app":"\#(app)","environment":"\#(environment)","host":"\#(host)""#),
            "\(json)")
    }

    @Test func `is not claimed for an unknown app`() throws {
        let json = String(decoding: try rendered("other").json(), as: UTF8.self)
        #expect(json.contains(#""index":0,"verdict":"dropped""#), "\(json)")
    }
}
