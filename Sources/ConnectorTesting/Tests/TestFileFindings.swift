internal import Configuration
internal import YAML

/// Collects the problems of one test file, with the lines that show them.
final class TestFileFindings {
    private(set) var diagnostics: [Diagnostic] = []
    private let document: YAMLDocument

    init(document: YAMLDocument) {
        self.document = document
        for problem in document.problems {
            add(problem.location, problem.length, problem.message, problem.remedy)
        }
    }

    /// Reports an error about a node.
    func error(_ node: YAMLNode, _ message: String, _ remedy: String?) {
        add(node.location, node.length, message, remedy)
    }

    /// Reports an error about the file as a whole.
    func error(_ message: String, _ remedy: String?) {
        add(SourceLocation(line: 1, column: 1), nil, message, remedy)
    }

    /// The diagnostics in the order of the file.
    var sorted: [Diagnostic] { diagnostics.inFileOrder }

    /// A nil length shows no line.
    private func add(
        _ location: SourceLocation, _ length: Int?, _ message: String, _ remedy: String?
    ) {
        var excerpt: Diagnostic.Excerpt?
        if let length, let text = document.line(location.line), text.utf8.count <= 500 {
            let room = text.unicodeScalars.count - location.column + 1
            excerpt = Diagnostic.Excerpt(text: text, length: max(1, min(length, room)))
        }
        diagnostics.append(
            Diagnostic(
                file: document.file, line: location.line, column: location.column, severity: .error,
                message: message, excerpt: excerpt, remedy: remedy))
    }
}
