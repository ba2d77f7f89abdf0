/// Parses the grammar of templates from left to right, without backtracking.
struct TemplateParser {
    let characters: [Unicode.Scalar]
    var index = 0
    private var template = Template()
    private var text = ""

    /// Parses a string with any number of holes.
    static func parse(_ text: String) throws(TemplateFault) -> Template {
        var parser = Self(characters: Array(text.unicodeScalars))
        return try parser.parse()
    }

    private init(characters: [Unicode.Scalar]) { self.characters = characters }

    private mutating func parse() throws(TemplateFault) -> Template {
        while let next = peek() {
            if follows("$${") {
                addRemark(
                    "'$${' is the literal text '${', not a template",
                    "for a dollar sign before a value write ${\"$\"}${…}")
                text += "${"
                index += 3
            } else if follows("${") {
                endText()
                template.parts.append(.hole(try hole()))
            } else {
                remarkOnForeign(next)
                text.unicodeScalars.append(next)
                index += 1
            }
        }
        endText()
        return template
    }

    private mutating func endText() {
        if !text.isEmpty { template.parts.append(.text(text)) }
        text = ""
    }

    mutating func addRemark(
        _ message: String, _ remedy: String, quotesText: Bool = false, ifPath path: String? = nil
    ) {
        template.remarks.append(
            Template.Remark(
                offset: index, message: message, remedy: remedy, quotesText: quotesText,
                examplePath: path))
    }

    /// Parses from `${` to `}`.
    private mutating func hole() throws(TemplateFault) -> Template.Hole {
        let start = index
        index += 2
        guard let end = closingBrace(from: index) else {
            throw TemplateFault(
                offset: start, message: "'${' is not closed", remedy: "write '}' after it")
        }
        skipSpace()
        if index == end {
            throw TemplateFault(
                offset: start, message: "'${}' is empty",
                remedy: "write a path: ${order.id}; for the text '${}' write $${}")
        }
        try refuseForeign(start, end)
        var hole = Template.Hole(operands: try firstOperands())
        try readRest(of: &hole)
        guard follows("}") else { throw unexpected(in: start) }
        index += 1
        hole.written = String(String.UnicodeScalarView(characters[start..<index]))
        hole.offset = start
        return hole
    }

    /// Parses `?` and the transforms.
    private mutating func readRest(of hole: inout Template.Hole) throws(TemplateFault) {
        skipSpace()
        if follows("?"), !follows("??") {
            hole.isOptional = true
            index += 1
            skipSpace()
            if follows("?") {
                throw fault("'?' must come last", "put '?' last: ${a ?? b?}")
            }
        }
        while follows("|") {
            if follows("||") {
                throw fault("'||' is not supported", "write ?? instead: ${a ?? \"text\"}")
            }
            index += 1
            skipSpace()
            hole.transforms.append(try transform())
            skipSpace()
            if follows("??") {
                throw fault(
                    "'??' must come before '|'", "write ${a ?? \"x\" | upper}, or | default(\"x\")")
            }
            if follows("?") {
                throw fault("'?' must come before '|'", "write ${a? | upper}")
            }
        }
    }

    /// Parses the first operand, which must be a path or a single string, and its `??`s.
    private mutating func firstOperands() throws(TemplateFault) -> [Template.Operand] {
        let start = index
        let first = try operand()
        if case .path = first { return try chain(after: first) }
        skipSpace()
        if case .text = first, follows("}") { return [first] }
        throw TemplateFault(
            offset: start, message: "expected a path first",
            remedy: "write the value without ${ }, or [\"name\"] for a member of that name")
    }

    /// Parses any number of `?? operand`.
    mutating func chain(after first: Template.Operand) throws(TemplateFault) -> [Template.Operand] {
        var operands = [first]
        skipSpace()
        while follows("??") {
            index += 2
            skipSpace()
            if follows("}") || follows("|") || follows("?") || peek() == nil {
                throw fault("expected a value after '??'", "write ${a ?? \"text\"}, or ${a?}")
            }
            let start = index
            let next = try operand()
            remark(onCapitalized: next, from: start)
            operands.append(next)
            skipSpace()
        }
        return operands
    }

    /// `${a ?? Guest}` refers to a member `Guest`; usually a string was meant.
    private mutating func remark(onCapitalized operand: Template.Operand, from start: Int) {
        guard case .path(let path) = operand, path.root == .event, path.steps.count == 1,
            case .member(let name) = path.steps[0], characters[start].properties.isUppercase
        else { return }
        template.remarks.append(
            Template.Remark(
                offset: start, message: "'\(name)' is interpreted as a path",
                remedy: "did you mean \"\(name)\"?"))
    }
}

extension TemplateParser {
    func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
        characters.indices.contains(index + ahead) ? characters[index + ahead] : nil
    }

    func follows(_ word: StaticString) -> Bool {
        var ahead = 0
        for scalar in "\(word)".unicodeScalars {
            guard peek(ahead) == scalar else { return false }
            ahead += 1
        }
        return true
    }

    mutating func skipSpace() {
        while let next = peek(), next == " " || next == "\t" || next == "\n" { index += 1 }
    }

    func fault(_ message: String, _ remedy: String? = nil) -> TemplateFault {
        TemplateFault(offset: index, message: message, remedy: remedy)
    }

    /// The position of the `}` that ends the hole, outside of quotation marks.
    private func closingBrace(from start: Int) -> Int? {
        var quote: Unicode.Scalar?
        var position = start
        while position < characters.count {
            let next = characters[position]
            if let open = quote {
                if next == "\\" { position += 1 } else if next == open { quote = nil }
            } else if next == "}" {
                return position
            } else if next == "\"" || next == "'" {
                quote = next
            }
            position += 1
        }
        return nil
    }

    private func unexpected(in start: Int) -> TemplateFault {
        guard let next = peek() else {
            return TemplateFault(
                offset: start, message: "'${' is not closed", remedy: "write '}' after it")
        }
        if next == "+" || next == "-" || next == "*" || next == "/" {
            return fault(
                "templates do not support arithmetic",
                "have the producer include the result; | shift(2) moves the decimal point")
        }
        return fault(
            "unexpected '\(next)'",
            "write ${path}, ${path ?? \"text\"} or ${path | transform}")
    }
}

/// What is wrong with a template, and where.
struct TemplateFault: Error, Equatable {
    /// In Unicode scalars from the start of the string.
    var offset: Int
    var message: String
    var remedy: String?
}
