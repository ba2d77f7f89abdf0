internal import JSON

/// A JSON value that owns its parts, for a matcher that need not be fast.
enum Tree {
    case null
    case boolean(Bool)
    case number(String)
    case text(String)
    case array([Tree])
    case object([TreeMember])

    /// The value of a node.
    init(_ node: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8]) {
        self = Self.read(node, tape, bytes)
    }

    private static func read(_ node: Int, _ tape: borrowing JSONTape, _ bytes: [UInt8]) -> Tree {
        let children = tape.children(of: node)
        var child = children.first
        switch tape[node].kind {
        case .null: return .null
        case .boolean: return .boolean(bytes[Int(tape[node].start)] == UInt8(ascii: "t"))
        case .string: return .text(tape.text(of: node, in: bytes) ?? "")
        case .number:
            var token: [UInt8] = []
            token.appendJSON(of: node, on: tape, in: bytes)
            return .number(String(decoding: token, as: UTF8.self))
        case .array:
            var elements: [Tree] = []
            while child < children.end {
                elements.append(read(child, tape, bytes))
                child = tape.next(after: child)
            }
            return .array(elements)
        case .object:
            var members: [TreeMember] = []
            while child < children.end {
                let name = tape.text(of: child, in: bytes) ?? ""
                members.append(TreeMember(name: name, value: read(child + 1, tape, bytes)))
                child = tape.next(after: child + 1)
            }
            return .object(members)
        }
    }

    /// The last member of a name, compared by its bytes.
    func member(_ name: String) -> Tree? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// Its values other than arrays and objects, without those inside objects.
    var leaves: [Tree] {
        switch self {
        case .array(let elements): elements.flatMap(\.leaves)
        case .object: []
        default: [self]
        }
    }
}

/// A name of an object, and what follows it.
struct TreeMember {
    var name: String
    var value: Tree
}
