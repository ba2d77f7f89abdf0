internal import Encoding
internal import Spelling

extension TemplateParser {
    /// Parses a path or a literal.
    mutating func operand() throws(TemplateFault) -> Template.Operand {
        guard let next = peek() else { throw fault("missing value") }
        if next == "\"" || next == "'" { return .text(try string()) }
        if next == "-" || next.isDigit { return .number(try number()) }
        if next == "@" { return .path(try metadata()) }
        if next == "[" {
            guard peek(1) == "\"" || peek(1) == "'" else {
                throw fault("a path must start with a name", "write [\"name\"], or name[0]")
            }
            var path = Template.Path()
            try readSteps(of: &path)
            return .path(path)
        }
        guard isStart(next) else { throw fault("'\(next)' cannot start a path") }
        let word = name()
        if word == "true" || word == "false" { return .boolean(word == "true") }
        var path = Template.Path(root: .event, steps: [.member(word)])
        try readSteps(of: &path)
        if case .member(let last)? = path.steps.last { try refuseCall(of: last) }
        return .path(path)
    }

    /// Parses any number of `.name`, `["name"]`, `[0]` and `[*]`.
    private mutating func readSteps(of path: inout Template.Path) throws(TemplateFault) {
        while let next = peek() {
            if next == "." {
                path.steps.append(.member(try dottedName()))
            } else if next == "[" {
                let start = index
                let step = try bracket()
                if step == .everyElement, path.steps.contains(.everyElement) {
                    throw TemplateFault(
                        offset: start, message: "a path can contain [*] only once",
                        remedy: "write an index instead of the other one: a[0].b[*].c")
                }
                if step == .everyElement && path.hasLookUp
                    || step.isLookUp && path.steps.contains(.everyElement)
                {
                    throw TemplateFault(
                        offset: start, message: "a path cannot contain both [*] and a look-up",
                        remedy: "write an index instead of [*]: a[0].b[c]")
                }
                path.steps.append(step)
            } else {
                return
            }
        }
    }

    private mutating func dottedName() throws(TemplateFault) -> String {
        let dot = index
        index += 1
        guard let next = peek() else { throw fault("missing name after '.'") }
        if next.isDigit {
            let start = index
            while let digit = peek(), digit.isDigit { index += 1 }
            let digits = String(String.UnicodeScalarView(characters[start..<index]))
            throw TemplateFault(
                offset: dot, message: "a name cannot start with a digit",
                remedy:
                    "write [\(digits)] for an element, [\"\(digits)\"] for a member named \(digits)"
            )
        }
        guard isStart(next) else { throw fault("missing name after '.'") }
        return name()
    }

    private mutating func bracket() throws(TemplateFault) -> Template.Step {
        index += 1
        guard let next = peek() else { throw fault("'[' is not closed") }
        let step: Template.Step
        if next == "\"" || next == "'" {
            step = .member(try string())
        } else if next == "*" {
            index += 1
            step = .everyElement
        } else if next.isDigit {
            let start = index
            while let digit = peek(), digit.isDigit { index += 1 }
            let digits = String(String.UnicodeScalarView(characters[start..<index]))
            guard let value = Int32(digits) else { throw fault("the index is too large") }
            step = .element(Int(value))
        } else if next == "-" {
            throw fault("indices start at 0", "write [0] for the first element")
        } else if next == "@" || isStart(next) {
            step = .lookUp(try lookUp())
        } else {
            throw fault(
                "expected an index, * or a quoted name", "write [0], [*] or [\"name\"]")
        }
        guard follows("]") else { throw fault("'[' is not closed", "write ']' after it") }
        index += 1
        return step
    }

    /// Parses the path in `texts[locale]`, whose value is the name of the member.
    private mutating func lookUp() throws(TemplateFault) -> Template.Path {
        let start = index
        guard case .path(let path) = try operand() else {
            throw TemplateFault(
                offset: start, message: "expected a path between '[' and ']'",
                remedy: "write [\"true\"] for a member of that name")
        }
        if path.hasLookUp || path.steps.contains(.everyElement) {
            throw TemplateFault(
                offset: start, message: "a look-up takes a plain path",
                remedy: "write names and indices only: texts[user.locale]")
        }
        skipSpace()
        if follows("??") || follows("|") {
            throw fault(
                "a look-up takes one path", "write ${texts[locale] ?? texts[\"en\"]}")
        }
        return path
    }

    /// Parses `@key`, `@headers.x` and so on.
    private mutating func metadata() throws(TemplateFault) -> Template.Path {
        let start = index
        index += 1
        let word = name()
        let root: Template.Root
        switch word {
        case "value":
            var path = Template.Path(root: .value)
            try readSteps(of: &path)
            return path
        case "key":
            var path = Template.Path(root: .key)
            try readSteps(of: &path)
            return path
        case "timestamp": root = .timestamp
        case "topic": root = .topic
        case "partition": root = .partition
        case "offset": root = .offset
        case "headers": root = .header(try metadataName(word))
        case "ce": root = .attribute(try metadataName(word))
        default:
            let known = [
                "value", "key", "timestamp", "topic", "partition", "offset", "headers", "ce",
            ]
            throw TemplateFault(
                offset: start, message: "unknown metadata '@\(word)'",
                remedy: Suggestion.nearest(to: word, among: known).map {
                    "did you mean '@\($0)'?"
                }
                    ?? "write [\"@\(word)\"] for the event's own member")
        }
        guard peek() == "." || peek() == "[" else { return Template.Path(root: root) }
        throw tooLong(root)
    }

    private mutating func metadataName(_ word: String) throws(TemplateFault) -> String {
        if follows(".") { return try dottedName() }
        if follows("["), peek(1) == "\"" || peek(1) == "'",
            case .member(let name) = try bracket()
        {
            return name
        }
        throw fault(
            "expected a name after '@\(word)'", "write @\(word).name or @\(word)[\"name\"]")
    }

    private mutating func tooLong(_ root: Template.Root) -> TemplateFault {
        let end = index
        guard case .header(let name) = root else { return fault("nothing can follow metadata") }
        var whole = name
        while let next = peek(), next == "." || isStart(next) || next.isDigit || next == "-" {
            whole.unicodeScalars.append(next)
            index += 1
        }
        return TemplateFault(
            offset: end, message: "nothing can follow a header's name",
            remedy: "write @headers[\"\(whole)\"]")
    }

    mutating func name() -> String {
        let start = index
        while let next = peek(), isStart(next) || next.isDigit || next == "-" { index += 1 }
        return String(String.UnicodeScalarView(characters[start..<index]))
    }

    func isStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_": true
        default: scalar.value >= 0x80
        }
    }
}

extension Template.Path {
    /// True when a step depends on a value of the event.
    var hasLookUp: Bool { steps.contains { $0.isLookUp } }
}

extension Template.Step {
    fileprivate var isLookUp: Bool {
        if case .lookUp = self { return true }
        return false
    }
}
