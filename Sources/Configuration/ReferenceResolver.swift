internal import YAML

/// Replaces `${env:NAME}` and `${file:PATH}` by their values.
///
/// The values are secrets: no message contains one.
struct ReferenceResolver {
    /// The result of resolving a string.
    enum Result {
        /// The string, and whether any of it came from outside the file.
        case text(String, isReplaced: Bool)
        /// A value is missing, which is allowed because nothing runs: the string is unknown.
        case unknown
        /// An error, which has been reported.
        case failed
    }

    /// The use of a string, which determines what else it may contain.
    enum Use {
        /// A setting: no other `${` is allowed.
        case setting
        /// A template: other holes are left alone, and values are inserted as literal text.
        case template
        /// A pattern: other holes are left alone.
        case pattern
    }

    let environment: [String: String]
    let folder: String
    var mode: ConnectorFile.Mode
    let findings: Findings
    /// The additional files that were read.
    let files = ReadFiles()
    /// True when the values of variables are in another file, and may be shown.
    var isEnvironmentWritten = false
    /// The file with the settings of the process; nil for the one in the folder.
    var processFile: String?
    /// True where text is only shown: references stand for themselves there.
    var hidesValues = false

    /// The most references of a file, and of one of its strings.
    private static let limit = 1000

    /// Resolves the string of a scalar.
    func resolve(_ node: YAMLNode, use: Use = .setting) -> Result {
        guard let text = node.text, text.contains("${") else {
            return .text(node.text ?? "", isReplaced: false)
        }
        var scanner = ReferenceScanner(text)
        var output = ""
        var isReplaced = false
        var isUnknown = false
        var references = 0
        while let part = scanner.next() {
            switch part {
            case .text(let text): output += text
            case .escape: output += use == .setting ? "${" : "$${"
            case .other(let text, let offset, let isClosed):
                guard use != .setting else {
                    report(hole: text, at: offset, isClosed: isClosed, in: node)
                    return .failed
                }
                output += text
            case .malformed(let text, let offset, let remedy):
                let length = text.unicodeScalars.count
                findings.add(
                    .error, at: node.location(ofCharacter: offset), length: length,
                    "'\(text)' is not a valid reference", remedy)
                return .failed
            case .reference(let reference, let offset):
                isReplaced = true
                references += 1
                switch replacement(for: reference, references, at: offset, use, in: node) {
                case .text(let value, _): output += value
                case .unknown:
                    isUnknown = true
                    output += placeholder(for: reference, use)
                case .failed: return .failed
                }
            }
        }
        if isUnknown && use == .setting { return .unknown }
        return .text(output, isReplaced: isReplaced)
    }

    /// What stands in the place of a reference, which is the `number`th of its string.
    private func replacement(
        for reference: ReferenceScanner.Reference, _ number: Int, at offset: Int, _ use: Use,
        in node: YAMLNode
    ) -> Result {
        guard number <= Self.limit else {
            findings.error(node, "more than \(Self.limit) references", "write fewer")
            return .failed
        }
        if use != .setting, !isAllowed(reference, at: offset, in: node) { return .failed }
        if hidesValues { return .text(hidden(reference, use), isReplaced: true) }
        let result = value(of: reference, at: offset, in: node)
        guard case .text(let value, _) = result else { return result }
        if value != reference.fallback, !isPublic(reference) {
            findings.keepSecret(value, written: reference.written)
        }
        return .text(Self.escaped(value, use), isReplaced: true)
    }

    private func isPublic(_ reference: ReferenceScanner.Reference) -> Bool {
        if case .environment = reference.source { isEnvironmentWritten } else { false }
    }

    /// A reference that stands for itself in what is shown; its default is in the file anyway.
    private func hidden(_ reference: ReferenceScanner.Reference, _ use: Use) -> String {
        if case .environment(let name) = reference.source, isEnvironmentWritten,
            let value = environment[name]
        {
            return Self.escaped(value, use)
        }
        return Self.escaped(reference.fallback ?? reference.written, use)
    }

    /// Refuses files of other folders in what events become: their contents would reach devices.
    private func isAllowed(
        _ reference: ReferenceScanner.Reference, at offset: Int, in node: YAMLNode
    ) -> Bool {
        guard case .file(let path) = reference.source,
            !FilePath.isInside(FilePath.resolve(path, in: folder), folder)
        else { return true }
        findings.add(
            .error, at: node.location(ofCharacter: offset),
            length: node.isVerbatim ? reference.length : 1,
            "'\(path)' is outside of the folder of this file",
            "copy the file into \(FilePath.shown(folder)), or use an environment variable")
        return false
    }

