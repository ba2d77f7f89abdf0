import BridgeSamples
import Configuration
import ConnectorTesting
import Delivery
import Foundation
import TLS
import Testing

/// The article says what `render` prints; here `render` prints it.
@Suite struct `The article about the fields of a notification` {
    /// A connector, an event and what happens to it.
    private struct Example {
        var connector: String
        var event: String
        var output: String
    }

    private static let path = URL(filePath: #filePath)
        .appending(path: "../../../../Sources/Bridge/Documentation.docc/Notifications.md")
        .standardizedFileURL

    private func examples() throws -> [Example] {
        let text = try String(contentsOf: Self.path, encoding: .utf8)
        var examples: [Example] = []
        var (connector, event) = ("", "")
        for part in text.components(separatedBy: "\n```").dropFirst() {
            guard let end = part.firstIndex(of: "\n") else { continue }
            let content = String(part[part.index(after: end)...])
            switch part[..<end] {
            case "yaml": connector = content
            case "json": event = content
            case "text":
                examples.append(Example(connector: connector, event: event, output: content))
            default: continue
            }
        }
        return examples
    }

    /// A whole connector file around what an example shows.
    private func connector(_ part: String) throws -> Connector {
        // What an example sets in `source` stands in its first line.
        let match = part.prefixMatch(of: /source: {(.*)}\n/)
        let rest = part.dropFirst(match?.0.count ?? 0)
        let file = """
            source: {topics: [shop.orders], group: g\(match.map { ", \($0.1)" } ?? "")}
            kafka: {bootstrap.servers: localhost:9092}
            apns: {environment: production, key: "${env:KEY}", key_id: ABC123DEFG,
                   team_id: DEF123GHIJ, bundle_id: com.example.shop}
            results: {outcomes: o, unregistered: u, dead_letter: d}

            """
        let key = try SigningKey.generate().privateKeyPEM
        let result = ConnectorFile.load(
            bytes: Array((file + rest).utf8), path: "connectors/example.yaml",
            environment: ["KEY": String(decoding: key, as: UTF8.self)])
        #expect(result.diagnostics.allSatisfy { $0.severity == .warning }, "\(part)")
        return try #require(result.connector, "\(part)\n\(result.diagnostics)")
    }

    @Test func `shows what render prints`() throws {
        let examples = try examples()
        #expect(examples.count == 16)
        for example in examples {
            var renderer = RecordRenderer(
                plan: try connector(example.connector).plan, group: "g")
            let now: Int64 = 1_767_261_600_000
            let record = Record.owning(
                assignment: AssignmentID(0),
                topicPartition: TopicPartition(topic: "shop.orders", partition: 0), offset: 0,
                timestamp: now, value: Array(example.event.utf8))
            let output = renderer.render(record, now: now).text(now: now)
            #expect(output == example.output + "\n")
        }
    }
}
