internal import Encoding
internal import JSON
internal import Spelling

/// A path that leads to no value in an event: what is there, and what may have been meant.
struct MissingValue {
    var steps: [JSONPathStep]
    /// The field being filled.
    let field: String
    /// What precedes the path in templates: the name of an element of `for_each`.
    var lead: [JSONPathStep] = []
    /// False when its last names are values, which nobody has misspelled in the file.
    var suggestsNames = true
    /// What `for_each` calls an element of its list, in whose block the path is.
    var elementName = ""
    /// True for a path that begins in an element of a list without its name.
    var isOfElement = false
    /// True for a field of a canonical event: if its name is misspelled, that is so in the event.
    var isCanonical = false
    /// What precedes the path instead: `@value` for one into the record's whole value.
    var root = ""

    private static let listLimit = 8

    /// Lines of explanation for an event that begins at `root`. With `default`, `??` is suggested
    /// where it makes sense.
    func explanation(
        from root: Int, on tape: borrowing JSONTape, in bytes: RawSpan,
        default offersDefault: Bool
    ) -> [String] {
        var node = root
        var known: [JSONPathStep] = []
        for step in steps {
            guard let next = Self.follow(step, from: node, on: tape, in: bytes) else { break }
            node = next
            known.append(step)
        }
        var lines = [found(at: node, known, on: tape, in: bytes)]
        var meant: [String] = []
        if let path = pathOfElement(known) {
            meant.append("did you mean \(path)?")
        } else if suggestsNames, tape[node].kind == .object, known.count < steps.count,
            case .member(let name) = steps[known.count],
            Self.nearest(to: name, among: Self.names(of: node, on: tape, in: bytes)) != nil
        {
            let path = known + corrected(steps[known.count...], from: node, on: tape, in: bytes)
            meant.append(
                isCanonical
                    ? "rename \(written(path)) to \(written(steps)) in the event"
                    : "did you mean \(written(path))?")
        }
        if offersDefault, !field.hasPrefix("device_token") {
            let path = written(steps)
            let message = path.hasSuffix("name") ? "there" : "…"
            let text = "${\(path) ?? \"\(message)\"}"
            meant.append(meant.isEmpty ? "give it a default: \(text)" : "or \(text)")
        }
        if !meant.isEmpty { lines.append(meant.joined(separator: " ")) }
        return lines
    }

    /// True if the path leads nowhere because of a name that is spelled nearly like one there is.
    func isMisspelled(from root: Int, on tape: borrowing JSONTape, in bytes: RawSpan) -> Bool {
        var node = root
        for step in steps {
            if let next = Self.follow(step, from: node, on: tape, in: bytes) {
                node = next
                continue
            }
            guard case .member(let name) = step, tape[node].kind == .object else { return false }
            let names = Self.names(of: node, on: tape, in: bytes)
            return name.utf8.count >= 3 && Suggestion.nearest(to: name, among: names) != nil
        }
        return false
    }

    /// The same path from an element, if its first name is nearly what elements are called.
    private func pathOfElement(_ known: [JSONPathStep]) -> String? {
        guard known.isEmpty, lead.isEmpty, root.isEmpty, !elementName.isEmpty,
            case .member(let name)? = steps.first, name != elementName,
            Suggestion.nearest(to: name, among: [elementName]) != nil
        else { return nil }
        return Self.text(of: [.member(elementName)] + steps.dropFirst())
    }

    /// The steps that were probably meant, as far as there is something near in the event.
    private func corrected(
        _ steps: ArraySlice<JSONPathStep>, from start: Int, on tape: borrowing JSONTape,
        in bytes: RawSpan
    ) -> [JSONPathStep] {
        var node = start
        var meant: [JSONPathStep] = []
        for (index, step) in zip(steps.indices, steps) {
            var step = step
            if case .member(let name) = step, tape[node].kind == .object,
                tape.member(name, of: node, in: bytes) == nil,
                let near = Self.nearest(
                    to: name, among: Self.names(of: node, on: tape, in: bytes))
            {
                step = .member(near)
            }
            guard let next = Self.follow(step, from: node, on: tape, in: bytes) else {
                return meant + steps[index...]
            }
            node = next
            meant.append(step)
        }
        return meant
    }

