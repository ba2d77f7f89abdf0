import Configuration
import Foundation
import Testing
import YAML

/// The rows of a reference page, derived from a JSON Schema and so from the table of the loader.
private struct KeyRows {
    /// Key, type, default, example and meaning.
    private(set) var rows: [[String]] = []

    init(schema: String) throws {
        let root = try YAMLDocument.parse(schema, file: "schema.json")
        add(root, path: "")
    }

    private mutating func add(_ block: YAMLNode, path: String) {
        let required = (block["required"]?.elements ?? []).compactMap(\.text)
        for (key, value) in block["properties"]?.entries ?? [] {
            let name = key.text ?? ""
            let path = path.isEmpty ? name : "\(path).\(name)"
            let standard = value["default"].map { "`\(Self.written($0))`" }
            let example = value["examples"]?.elements?.first.map { "`\(Self.written($0))`" }
            rows.append([
                "`\(path)`", Self.type(of: value) ?? "any",
                standard ?? (required.contains(name) ? "required" : ""), example ?? "",
                value["description"]?.text ?? "",
            ])
            // A policy at the top level has the keys of that in a notification.
            if path != "policy" { add(value, path: path) }
        }
    }

    /// A value as in a connector file.
    private static func written(_ node: YAMLNode) -> String {
        switch node.kind {
        case .sequence(let elements): "[\(elements.map(written).joined(separator: ", "))]"
        case .mapping(let entries):
            "{" + entries.map { "\($0.key.text ?? ""): \(written($0.value))" }
                .joined(separator: ", ") + "}"
        case .scalar(let text, _): text.contains("${") ? "\"\(text)\"" : text
        }
    }

    /// The type in words; nil for references to variables, which are allowed everywhere.
    private static func type(of node: YAMLNode) -> String? {
        if let values = node["enum"]?.elements {
            return values.map { "`\($0.text ?? "")`" }.joined(separator: ", ")
        }
        if let choices = node["anyOf"]?.elements, node["type"] == nil {
            let types = choices.compactMap(type)
            return types.contains("a size") ? "a size" : types.joined(separator: ", or ")
        }
        guard let type = node["type"] else { return nil }
        if type.elements != nil { return "a string" }
        let pattern = node["pattern"]?.text ?? ""
        switch type.text {
        case "string" where pattern.hasPrefix("\\$"): return "a template"
        case "string" where pattern.contains("ms)"): return "a duration"
        case "string" where pattern.contains("/("): return "a rate"
        case "string" where pattern.contains("iB"): return "a size"
        case "string": return "a string"
        case "number" where node["minimum"] == nil: return "a number"
        case "integer", "number":
            return "\(node["minimum"]?.text ?? "") to \(node["maximum"]?.text ?? "")"
        case "boolean": return "`true`, `false`"
        case "array": return "a list"
        default: return "a map"
        }
    }
}

@Suite struct `The article about keys` {
    /// The rows of the table below a heading.
    private func rows(below heading: String) throws -> [[String]] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Bridge/Documentation.docc/ConnectorKeys.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex(of: "## \(heading)"[...]))
        let section = lines[(start + 1)...].prefix { !$0.hasPrefix("## ") }
        return section.filter { $0.hasPrefix("| `") }.map { line in
            line.dropFirst(2).dropLast(2).components(separatedBy: " | ")
        }
    }

    @Test(arguments: ["Connector files", "bridge.yaml"])
    func `has a row for each key, with what the loader accepts`(heading: String) throws {
        let isProcess = heading == "bridge.yaml"
        let expected = try KeyRows(
            schema: isProcess ? ConnectorSchema.jsonOfProcessSettings() : ConnectorSchema.json()
        ).rows
        let found = try rows(below: heading)
        let paste = expected.map { "| \($0.joined(separator: " | ")) | |" }
        #expect(
            found.map { Array($0.prefix(5)) } == expected,
            "the rows are, with a last column of your own:\n\(paste.joined(separator: "\n"))")
        for row in found {
            #expect(row.count == 6 && row.last?.hasSuffix(".") == true, "\(row[0]): when to change")
        }
    }
}
