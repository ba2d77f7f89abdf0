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
        let pairs = Self.sorted(metadata)
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
        case .integer, .double, .bool: plain(value)
        case .string, .array, .dictionary: Escape.word(plain(value))
        }
    }

    /// A value as text, not yet escaped.
    private static func plain(_ value: MetadataValue) -> String {
        switch value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .double(let number): String(number)
        case .bool(let truth): String(truth)
        case .array(let values): values.map(plain).joined(separator: " ")
        case .dictionary(let values):
            sorted(values).map { "\($0.key)=\(plain($0.value))" }.joined(separator: " ")
        }
    }

    private static func sorted(
        _ values: Logger.Metadata
    ) -> [(key: String, value: MetadataValue)] {
        values.sorted { $0.key < $1.key }
    }

    private static func json(_ value: MetadataValue) -> String {
        switch value {
        case .string(let text): Escape.json(text)
        case .integer(let number): String(number)
        case .double(let number): number.isFinite ? String(number) : Escape.json(String(number))
        case .bool(let truth): String(truth)
        case .array(let values): "[" + values.map(json).joined(separator: ",") + "]"
        case .dictionary(let values):
            "{"
                + sorted(values).map { "\(Escape.json($0.key)):\(json($0.value))" }
                .joined(separator: ",") + "}"
        }
    }
}
