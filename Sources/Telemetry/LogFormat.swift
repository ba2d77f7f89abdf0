internal import Encoding

/// The format of log lines.
public enum LogFormat: String, CaseIterable, Sendable {
    /// `2026-01-01T10:00:00.123Z info message key=value`, for people.
    case text
    /// One JSON object per line, for programs.
    case json

    func line(
        milliseconds: Int64, level: LogLevel, label: String, message: String,
        metadata: Logger.Metadata
    ) -> [UInt8] {
        let time = Timestamp.text(milliseconds: milliseconds)
        let pairs = metadata.sorted { $0.key < $1.key }
        var line: String
        switch self {
        case .text:
            line = "\(time) \(level.rawValue) \(Escape.controls(message))"
            for (key, value) in pairs { line += " \(Escape.word(key))=\(Self.word(value))" }
        case .json:
            line = "{\"timestamp\":\"\(time)\",\"level\":\"\(level.rawValue)\""
            line += ",\"label\":\(Escape.json(label)),\"message\":\(Escape.json(message))"
            for (key, value) in pairs {
                line += ",\(Escape.json(Self.key(key))):\(Self.json(value))"
            }
            line += "}"
        }
        line += "\n"
        return Array(line.utf8)
    }

    /// A metadata key that the line itself uses gets an underscore.
    private static func key(_ key: String) -> String {
        ["timestamp", "level", "label", "message"].contains(key) ? "\(key)_" : key
    }

    private static func word(_ value: MetadataValue) -> String {
        switch value {
        case .string(let text): Escape.word(text)
        case .integer(let number): String(number)
        case .double(let number): String(number)
        case .bool(let truth): String(truth)
        }
    }

    private static func json(_ value: MetadataValue) -> String {
        switch value {
        case .string(let text): Escape.json(text)
        case .integer(let number): String(number)
        case .double(let number): number.isFinite ? String(number) : Escape.json(String(number))
        case .bool(let truth): String(truth)
        }
    }
}