    /// Describes what is at the point where the path ends too early.
    private func found(
        at node: Int, _ known: [JSONPathStep], on tape: borrowing JSONTape, in bytes: RawSpan
    ) -> String {
        let path = known
        let written = written(path)
        let subject = written.isEmpty ? "the event" : written
        if known.count == steps.count { return "\(subject) is null, which counts as absent" }
        switch tape[node].kind {
        case .object:
            let names = Self.names(of: node, on: tape, in: bytes)
            guard !names.isEmpty else { return "\(subject) is an empty object" }
            var shown = names.prefix(Self.listLimit).map {
                self.written(path + [.member($0)])
            }.joined(separator: ", ")
            if names.count > Self.listLimit {
                shown += " and \(names.count - Self.listLimit) more"
            }
            if !root.isEmpty { return "the value has \(shown)" }
            return lead.isEmpty && !isOfElement
                ? "the event has \(shown)" : "the element has \(shown)"
        case .array:
            let count = Self.count(of: node, on: tape)
            guard case .element = steps[known.count] else {
                guard elementName.isEmpty else {
                    return "\(subject) is an array: write \(elementName) for each of its elements"
                }
                return "\(subject) is an array: write \(subject)[0] for its first element"
            }
            return "\(subject) has \(Plural.counted(count, "element"))"
        default:
            return "\(subject) is \(Self.preview(of: node, on: tape, in: bytes)), not an object"
        }
    }

    /// Where the path leads from a node; nil for nowhere.
    func end(from start: Int, on tape: borrowing JSONTape, in bytes: RawSpan) -> Int? {
        guard start >= 0 else { return nil }
        var node = start
        for step in steps {
            guard let next = Self.follow(step, from: node, on: tape, in: bytes) else { return nil }
            node = next
        }
        return node
    }

    private static func follow(
        _ step: JSONPathStep, from node: Int, on tape: borrowing JSONTape, in bytes: RawSpan
    ) -> Int? {
        switch step {
        case .member(let name): return tape.member(name, of: node, in: bytes)
        case .element(let index):
            guard tape[node].kind == .array else { return nil }
            let children = tape.children(of: node)
            var element = children.first
            for _ in 0..<index where element < children.end { element = tape.next(after: element) }
            return element < children.end ? element : nil
        }
    }

    private static func count(of array: Int, on tape: borrowing JSONTape) -> Int {
        let children = tape.children(of: array)
        var element = children.first
        var count = 0
        while element < children.end {
            count += 1
            element = tape.next(after: element)
        }
        return count
    }

    /// The names of an object's members, without duplicates, in the order of the event.
    private static func names(
        of object: Int, on tape: borrowing JSONTape, in bytes: RawSpan
    ) -> [String] {
        let children = tape.children(of: object)
        var names: [String] = []
        var name = children.first
        while name < children.end {
            if let text = tape.text(of: name, in: bytes), !names.contains(text) {
                names.append(text)
            }
            name = tape.next(after: tape.next(after: name))
        }
        return names
    }

    /// The name that was probably meant: spelled similarly, or containing it or contained in it.
    private static func nearest(to name: String, among names: [String]) -> String? {
        if name.utf8.count >= 3, let near = Suggestion.nearest(to: name, among: names) {
            return near
        }
        let name = name.lowercased()
        return names.first { other in
            let other = other.lowercased()
            return name.utf8.count >= 3 && other.contains(name)
                || other.utf8.count >= 3 && name.contains(other)
        }
    }
}

extension MissingValue {
    /// A path in template syntax, with what precedes it.
    func written(_ steps: [JSONPathStep]) -> String {
        root.isEmpty ? Self.text(of: lead + steps) : Self.text(of: steps, behind: root)
    }

    /// A path from metadata in template syntax.
    static func text(of steps: [JSONPathStep], behind root: String) -> String {
        let rest = text(of: steps)
        return rest.isEmpty || rest.hasPrefix("[") ? root + rest : "\(root).\(rest)"
    }

    /// A path in template syntax.
    static func text(of steps: [JSONPathStep]) -> String {
        var text = ""
        for step in steps {
            switch step {
            case .element(let index): text += "[\(index)]"
            case .member(let name) where isPlain(name):
                text += text.isEmpty ? name : ".\(name)"
            case .member(let name):
                var inside: [UInt8] = []
                inside.appendJSONText(name)
                text += "[\"\(String(decoding: inside, as: UTF8.self))\"]"
            }
        }
        return text
    }

    /// Whether a name needs no quotation marks.
    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.utf8.first, name != "true", name != "false" else { return false }
        let isStart = first == UInt8(ascii: "_") || first >= 0x80 || isLetter(first)
        return isStart
            && name.utf8.allSatisfy {
                $0 >= 0x80 || isLetter($0) || $0.isDigit
                    || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    /// A short description of a value.
    static func preview(of node: Int, on tape: borrowing JSONTape, in bytes: RawSpan) -> String {
        switch tape[node].kind {
        case .null: return "null"
        case .object: return "an object"
        case .array, .boolean, .number, .string:
            var json: [UInt8] = []
            json.appendJSON(of: node, on: tape, in: bytes)
            let text = JSONLayout.text(of: json, width: .max) ?? ""
            return text.count > 60 ? text.prefix(59) + "…" : text
        }
    }
}
