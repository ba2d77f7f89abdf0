internal import Configuration
internal import Mapping
internal import Spelling
internal import YAML

/// Reads a test file strictly; reports every problem with its position and what to write instead.
struct TestFileReader {
    /// The contents of a test file.
    struct Parts {
        var now: Int64
        var environment: [String: String]
        var schema: TestSchema?
        var tests: [ConnectorTest]
    }

    let file: String
    let findings: TestFileFindings
    /// What events are, if the file says so.
    var schema: RecordSchema?

    /// Reads the whole file; the result is only valid when no problem was reported.
    func read(_ root: YAMLNode) -> Parts? {
        guard root.entries != nil else {
            let message = root.isNull ? "the file is empty" : "a test file must be a map of keys"
            findings.error(message, "begin with: now: 2026-01-01T10:00:00Z")
            return nil
        }
        check(keys: ["now", "environment", "schema", "tests"], of: root, in: nil)
        var now: Int64 = 0
        if let node = root["now"] {
            now = time(node, "now") ?? 0
        } else {
            findings.error("'now' is missing", "write now: 2026-01-01T10:00:00Z; it sets the clock")
        }
        var reader = self
        reader.schema = schema(root["schema"])
        let schema = root["schema"].flatMap { node in
            reader.schema.map { TestSchema(encoding: $0.encoding, location: node.location) }
        }
        return Parts(
            now: now, environment: environment(root["environment"]), schema: schema,
            tests: reader.tests(root))
    }

    private func tests(_ root: YAMLNode) -> [ConnectorTest] {
        guard let list = root["tests"] else {
            findings.error("'tests' is missing", "write tests: and below it - name: …")
            return []
        }
        guard let elements = list.elements, !elements.isEmpty else {
            findings.error(
                list, "'tests' must be a list of tests", "write - name: and a sentence")
            return []
        }
        let tests = elements.compactMap { test($0) }
        var lines: [String: Int] = [:]
        for test in tests {
            if let line = lines[test.name], let name = test.node["name"] {
                findings.error(
                    name, "duplicate test name: it is already used in line \(line)",
                    "give each test its own name: state what it promises")
            }
            lines[test.name] = lines[test.name] ?? test.line
        }
        return tests
    }

    private func test(_ node: YAMLNode) -> ConnectorTest? {
        guard node.entries != nil else {
            findings.error(node, "a test must be a map of keys", "write - name: and a sentence")
            return nil
        }
        let keys = ["name", "skip", "record", "answers", "expect"]
        guard check(keys: keys, of: node, in: "a test") else { return nil }
        let name = node["name"].flatMap { text($0, "name") }
        if node["name"] == nil {
            findings.error(
                node, "a test without 'name'", "write name: and state what the test promises")
        }
        guard let record = node["record"] else {
            findings.error(
                node, "a test without 'record'", "write record: {value: {…}}: the event")
            return nil
        }
        let skipReason = node["skip"].flatMap {
            text($0, "skip", remedy: "write why it is skipped, or remove 'skip'")
        }
        return ConnectorTest(
            name: name ?? "", skipReason: skipReason, line: node.location.line, node: node,
            record: self.record(record), responses: responses(node["answers"]),
            expectation: expectation(node))
    }

    private func environment(_ node: YAMLNode?) -> [String: String] {
        guard let node, !node.isNull else { return [:] }
        guard let entries = node.entries else {
            findings.error(
                node, "'environment' must be a map of names to strings", "write {NAME: \"text\"}")
            return [:]
        }
        var variables: [String: String] = [:]
        for (name, value) in entries {
            variables[name.text ?? ""] = text(value, name.text ?? "", mayBeEmpty: true)
        }
        return variables
    }
}

/// Helpers for reading every part of a test file.
extension TestFileReader {
    /// The string of a scalar as written; for anything else reports an error and returns nil.
    func text(
        _ node: YAMLNode, _ name: String, mayBeEmpty: Bool = false, remedy: String? = nil
    ) -> String? {
        guard let text = node.text, !node.isNull, mayBeEmpty || !text.isEmpty else {
            let found = node.text == nil ? (node.elements == nil ? "a map" : "a list") : "nothing"
            let general = node.text == nil ? "write one string" : "write one, or remove the key"
            findings.error(node, "'\(name)' must be a string, not \(found)", remedy ?? general)
            return nil
        }
        return text
    }

    /// A time in milliseconds since 1970.
    func time(_ node: YAMLNode, _ name: String) -> Int64? {
        guard let text = node.text, let time = EventTime.milliseconds(text) else {
            findings.error(
                node, "'\(name)' is not a valid time",
                "write a time such as 2026-01-01T10:00:00Z, with an offset or Z")
            return nil
        }
        return time
    }

    /// An integer within a range.
    func integer(_ node: YAMLNode, _ name: String, _ range: ClosedRange<Int>) -> Int? {
        guard let number = node.text.flatMap({ Int($0) }), range.contains(number) else {
            let bound = range.upperBound == .max ? "up" : "to \(range.upperBound)"
            findings.error(
                node, "'\(name)' must be a whole number",
                "write one from \(range.lowerBound) \(bound)")
            return nil
        }
        return number
    }

    /// `true` or `false`.
    func boolean(_ node: YAMLNode, _ name: String) -> Bool? {
        guard case .scalar(let text, .plain) = node.kind, let value = Bool(text) else {
            findings.error(node, "'\(name)' must be true or false", "write true or false")
            return nil
        }
        return value
    }

    /// Reports unknown keys; false when this is not a map.
    @discardableResult
    func check(keys: [String], of node: YAMLNode, in location: String?) -> Bool {
        guard let entries = node.entries else {
            findings.error(
                node, "\(location ?? "the file") must be a map of keys",
                "valid keys: \(keys.joined(separator: ", "))")
            return false
        }
        for (key, _) in entries where !keys.contains(key.text ?? "") {
            let text = key.text ?? ""
            let remedy =
                Suggestion.question(about: text, among: keys)
                ?? "valid keys: \(keys.joined(separator: ", "))"
            findings.error(
                key, "unknown key '\(text)'" + (location.map { " in \($0)" } ?? ""), remedy)
        }
        return true
    }
}
