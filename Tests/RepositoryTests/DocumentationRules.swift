/// What the documentation of a declaration must look like.
enum DocumentationRules {
    /// Every declaration that others see and that has no summary ending in a full stop.
    static func offences(in file: SwiftFile) -> [String] {
        guard let found = file.lines(matching: declaration) else { return ["no pattern"] }
        return found.compactMap { index in
            let summary = summary(above: index, in: file)
            if summary.isEmpty { return file.offence(index, "a public declaration has no summary") }
            return summary.hasSuffix(".")
                ? nil : file.offence(index, "the summary does not end in a full stop")
        }
    }

    private static let declaration =
        #"^\s*(@\w+(\([^)]*\))?\s+)*(public|package|open)\s+(?!import\b|extension\b)"#

    /// The first paragraph of the comment above a line, past attributes.
    private static func summary(above index: Int, in file: SwiftFile) -> String {
        var above = index - 1
        while above >= 0, file.lines[above].drop(while: { $0 == " " }).hasPrefix("@") { above -= 1 }
        var block: [Substring] = []
        while above >= 0 {
            let line = file.lines[above].drop { $0 == " " }
            guard line.hasPrefix("///") else { break }
            block.insert(line.dropFirst(3).drop { $0 == " " }, at: 0)
            above -= 1
        }
        return block.prefix { !$0.isEmpty }.joined(separator: " ")
    }
}