    private func value(
        of reference: ReferenceScanner.Reference, at offset: Int, in node: YAMLNode
    ) -> Result {
        let message: String
        let remedy: String
        switch reference.source {
        case .environment(let name):
            if let value = environment[name] { return .text(value, isReplaced: true) }
            message = "the environment variable '\(name)' is not set"
            let quote = findings.innerQuote(of: node)
            remedy = "set it, or write ${env:\(name) ?? \(quote)…\(quote)}"
        case .file(let path):
            let location = FilePath.resolve(path, in: folder)
            guard files.add(location, limit: Self.limit) else {
                message = "more than \(Self.limit) files are named"
                return report(message, "name fewer", isMissing: false, reference, offset, node)
            }
            do {
                let bytes = try InputFile.read(path: location)
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    message = "the file '\(path)' is not valid UTF-8"
                    remedy = "name a text file"
                    return report(message, remedy, isMissing: false, reference, offset, node)
                }
                return .text(Self.withoutNewline(text), isReplaced: true)
            } catch {
                if error.isMissing, let fallback = reference.fallback {
                    return .text(fallback, isReplaced: true)
                }
                message = "cannot read the file '\(path)': \(error.reason)"
                remedy = "paths are relative to the folder of this file: \(FilePath.shown(folder))"
                return report(
                    message, remedy, isMissing: error.isMissing, reference, offset, node)
            }
        }
        if let fallback = reference.fallback { return .text(fallback, isReplaced: true) }
        return report(message, remedy, isMissing: true, reference, offset, node)
    }

    private func report(
        _ message: String, _ remedy: String, isMissing: Bool,
        _ reference: ReferenceScanner.Reference, _ offset: Int, _ node: YAMLNode
    ) -> Result {
        if isMissing, mode.isInspecting { return .unknown }
        let isHarmless = isMissing && mode == .lint
        findings.isIncomplete = true
        findings.add(
            isHarmless ? .warning : .error, at: node.location(ofCharacter: offset),
            length: node.isVerbatim ? reference.length : 1, message, remedy,
            isExternal: reference.isFile)
        return isHarmless ? .unknown : .failed
    }

    private func report(hole: String, at offset: Int, isClosed: Bool, in node: YAMLNode) {
        let message: String
        let remedy: String
        if isClosed, let source = Self.unknownSource(hole) {
            message = "unknown source '\(source):': only 'env:' and 'file:' are available"
            remedy = "write ${env:NAME} or ${file:PATH}"
        } else if isClosed {
            message = "templates are only valid in 'notification'"
            let meant = Self.intended(hole, quote: findings.innerQuote(of: node))
            remedy = "write \(meant), or $${ for the two characters ${"
        } else {
            message = "'${' is not closed"
            remedy = "end it with '}'"
        }
        findings.add(
            .error, at: node.location(ofCharacter: offset),
            length: node.isVerbatim ? hole.unicodeScalars.count : 1, message, remedy)
    }

    /// The word before the colon in `${config:NAME}`; nil for Redpanda's `${NAME:default}`.
    private static func unknownSource(_ hole: String) -> String? {
        let inner = hole.dropFirst(2).dropLast()
        let name = inner.prefix { $0.isASCII && $0.isLowercase }
        guard !name.isEmpty, inner.dropFirst(name.count).first == ":" else { return nil }
        return String(name)
    }

    /// What users of Compose or Redpanda probably meant: `${VAR}`, `${VAR:-d}`, `${VAR:d}`.
    private static func intended(_ hole: String, quote: String) -> String {
        let inner = hole.dropFirst(2).dropLast()
        let name = inner.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard !name.isEmpty else { return "${env:NAME}" }
        let rest = inner.dropFirst(name.count)
        guard rest.first == ":" else { return "${env:\(name)}" }
        let standard = rest.dropFirst().first == "-" ? rest.dropFirst(2) : rest.dropFirst()
        return "${env:\(name) ?? \(quote)\(standard)\(quote)}"
    }

    /// In a template, a dollar sign in a value must not begin a hole.
    private static func escaped(_ value: String, _ use: Use) -> String {
        guard use == .template, value.contains("$") else { return value }
        return value.split(separator: "$", omittingEmptySubsequences: false)
            .joined(separator: "${\"$\"}")
    }

    /// A file's text without the newline that editors and `echo` write at its end.
    private static func withoutNewline(_ text: String) -> String {
        // CR LF is one character.
        text.last == "\n" || text.last == "\r\n" ? String(text.dropLast()) : text
    }

    /// Replaces a missing value, so that the rest can still be checked and inspected.
    private func placeholder(for reference: ReferenceScanner.Reference, _ use: Use) -> String {
        guard use == .template else { return "unset" }
        guard mode.isInspecting else { return "${unset}" }
        return Self.escaped(reference.written, use)
    }
}
