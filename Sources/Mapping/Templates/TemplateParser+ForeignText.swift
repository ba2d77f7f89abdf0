internal import Encoding

/// The syntax of other template languages in literal text, where it usually is a mistake.
extension TemplateParser {
    /// Remarks on what begins with a character of literal text.
    mutating func remarkOnForeign(_ next: Unicode.Scalar) {
        switch next {
        case "<": remarkOnVariable()
        case "{": remarkOnBraces()
        case "%", "#": remarkOnMarkedBraces()
        case "$": remarkOnDollar()
        default: break
        }
    }

    /// `<name>` is the syntax of EventBridge templates.
    private mutating func remarkOnVariable() {
        var ahead = 1
        while let next = peek(ahead), isASCIIName(next, isFirst: ahead == 1) { ahead += 1 }
        guard ahead > 1, peek(ahead) == ">" else { return }
        let name = text(index + 1, index + ahead)
        remark(onLiteral: "<\(name)>", "for a value of the event write ${\(name)}")
    }

    /// `{{ name }}` and `{% if name %}` are the syntax of Mustache, Jinja, Liquid and Go; `{name}`
    /// is a mistake if the example event has that path.
    private mutating func remarkOnBraces() {
        if let before = peek(-1), "{%#$".unicodeScalars.contains(before) { return }
        for (opening, closing) in [("{{{", "}}}"), ("{{", "}}")] {
            guard let inside = inside(opening, closing) else { continue }
            return remark(
                onLiteral: opening + inside + closing, Self.remedy(expression: inside))
        }
        if let inside = inside("{%", "%}") {
            return remark(
                onLiteral: "{%\(inside)%}",
                "templates have no statements: write 'notifications', each with its own 'when'")
        }
        guard let inside = inside("{", "}"), Self.isPath(inside) else { return }
        remark(
            onLiteral: "{\(inside)}", "for this value of the event write ${\(inside)}",
            ifPath: inside)
    }

    /// `%{name}` and `#{name}` are the syntax of Logstash, Elixir and Ruby.
    private mutating func remarkOnMarkedBraces() {
        guard let mark = peek(), peek(1) == "{", let inside = inside("\(mark){", "}") else {
            return
        }
        remark(onLiteral: "\(mark){\(inside)}", Self.remedy(expression: inside))
    }

    /// `$order.id` and `$.order.id` are the syntax of shells, Velocity and JSONPath.
    private mutating func remarkOnDollar() {
        var ahead = peek(1) == "." ? 2 : 1
        let start = ahead
        guard let first = peek(start), isStart(first) else { return }
        while let next = peek(ahead), isASCIIName(next, isFirst: ahead == start) { ahead += 1 }
        var name = text(index + start, index + ahead)
        // A full stop ends the sentence.
        while name.hasSuffix(".") || name.hasSuffix("-") { name.removeLast() }
        guard start == 2 || name.contains("."), Self.isPath(name) else { return }
        let dot = start == 2 ? "." : ""
        remark(onLiteral: "$\(dot)\(name)", "for a value of the event write ${\(name)}")
    }

    private mutating func remark(
        onLiteral literal: String, _ remedy: String, ifPath path: String? = nil
    ) {
        addRemark(
            "'\(literal)' is literal text here and is sent unchanged", remedy, quotesText: true,
            ifPath: path)
    }

    /// What is between two marks, the first of which is next; nil unless both are in one line, with
    /// something between them that is not a template.
    private func inside(_ opening: String, _ closing: String) -> String? {
        let (opening, closing) = (Array(opening.unicodeScalars), Array(closing.unicodeScalars))
        guard characters[index...].starts(with: opening) else { return nil }
        let start = index + opening.count
        var end = start
        while !characters[end...].starts(with: closing) {
            guard end < characters.count, characters[end] != "\n", characters[end] != "$",
                end - start < 100
            else { return nil }
            end += 1
        }
        return end > start ? text(start, end) : nil
    }

    /// What to write for an expression of another language.
    private static func remedy(expression: String) -> String {
        var name = expression[...]
        while let first = name.first, " .$".contains(first) { name.removeFirst() }
        while name.last == " " { name.removeLast() }
        return isPath(String(name))
            ? "for a value of the event write ${\(name)}"
            : "for a value of the event write ${path}, or ${path ?? \"text\"}"
    }

    private static func isPath(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_\-]*(\.[A-Za-z_][A-Za-z0-9_\-]*|\[[0-9]+\])*/)
            != nil
    }

    private func isASCIIName(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        guard scalar.isASCII else { return false }
        if isStart(scalar) { return true }
        return !isFirst && (scalar.isDigit || scalar == "-" || scalar == ".")
    }
}
