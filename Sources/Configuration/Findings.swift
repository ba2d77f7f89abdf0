internal import YAML

/// Collects the problems of one file, with the lines that show them.
final class Findings {
    private(set) var diagnostics: [Diagnostic] = []
    /// True when something outside of the file is missing, so that no connector can be created.
    var isIncomplete = false
    /// What references resolved to, which no message may quote.
    private(set) var secrets = ResolvedValues()
    /// The findings as they are compared, so that none is reported twice.
    private var reported: Set<Reported> = []
    private let document: YAMLDocument

    /// The most findings of a file; what is wrong beyond them comes to light once these are fixed.
    static let limit = 100

    private struct Reported: Hashable {
        var line: Int
        var column: Int
        var message: String
    }

    init(document: YAMLDocument) {
        self.document = document
        for problem in document.problems {
            let line = document.line(problem.location.line) ?? ""
            let quotes = (problem.message + (problem.remedy ?? "")).contains("${")
            if quotes && Secrets.mayShow(in: line) {
                let message = "this line is not valid YAML"
                add(.error, at: problem.location, length: nil, message, "quote the whole text")
            } else {
                add(
                    .error, at: problem.location, length: problem.length, problem.message,
                    problem.remedy)
            }
        }
    }

    /// True when no more is reported.
    var isFull: Bool { diagnostics.count >= Self.limit }

    /// There is room for an error, so that a connector with one is not loaded.
    private func hasRoom(for severity: Diagnostic.Severity) -> Bool {
        severity == .error ? !isFull || !hasErrors : diagnostics.count < Self.limit - 1
    }

    /// Notes what a reference resolved to.
    func keepSecret(_ value: String, written: String) {
        secrets.add(value, written: written)
    }

    /// Hides the values that another file refers to.
    func keepSecret(_ values: ResolvedValues) { secrets.add(values) }

    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// The diagnostics in the order of the file.
    var sorted: [Diagnostic] { diagnostics.inFileOrder }

    func error(
        _ node: YAMLNode, _ message: String, _ remedy: String?, isExternal: Bool = false
    ) {
        add(
            .error, at: node.location, length: node.length, message, remedy, isExternal: isExternal)
    }

    func warning(_ node: YAMLNode, _ message: String, _ remedy: String?) {
        add(.warning, at: node.location, length: node.length, message, remedy)
    }

    /// Reports an error about the file as a whole.
    func error(_ message: String, _ remedy: String?) {
        guard hasRoom(for: .error) else { return }
        diagnostics.append(
            Diagnostic(
                file: document.file, line: 1, column: 1, severity: .error,
                message: secrets.hide(in: message), remedy: remedy.map { secrets.hide(in: $0) }))
    }

    /// A nil length shows no line. A problem shared by several apps is reported once.
    func add(
        _ severity: Diagnostic.Severity, at location: SourceLocation, length: Int?,
        _ message: String,
        _ remedy: String?, isExternal: Bool = false
    ) {
        guard hasRoom(for: severity) else { return }
        let message = secrets.hide(in: message)
        let problem = Reported(line: location.line, column: location.column, message: message)
        guard reported.insert(problem).inserted else { return }
        var excerpt: Diagnostic.Excerpt?
        if let length, let text = document.line(location.line), !Secrets.mayShow(in: text) {
            let room = text.unicodeScalars.count - location.column + 1
            excerpt = Diagnostic.Excerpt(text: text, length: max(1, min(length, room)))
        }
        var diagnostic = Diagnostic(
            file: document.file, line: location.line, column: location.column, severity: severity,
            message: message, excerpt: excerpt, remedy: remedy.map { secrets.hide(in: $0) })
        diagnostic.isExternal = isExternal
        diagnostics.append(diagnostic)
    }

    /// Quotation marks that can be used inside a scalar without ending it.
    func innerQuote(of node: YAMLNode) -> String {
        let line = document.line(node.location.line) ?? ""
        return line.unicodeScalars.dropFirst(node.location.column - 1).first == "\"" ? "'" : "\""
    }

    /// How many characters to underline: a string that the message quotes, or a word.
    func length(of message: String, at location: SourceLocation) -> Int {
        guard let line = document.line(location.line) else { return 1 }
        let rest = line.unicodeScalars.dropFirst(location.column - 1)
        let parts = message.split(separator: "'", omittingEmptySubsequences: false)
        for index in stride(from: 1, to: parts.count, by: 2) where !parts[index].isEmpty {
            let quoted = parts[index].unicodeScalars
            if rest.starts(with: quoted) { return quoted.count }
        }
        if rest.starts(with: "${".unicodeScalars) {
            return (rest.firstIndex(of: "}").map { rest[...$0] } ?? rest.prefix(2)).count
        }
        guard let first = rest.first, !Self.ends.contains(first) else { return 1 }
        return rest.prefix { !Self.ends.contains($0) }.count
    }

    /// Characters that end a word in a file.
    private static let ends = Set<Unicode.Scalar>(" :,[]{}()\"'#|$".unicodeScalars)
}
