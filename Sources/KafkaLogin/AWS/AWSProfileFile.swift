internal import Encoding
internal import YAML

/// A file of AWS's tools with the settings of profiles: sections, and lines `name = value`.
struct AWSProfileFile {
    /// The settings by section and name, in lower case.
    private var sections: [String: [String: String]] = [:]

    /// Nil when the file does not exist.
    init?(path: String) throws(TokenFault) {
        do {
            let bytes = try InputFile.read(path: path)
            self.init(text: String(decoding: bytes, as: UTF8.self))
        } catch {
            guard error.isMissing else {
                throw .unavailable("\(path) cannot be read: \(error.reason)")
            }
            return nil
        }
    }

    init(text: String) {
        var section: String?
        for line in text.split(whereSeparator: \.isNewline) {
            let isNested = line.first?.isWhitespace ?? false
            let line = line.trimmed
            if line.hasPrefix("#") || line.hasPrefix(";") { continue }
            if line.hasPrefix("[") {
                let found = Self.name(in: line.dropFirst().prefix { $0 != "]" })
                if sections[found] == nil { sections[found] = [:] }
                section = found
            } else if let section, !isNested, let mark = line.firstIndex(of: "=") {
                let name = line[..<mark].trimmed.lowercased()
                let value = line[line.index(after: mark)...].trimmed
                if !value.isEmpty { sections[section, default: [:]][name] = value }
            }
        }
    }

    /// The settings of a section; nil when the file has no such section.
    subscript(_ section: String) -> [String: String]? { sections[section] }

    /// The name of a section: `default`, `profile push`; `profile "my team"` is `profile my team`.
    private static func name(in text: Substring) -> String {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.first == "profile", words.count > 1 else {
            return unquoted(text.trimmed)
        }
        return "profile " + unquoted(text[words[1].startIndex...].trimmed)
    }

    private static func unquoted(_ name: String) -> String {
        guard name.count > 2, let mark = name.first, mark == name.last, "\"'".contains(mark)
        else { return name }
        return String(name.dropFirst().dropLast())
    }
}
