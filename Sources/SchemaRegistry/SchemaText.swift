internal import Configuration
internal import Mapping

/// Schemas as they are written, which Apicurio's API responds with as they are.
enum SchemaText {
    private static let primitives = [
        "null", "boolean", "int", "long", "float", "double", "bytes", "string",
    ]

    /// What a text is written in, by its beginning. It is nil for one that names no type and no
    /// message: a page or a message of what responds in the place of the registry.
    static func format(of text: [UInt8]) -> SchemaEncoding? {
        let text = String(decoding: text.prefix(64 << 10), as: UTF8.self)
        let names = primitives.map { "\"\($0)\"" }
        switch text.first(where: { !$0.isWhitespace }) {
        case nil, "<": return nil
        case "{": return text.contains("\"type\"") ? .avro : nil
        case "[": return (names + ["\"type\""]).contains { text.contains($0) } ? .avro : nil
        case "\"": return names.contains { text.contains($0) } ? .avro : nil
        default:
            let hasBlock = ["message ", "enum "].contains { text.contains($0) }
                && text.contains("{")
            return hasBlock || text.contains(/(syntax|edition)\s*=/) ? .protobuf : nil
        }
    }
}
