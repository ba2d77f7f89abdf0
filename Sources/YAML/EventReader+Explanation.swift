extension EventReader.Failure {
    /// Messages and remedies for libyaml errors that do not depend on the line.
    private static let plain: [String: (message: String, remedy: String)] = [
        "found unknown escape character": (
            "an unknown YAML escape",
            "write \\\\ for a backslash, or use single quotes"
        ),
        "did not find expected <document start>": (
            "unexpected content after the end of the document",
            "check for an extra bracket or quote, and the indentation"
        ),
        "did not find expected alphabetic or numeric character": (
            "'&' and '*' start anchors and aliases, which are not supported",
            "quote values that start with '&' or '*'"
        ),
        "block sequence entries are not allowed in this context": (
            "unexpected list entry",
            "start the list on its own line, or write [a, b]"
        ),
    ]

    /// Explains a libyaml error in a sentence with a remedy.
    func explained(in source: SourceText, file: String) -> YAMLError {
        let line = source[line: location.line]
        var error = YAMLError(file: file, location: location, message: problem, remedy: nil)
        let atEnd = problem == "found unexpected end of stream"
        if let quote = source.brokenQuote(inLine: atEnd ? contextLocation.line : location.line) {
            let other = quote.mark == "'" ? "\"" : "'"
            error.location = quote.location
            error.message = "this quote inside '${' ends the string around it"
            error.remedy = "use the other kind of quotes inside: ${a ?? \(other)b\(other)}"
            return error
        }
        switch problem {
        case "mapping values are not allowed in this context":
            error.message = line.contains("${") ? "': ' inside an unquoted value" : "unexpected ':'"
            error.remedy = Self.quoting(line)
        case let message where message.hasPrefix("did not find expected ',' or"):
            explainFlow(line, &error)
        case "found character that cannot start any token":
            let first = source.rest(from: location).first.map(String.init) ?? ""
            error.message = "'\(first)' cannot start an unquoted value"
            error.remedy = "quote the value: \"\(first)…\""
        case "found unexpected end of stream", "found unexpected document indicator":
            error.location = contextLocation
            error.message = "the quotes are not closed"
            error.remedy = "end the value with the same quote that starts it"
        case "did not find expected key", "did not find expected '-' indicator":
            explainBlock(line, &error)
        case "could not find expected ':'":
            error.location =
                contextLocation.line > 0 && contextLocation < location ? contextLocation : location
            error.message = "a key without ':'"
            error.remedy = "write 'key: value', or quote values that span several lines"
        default:
            explainRest(&error)
        }
        return error
    }

    private func explainRest(_ error: inout YAMLError) {
        if let message = Self.plain[problem] {
            error.message = message.message
            error.remedy = message.remedy
        } else if context.contains("tag") || problem.contains("tag") {
            error.message = "a tag, which is not supported"
            error.remedy = "remove it, or quote values that start with '!'"
        } else {
            error.message = context.isEmpty ? problem : "\(problem) \(context)"
            error.remedy = "check for a missing quote, bracket or space at or above this line"
        }
    }

    private func explainBlock(_ line: String, _ error: inout YAMLError) {
        let indent = line.unicodeScalars.prefix { $0 == " " }.count
        if location.column > indent + 1 {
            error.message = "unexpected content after the end of the value"
            error.remedy = "put the whole value inside the quotes"
        } else {
            error.message = "the indentation matches no block above"
            error.remedy = "start all keys of a block in the same column"
        }
    }

    private func explainFlow(_ line: String, _ error: inout YAMLError) {
        guard let hole = Self.hole(in: line, before: location.column) else {
            let bracket = problem.hasSuffix("'}'") ? "}" : "]"
            if location.line > contextLocation.line, line.isEmpty {
                error.location = contextLocation
                error.message = "the bracket is not closed"
                error.remedy = "close it with '\(bracket)'"
                return
            }
            error.message = "missing ',' or '\(bracket)' before this"
            error.remedy = "close the bracket in line \(contextLocation.line), or quote the value"
            return
        }
        error.location.column = hole.column
        error.length = hole.text.unicodeScalars.count
        error.message = "unquoted '${' inside { } or [ ]"
        error.remedy = "quote \(hole.text.yamlQuoted) inside { } and [ ]"
    }

    /// The `${…}` whose brace is just before or at a column.
    private static func hole(in line: String, before column: Int) -> (text: String, column: Int)? {
        let scalars = Array(line.unicodeScalars)
        let last = min(column - 1, scalars.count - 1)
        guard last >= 1 else { return nil }
        for start in stride(from: last - 1, through: max(0, last - 2), by: -1)
        where scalars[start] == "$" && scalars[start + 1] == "{" {
            let end = scalars[start...].firstIndex(of: "}") ?? scalars.count - 1
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[start...end])
            return (String(text), start + 1)
        }
        return nil
    }

    /// What to write for a line whose unquoted string contains `: `.
    private static func quoting(_ line: String) -> String {
        let scalars = Array(line.unicodeScalars)
        let colon = scalars.indices.first { index in
            scalars[index] == ":" && scalars.indices.contains(index + 1)
                && scalars[index + 1] == " "
        }
        guard let colon, line.contains("${") else {
            return "quote the value, or check the indentation"
        }
        var value = String.UnicodeScalarView()
        value.append(contentsOf: scalars[(colon + 1)...])
        return "quote the whole text: \(String(value).trimmingSpaces.yamlQuoted)"
    }
}
