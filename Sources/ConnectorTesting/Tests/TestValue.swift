internal import JSON
internal import Mapping
internal import YAML

/// A JSON value as a tree, with its line number: expected or actual.
///
/// Numbers are tokens, so that `1` and `1.0` differ. If two members of a map have the same name,
/// the last one counts.
struct TestValue: Sendable {
    /// The kind of value.
    indirect enum Kind: Sendable {
        case null
        case boolean(Bool)
        case number(String)
        case text(String)
        case list([TestValue])
        case map([Member])
    }

    /// A member of a map.
    struct Member: Sendable {
        var name: String
        var value: TestValue
    }

    var kind: Kind
    /// The line in the test file, from 1; 0 for a value from elsewhere.
    var line = 0

    init(_ kind: Kind, line: Int = 0) {
        self.kind = kind
        self.line = line
    }

    /// The value of a member; nil when this is not a map, or does not have it.
    subscript(name: String) -> TestValue? {
        guard case .map(let members) = kind else { return nil }
        return members.last { $0.name == name }?.value
    }

    /// The string of a string value.
    var text: String? { if case .text(let text) = kind { text } else { nil } }

    /// The value as JSON, with members in order.
    var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// The value as JSON on one line.
    var shown: String { String(decoding: json, as: UTF8.self) }

    private func write(to writer: inout JSONWriter) {
        switch kind {
        case .null: writer.null()
        case .boolean(let value): writer.boolean(value)
        case .number(let token): writer.raw(Array(token.utf8))
        case .text(let text): writer.string(text)
        case .list(let elements):
            writer.array(elements) { $0.write(to: &$1) }
        case .map(let members):
            writer.beginObject()
            for member in members {
                writer.name(member.name)
                member.value.write(to: &writer)
            }
            writer.endObject()
        }
    }
}

extension TestValue {
    /// Parses JSON text; nil when it is not valid.
    init?(json bytes: [UInt8]) {
        var tape = JSONTape()
        guard (try? tape.read(bytes)) != nil, tape.count > 0 else { return nil }
        self.init(node: 0, on: tape, in: bytes)
    }

    private init(node index: Int, on tape: borrowing JSONTape, in bytes: [UInt8]) {
        let node = tape[index]
        var token: String {
            String(decoding: bytes[Int(node.start)..<Int(node.end)], as: UTF8.self)
        }
        switch node.kind {
        case .null: self.init(.null)
        case .boolean: self.init(.boolean(token == "true"))
        case .number: self.init(.number(token))
        case .string: self.init(.text(tape.text(of: index, in: bytes) ?? ""))
        case .array:
            var elements: [TestValue] = []
            var (child, end) = tape.children(of: index)
            while child < end {
                elements.append(TestValue(node: child, on: tape, in: bytes))
                child = tape.next(after: child)
            }
            end = child
            self.init(.list(elements))
        case .object:
            var members: [Member] = []
            var (child, end) = tape.children(of: index)
            while child < end {
                let name = tape.text(of: child, in: bytes) ?? ""
                members.removeAll { $0.name == name }
                members.append(
                    Member(name: name, value: TestValue(node: child + 1, on: tape, in: bytes)))
                child = tape.next(after: child + 1)
            }
            end = child
            self.init(.map(members))
        }
    }
}

extension TestValue {
    /// Reads the free-form part of a YAML file by the rules of a payload; reports every scalar that
    /// different readers interpret differently.
    init(_ node: YAMLNode, findings: TestFileFindings?) {
        switch node.kind {
        case .sequence(let elements):
            self.init(
                .list(elements.map { TestValue($0, findings: findings) }), line: node.location.line)
        case .mapping(let entries):
            let members = entries.map { key, value in
                Member(name: key.text ?? "", value: TestValue(value, findings: findings))
            }
            self.init(.map(members), line: node.location.line)
        case .scalar(let text, .plain):
            self.init(Self.plain(text, node, findings), line: node.location.line)
        case .scalar(let text, _):
            self.init(.text(text), line: node.location.line)
        }
    }

    private static func plain(
        _ text: String, _ node: YAMLNode, _ findings: TestFileFindings?
    ) -> Kind {
        switch PlainScalar.read(text) {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .number(let token): return .number(token)
        case .text(let text): return .text(text)
        case .ambiguous(let remedy):
            findings?.error(
                node, "'\(text)' is ambiguous: YAML parsers read it differently", remedy)
            return .null
        }
    }
}
