internal import JSON
internal import Spelling

/// What paths start from while a connector is checked with the schemas of its events.
struct EventShape {
    let schema: RecordSchema
    /// The nodes of the event: see `source.event`.
    var event: [Int]
    /// Those of an element of the block's list, while it has one and its path leads to one.
    var element: [Int]?
    /// True if the event is known to meet a condition that not all types of events can meet.
    var isNarrowed = false

    var shape: JSONShape { schema.shape }

    init(_ schema: RecordSchema) {
        self.schema = schema
        event = schema.events
    }

    /// Why a path leads to nothing.
    struct Miss: Error {
        /// What is wrong, after the path as it is written.
        var message: String
        var remedy: String
    }

    /// What the value at a path may be.
    enum Found {
        /// One of these nodes.
        case nodes([Int])
        /// A list of all elements' values.
        case list
    }

    /// Follows steps from nodes; `written` is what leads to those.
    func follow(
        _ steps: ArraySlice<Template.Step>, from start: [Int], _ written: String = ""
    ) throws(Miss) -> Found {
        var nodes = start
        var written = written
        var isList = false
        for step in steps {
            let next: [Int]
            switch step {
            case .member(let name):
                next = shape.member(name, of: nodes)
                if next.isEmpty { throw miss(name, of: nodes, written) }
                written += written.isEmpty ? name : ".\(name)"
            case .element, .everyElement:
                next = shape.elements(of: nodes)
                if next.isEmpty {
                    throw Miss(
                        message: "'\(written)' is \(name(of: nodes)) in the schema, not an array",
                        remedy: "write the path of an array, or remove the brackets")
                }
                if case .element(let index) = step {
                    written += "[\(index)]"
                } else {
                    written += "[*]"
                    isList = true
                }
            case .lookUp:
                next = shape.members(of: nodes) + shape.elements(of: nodes)
                if next.isEmpty {
                    throw Miss(
                        message: "'\(written)' is \(name(of: nodes)) in the schema:"
                            + " it has no members",
                        remedy: "write the path of an object or an array")
                }
                written += "[…]"
            }
            nodes = next
        }
        return isList ? .list : .nodes(nodes)
    }

    /// Why no value of some nodes has a member.
    func miss(_ name: String, of nodes: [Int], _ written: String) -> Miss {
        let names = shape.names(of: nodes)
        let kinds = shape.kinds(of: nodes)
        let events = isNarrowed ? "events that match 'when'" : "events"
        let owner = written.isEmpty ? events : "'\(written)'"
        if !kinds.contains(.object), kinds.contains(.array) {
            return Miss(
                message: "\(owner) is an array in the schema: '\(name)' is in its elements",
                remedy: "write \(written)[0].\(name), \(written)[*].\(name) for all of them, or"
                    + " for_each")
        }
        guard kinds.contains(.object) else {
            return Miss(
                message: "\(owner) is \(self.name(of: nodes)) in the schema: it has no members",
                remedy: "remove '.\(name)', or write another path")
        }
        return Miss(
            message: "\(owner) \(written.isEmpty ? "have" : "has") no '\(name)' in the schema",
            remedy: Self.remedy(for: name, among: names))
    }

    /// What to write instead of a name.
    static func remedy(for name: String, among names: [String]) -> String {
        if let question = Suggestion.question(about: name, among: names) { return question }
        var seen: Set<String> = []
        let different = names.filter { seen.insert($0).inserted }
        guard !different.isEmpty else { return "it has no members at all" }
        let shown = different.prefix(12).joined(separator: ", ")
        return "the members are \(shown)" + (different.count > 12 ? ", …" : "")
    }

    /// What values of some nodes are, such as `a string or a number`.
    func name(of nodes: [Int]) -> String { shape.kinds(of: nodes).name }
}

extension JSONShape.Kinds {
    /// Their names, such as `a string or a number`; null only if there is nothing else.
    var name: String {
        let names: [(Self, String)] = [
            (.string, "a string"), (.number, "a number"), (.boolean, "a boolean"),
            (.object, "an object"), (.array, "an array"),
        ]
        let known = names.filter { contains($0.0) }.map(\.1)
        return known.isEmpty ? "always null" : known.joined(separator: " or ")
    }
}
