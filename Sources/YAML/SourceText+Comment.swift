extension SourceText {
    /// Detects a comment after an unquoted string that contains `${`: it was meant as part of the
    /// string, but libyaml silently drops it.
    func hiddenTemplate(behind node: YAMLNode, file: String) -> YAMLError? {
        guard case .scalar(_, .plain) = node.kind else { return nil }
        let rest = rest(from: node.endLocation)
        let comment = rest.drop { $0 == " " }
        guard comment.first == "#", case let message = Self.text(comment), message.contains("${")
        else { return nil }
        let gap = rest.count - comment.count
        let atLineStart = node.endLocation.column == 1
        guard gap > 0 || atLineStart else { return nil }
        let location = SourceLocation(
            line: node.endLocation.line, column: node.endLocation.column + gap)
        let text = message.trimmingSpaces
        let before =
            node.location.line == node.endLocation.line && node.location != node.endLocation
            ? Self.text(self.rest(from: node.location).dropLast(comment.count)) : ""
        return YAMLError(
            file: file, location: location, length: nil,
            message: "'\(text)' is a YAML comment, not text",
            remedy: "quote the text: \((before + text).yamlQuoted)")
    }

    private static func text(_ codePoints: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: codePoints)
        return String(text)
    }
}

extension String {
    /// The string without leading and trailing spaces.
    var trimmingSpaces: String {
        var view = Substring(self)
        while view.first == " " { view.removeFirst() }
        while view.last == " " { view.removeLast() }
        return String(view)
    }

    /// The string as a quoted YAML scalar.
    var yamlQuoted: String {
        if !contains("\"") && !contains("\\") { return "\"\(self)\"" }
        let doubled = split(separator: "'", omittingEmptySubsequences: false).joined(
            separator: "''")
        return "'\(doubled)'"
    }
}
