/// A YAML 1.2 document, read strictly: no anchors, aliases, merges, tags, tabs, duplicate keys or
/// second documents, and at most 64 levels.
public struct YAMLDocument: Sendable {
    /// The path of the file, as given.
    public let file: String
    /// The value of the document; nil when it could not be read completely.
    public let root: YAMLNode?
    /// All problems, in the order of the file.
    public let problems: [YAMLError]
    private let lines: [String]

    /// Reads a document, and keeps its problems together with what could be read.
    public static func read(bytes: [UInt8], file: String) -> YAMLDocument {
        let source = SourceText(bytes)
        if let problem = source.problem {
            let error = YAMLError(
                file: file, location: problem.location, message: problem.message,
                remedy: problem.remedy)
            return YAMLDocument(file: file, root: nil, problems: [error], lines: source.lines)
        }
        var builder = NodeBuilder(source: source, file: file)
        let root = builder.build()
        return YAMLDocument(
            file: file, root: root, problems: builder.problems.sorted { $0.location < $1.location },
            lines: source.lines)
    }

    /// Reads a document; throws the first problem.
    public static func parse(bytes: [UInt8], file: String) throws(YAMLError) -> YAMLNode {
        let document = read(bytes: bytes, file: file)
        if let problem = document.problems.first { throw problem }
        guard let root = document.root else {
            preconditionFailure("a document without a root has a problem that says why")
        }
        return root
    }

    /// Reads a document; throws the first problem.
    public static func parse(_ text: String, file: String) throws(YAMLError) -> YAMLNode {
        try parse(bytes: Array(text.utf8), file: file)
    }

    /// A line of the text by its number from 1; nil past the end.
    public func line(_ number: Int) -> String? {
        lines.indices.contains(number - 1) ? lines[number - 1] : nil
    }
}
