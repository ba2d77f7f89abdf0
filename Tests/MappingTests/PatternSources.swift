import Delivery
import JSON
import Mapping

/// Why a string in a test is not a pattern.
struct NoPattern: Error { var problems: [MappingProblem] = [] }

extension MappingSource {
    /// A part of a connector file that is written as JSON; strings are in quotation marks.
    init(json: String) throws {
        let bytes = Array(json.utf8)
        var tape = JSONTape()
        do { try tape.read(bytes) } catch { throw NoPattern() }
        self = try Self.read(0, tape, bytes)
    }

    private static func read(
        _ node: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8]
    ) throws -> MappingSource {
        let location = MappingLocation(line: 1, column: Int(tape[node].start) + 1)
        let children = tape.children(of: node)
        switch tape[node].kind {
        case .array:
            var elements: [MappingSource] = []
            var child = children.first
            while child < children.end {
                elements.append(try read(child, tape, bytes))
                child = tape.next(after: child)
            }
            return .list(elements, location: location)
        case .object:
            var members: [MappingMember] = []
            var child = children.first
            while child < children.end {
                guard let key = tape.text(of: child, in: bytes) else { throw NoPattern() }
                members.append(
                    MappingMember(
                        key: key,
                        keyLocation: MappingLocation(line: 1, column: Int(tape[child].start)),
                        value: try read(child + 1, tape, bytes)))
                child = tape.next(after: child + 1)
            }
            return .map(members, location: location)
        case .string:
            let text = tape.text(of: node, in: bytes) ?? ""
            let column = location.column - 1
            return .scalar(
                text: text, style: .quoted, location: MappingLocation(line: 1, column: column),
                end: MappingLocation(line: 1, column: column + text.unicodeScalars.count + 2))
        default:
            var token: [UInt8] = []
            token.appendJSON(of: node, on: tape, in: bytes)
            return .scalar(
                text: String(decoding: token, as: UTF8.self), style: .plain, location: location)
        }
    }
}

/// The record that the patterns of tests are matched with: its value is `event`.
func patternRecord(_ event: String) -> TestRecord {
    let record = TestRecord(json: event)
    record.key = Array("user-1".utf8)
    record.headers = [("x", Array("1".utf8)), ("raw", [0xFF])]
    return record
}

/// True when an event matches a `when`, both written as JSON.
func matches(_ when: String, _ event: String) throws -> Bool {
    try matches(when, patternRecord(event))
}

func matches(_ when: String, _ record: TestRecord) throws -> Bool {
    !(try mapped(record, minimal, when: MappingSource(json: when)).isSkipped)
}

/// The problems of a `when` that is written as JSON.
func patternProblems(_ when: String) throws -> [MappingProblem] {
    problems(minimal, when: try MappingSource(json: when))
}
