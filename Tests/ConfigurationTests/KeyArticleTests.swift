import FoundationEssentials
import Testing

@testable import Configuration

@Suite struct `The article about the keys of a connector file` {
    private static let file = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/Bridge/Documentation.docc/ConnectorKeys.md")

    /// A section for each block of the file, with a row for each key below it.
    static let tables: String = {
        let blocks = ConnectorKey.root.filter { !$0.keys.isEmpty }
        let others = ConnectorKey.root.filter(\.keys.isEmpty)
        let sections =
            [("The top level", rows(others, in: ""))]
            + blocks.map { ("\($0.name)", rows($0.keys, in: "\($0.name).")) }
        return sections.map { title, rows in
            "### \(title)\n\n| key | value | default | example | meaning |\n|---|---|---|---|---|\n"
                + rows.joined()
        }.joined(separator: "\n")
    }()

    private static func rows(_ keys: [ConnectorKey], in path: String) -> [String] {
        keys.flatMap { key in
            let standard =
                key.isRequired && key.substitutes.isEmpty
                ? "required" : key.standard.map { "`\($0)`" } ?? ""
            let row =
                "| `\(path)\(key.name)` | \(key.expectation) | \(standard) "
                + "| \(key.example.map { "`\($0)`" } ?? "") | \(key.summary) |\n"
            return [row] + rows(key.keys, in: "\(path)\(key.name).")
        }
    }

    @Test func `has every key of the table that the loader uses`() throws {
        let text = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self)
        #expect(text.contains(Self.tables), "write this:\n\(Self.tables)")
    }
}
