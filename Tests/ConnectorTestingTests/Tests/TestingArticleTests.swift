import Configuration
import Foundation
import Testing

@testable import ConnectorTesting

/// The article says what `test` reads and prints; here `test` does so.
@Suite struct `The article about testing connectors` {
    private static let path = URL(filePath: #filePath)
        .appending(path: "../../../../Sources/Bridge/Documentation.docc/TestingConnectors.md")
        .standardizedFileURL

    /// The contents of the article's blocks, in order.
    private func blocks() throws -> [String] {
        let text = try String(contentsOf: Self.path, encoding: .utf8)
        let parts = text.components(separatedBy: "\n```")
        return stride(from: 1, to: parts.count, by: 2).map { index in
            String(parts[index].drop { $0 != "\n" }.dropFirst()) + "\n"
        }
    }

    private static let connector = ConnectorTestHarness.connector
        .replacing("${token}", with: "${customer.device.token}")
        .replacing("${id}", with: "${order.id}")
        .replacing(#"${name ?? \"there\"}"#, with: "${customer.name ?? 'there'}")
        .replacing("[shipped]", with: "[order.shipped]")

    @Test func `has a first test, which fails as described`() throws {
        let blocks = try blocks()
        let connector = Self.connector
        let first = try #require(blocks.first)
        let results = try ConnectorTestHarness.run(first, connector: connector)
        let file = try #require(ConnectorTestHarness.load(first).file)
        let updated = String(decoding: file.updated(with: results), as: UTF8.self)
        #expect(
            try ConnectorTestHarness.run(updated, connector: connector).first?.ending == .passed)

        let other = updated.replacing("name: Ana", with: "called: Ana")
        let failed = try #require(try ConnectorTestHarness.run(other, connector: connector).first)
        let mismatch = try #require(failed.mismatches.first)
        #expect(blocks[2].contains(mismatch.headline))
        let because = "because ${customer.name ?? 'there'} found no customer.name"
        #expect(mismatch.details == ["- \"Hi Ana\"", "+ \"Hi there\"", because])
        #expect(blocks[2].contains(mismatch.details[..<2].joined(separator: "\n      ")))
    }

    @Test func `shows valid responses`() throws {
        let responses = try #require(try blocks().first { $0.hasPrefix("    answers:") })
        let text = "now: 2026-01-01T10:00:00Z\ntests:\n  - name: a\n    record: {value: null}\n"
        let loaded = ConnectorTestHarness.load(text + responses)
        #expect(loaded.diagnostics == [])
        #expect(loaded.file?.tests.first?.responses.map(\.count) == [1, 2, 1])
    }
}
