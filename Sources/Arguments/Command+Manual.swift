/// Manual pages from the same declarations as the help.
///
/// Source: man(7) of groff, in UTF-8.
extension Command {
    /// The pages of this command and of all below it, with names such as `shop-buy`.
    public func manualPages(below parents: [String] = []) -> [(name: String, text: String)] {
        let path = parents + [name]
        let title = path.joined(separator: "-")
        let above = parents.isEmpty ? [] : [parents.joined(separator: "-")]
        let declared = arguments.map(\.definition) + named
        let others = above + subcommands.map { "\(title)-\($0.name)" }
        let sections = [
            ("NAME", Self.roff("\(title) - \(abstract)")),
            ("SYNOPSIS", Self.roff(usageLine(title: path.joined(separator: " ")))),
            ("DESCRIPTION", Self.roff(discussion.isEmpty ? abstract : discussion)),
            ("EXAMPLES", examples.map { ".br\n" + Self.roff($0) }.joined(separator: "\n")),
            ("COMMANDS", Self.list(subcommands.map { ($0.name, $0.abstract) })),
            ("OPTIONS", Self.list(declared.map { ($0.label, $0.text) })),
            ("SEE ALSO", others.map { ".BR \(Self.roff($0)) (1)" }.joined(separator: "\n")),
        ]
        let parts = sections.filter { !$0.1.isEmpty }.map { ".SH \($0.0)\n\($0.1)\n" }
        return [(title, ".TH \(title.uppercased()) 1\n" + parts.joined())]
            + subcommands.flatMap { $0.manualPages(below: path) }
    }

    private static func list(_ rows: [(String, String)]) -> String {
        rows.map { ".TP\n.B \(roff($0.0))\n\(roff($0.1))" }.joined(separator: "\n")
    }

    /// Text as the formatter reads it: empty lines separate paragraphs, and lines that begin with a
    /// space stay lines.
    private static func roff(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let text = String(line).replacing("\\", with: "\\e").replacing("-", with: "\\-")
            if line.hasPrefix(" ") { return ".br\n\\&\(text)" }
            return line.isEmpty ? ".PP" : ".'".contains(text.prefix(1)) ? "\\&\(text)" : text
        }.joined(separator: "\n")
    }
}
