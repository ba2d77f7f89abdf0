import Configuration
import Delivery
import Foundation
import Mapping
import Testing

/// A pattern of the article with the events that it matches and does not match.
private struct PatternExample: CustomTestStringConvertible {
    var pattern: String
    var event: String
    var isMatch: Bool
    var testDescription: String { "\(pattern): \(event)" }

    /// All examples of the article, in its order.
    static func all() throws -> [PatternExample] {
        let path = "../../../Sources/Bridge/Documentation.docc/Patterns.md"
        let text = try String(
            contentsOf: URL(filePath: #filePath).appending(path: path).standardizedFileURL,
            encoding: .utf8)
        var examples: [PatternExample] = []
        var pattern = ""
        // Every other piece is between two fences.
        for (index, block) in text.components(separatedBy: "```").enumerated() {
            if index.isMultiple(of: 2) { continue }
            if block.hasPrefix("yaml\n") {
                pattern = String(block.dropFirst(5))
                continue
            }
            for line in block.split(separator: "\n") {
                let isMatch = line.hasPrefix("matches ")
                let message = isMatch ? "matches" : "does not match"
                try #require(line.hasPrefix(message), "\(line)")
                examples.append(
                    PatternExample(
                        pattern: pattern,
                        event: line.dropFirst(message.count).trimmingCharacters(in: .whitespaces),
                        isMatch: isMatch))
            }
        }
        return examples
    }
}

@Suite struct `The article about choosing events` {
    @Test func `shows examples of every operator`() throws {
        let examples = try PatternExample.all()
        #expect(examples.count > 40)
        for name in [
            "prefix", "suffix", "equals-ignore-case", "wildcard", "numeric", "exists", "cidr",
            "anything-but", "version", "$or", "@topic", "@key", "@headers", "@partition", "@ce",
            "@value",
        ] {
            #expect(examples.contains { $0.pattern.contains(name) }, "\(name)")
        }
    }

    @Test(arguments: try PatternExample.all())
    private func `states what the patterns match`(example: PatternExample) throws {
        let isCloudEvent = example.pattern.contains("@ce")
        let result = try Example.load(
            isCloudEvent ? ["  group": "  group: apns-orders\n  format: cloudevents"] : [:],
            adding: example.pattern)
        let connector = try #require(
            result.connector, "\(result.diagnostics.map(\.description))")
        #expect(result.diagnostics.isEmpty)
        var mapper = Mapper(plan: connector.plan)
        var mapped = MappedRecord()
        let record = Record.owning(
            assignment: AssignmentID(0),
            topicPartition: TopicPartition(topic: "shop.orders", partition: 3), offset: 42,
            timestamp: nil, key: Array("user-1".utf8), value: Array(example.event.utf8))
        mapper.map(record, now: 0, into: &mapped)
        #expect(mapped.isSkipped != example.isMatch)
    }
}
