import Delivery
import Foundation
import Mapping
import Testing

/// The page of the documentation about templates, with its examples.
private enum Guide {
    struct Example: CustomTestStringConvertible, Sendable {
        var line: Int
        var written: String
        var result: String

        var testDescription: String { "line \(line): \(written)" }
    }

    static let lines: [String] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = root.appending(path: "Sources/Bridge/Documentation.docc/Templates.md")
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }()

    static let templates = examples("template")
    static let records = examples("record")
    static let event = block("json").map(\.text).joined(separator: "\n")

    /// The lines of all code blocks of a kind, numbered from 1.
    private static func block(_ kind: String) -> [(line: Int, text: String)] {
        var isInside = false
        var found: [(line: Int, text: String)] = []
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") {
                isInside = line == "```\(kind)"
            } else if isInside {
                found.append((index + 1, line))
            }
        }
        return found
    }

    private static func examples(_ kind: String) -> [Example] {
        block(kind).map { line, text in
            let sides = text.split(separator: " → ", maxSplits: 1)
            let written = sides[0].reversed().drop { $0 == " " }.reversed()
            return Example(
                line: line, written: String(written),
                result: sides.count == 2 ? String(sides[1]) : "no result is written")
        }
    }

    /// The bytes of a text in which `<FF>` means a byte.
    static func bytes(_ text: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while let next = rest.first {
            if let match = rest.prefixMatch(of: /<([0-9A-F]{2})>/) {
                bytes.append(try #require(UInt8(match.1, radix: 16)))
                rest = rest[match.range.upperBound...]
            } else {
                bytes += Array(String(next).utf8)
                rest.removeFirst()
            }
        }
        return bytes
    }

    /// The result of a template for a record, as the page writes it.
    static func outcome(of template: String, for record: TestRecord) -> String {
        let source: MappingSource = [
            "device_token": "ab",
            "payload": ["aps": ["badge": 1], "v": MappingSource(stringLiteral: template)],
        ]
        do {
            let made = try mapped(record, source).notifications[0]
            if let drop = made.drop { return "dropped: \(drop.reason.rawValue)" }
            let value = made.body.dropFirst("{\"aps\":{\"badge\":1}".count).dropLast()
            return value.isEmpty ? "the key is left out" : String(value.dropFirst(",\"v\":".count))
        } catch {
            let first = (error as? Unplanned)?.problems.first { !$0.isWarning }
            return "error: \(first?.message ?? "\(error)")"
        }
    }
}

@Suite struct `The page about templates` {
    @Test func `has examples`() {
        #expect(Guide.templates.count > 80)
        #expect(Guide.records.count >= 20)
    }

    @Test(arguments: Guide.templates)
    fileprivate func `describes the result of each template`(_ example: Guide.Example) {
        let record = TestRecord(json: Guide.event)
        record.key = Array("user-7".utf8)
        record.headers = [("trace", Array("abc".utf8)), ("x.trace", Array("def".utf8))]
        #expect(Guide.outcome(of: example.written, for: record) == example.result)
    }

    @Test(arguments: Guide.records)
    fileprivate func `describes the result of each unusual record`(_ example: Guide.Example) throws
    {
        let record = TestRecord(try Guide.bytes(example.written))
        #expect(Guide.outcome(of: "${a?}", for: record) == example.result)
    }

    @Test(arguments: [
        "upper", "lower", "trim", "truncate", "nonempty", "text", "number", "fixed", "shift",
        "date", "join", "length", "json", "parse", "hex", "map",
        "default", "language",
    ])
    func `shows every transform`(_ name: String) {
        #expect(Guide.templates.contains { $0.written.contains("| \(name)") })
        #expect(Guide.lines.contains { $0.hasPrefix("| ") && $0.contains("`\(name)") })
    }
}
