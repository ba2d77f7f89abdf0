extension Command {
    /// The text printed by `--help`, with an example first; `title` is the command as invoked.
    public func helpText(title: String) -> String {
        var parts = [abstract]
        if !examples.isEmpty {
            parts.append((["Examples:"] + examples.map { "  \($0)" }).joined(separator: "\n"))
        }
        parts.append("Usage:\n  \(usageLine(title: title))")
        parts += [
            Self.table("Commands:", subcommands.map { ($0.name, $0.abstract) }),
            Self.table("Arguments:", arguments.map { ($0.definition.label, $0.definition.text) }),
            Self.table("Options:", named.map { ($0.label, $0.text) }),
        ].compactMap(\.self)
        if !discussion.isEmpty { parts.append(Self.reflowed(discussion)) }
        if !subcommands.isEmpty {
            parts.append("Run '\(title) COMMAND --help' for the options of a command.")
        }
        return parts.joined(separator: "\n\n") + "\n"
    }

    /// The one-line syntax of the command.
    func usageLine(title: String) -> String {
        var words = [title]
        words += options.map(\.definition).filter(\.isRequired).map(\.spelling)
        if named.contains(where: { !$0.isRequired && $0.name != "help" }) {
            words.append("[OPTION...]")
        }
        words += arguments.map(\.definition).map { $0.isRequired ? $0.label : "[\($0.label)]" }
        if !subcommands.isEmpty { words.append(requiresSubcommand ? "COMMAND" : "[COMMAND]") }
        return words.joined(separator: " ")
    }

    /// A table of two columns under a heading; nil when it is empty.
    private static func table(_ heading: String, _ rows: [(String, String)]) -> String? {
        guard !rows.isEmpty else { return nil }
        let width = min(28, rows.map(\.0.count).max() ?? 0)
        let margin = String(repeating: " ", count: width + 4)
        let lines = rows.map { label, text in
            let wrapped = wrap(text, width: 80 - width - 4)
            let gap = String(repeating: " ", count: max(0, width - label.count) + 2)
            let first = label.count > width ? "  \(label)\n\(margin)" : "  \(label)\(gap)"
            return first + wrapped.joined(separator: "\n\(margin)")
        }
        return ([heading] + lines).joined(separator: "\n")
    }

    /// Wraps paragraphs at 80 columns; lines that start with a space are kept.
    private static func reflowed(_ text: String) -> String {
        var lines: [String] = []
        var paragraph: [Substring] = []
        for line in (text + "\n").split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty || line.hasPrefix(" ") {
                lines += wrap(paragraph.joined(separator: " "), width: 80)
                paragraph = []
                lines.append(String(line))
            } else {
                paragraph.append(line)
            }
        }
        return lines.dropLast().joined(separator: "\n")
    }

    private static func wrap(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

extension Definition {
    /// Its syntax: `--format FORMAT`, `CONNECTOR...`.
    var spelling: String {
        if isPositional { return (valueName ?? name) + (isRepeating ? "..." : "") }
        return "--\(name)" + (valueName.map { " \($0)" } ?? "")
    }

    /// The left column of the help.
    var label: String { (short.map { "-\($0), " } ?? "") + spelling }

    /// The right column of the help.
    var text: String {
        var notes: [String] = []
        if !choices.isEmpty { notes.append("one of: \(choices.joined(separator: ", "))") }
        if let defaultText { notes.append("default: \(defaultText)") }
        if isRequired, !isPositional { notes.append("required") }
        if isRepeating, !isPositional { notes.append("may be repeated") }
        return help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }
}
