internal import Avro
internal import JSON

/// Files with Avro schemas, which may name each other's types.
struct AvroFiles {
    private let files: AvroSchemaFiles

    init(_ files: [RecordSchema.File]) throws(RecordSchema.Fault) {
        guard !files.isEmpty else {
            throw RecordSchema.Fault(path: "", message: "there is no schema")
        }
        do throws(AvroSchemaFiles.Fault) {
            self.files = try AvroSchemaFiles(files.map { (path: $0.path, text: $0.text) })
        } catch {
            let file = files.first { $0.path == error.path }
            let location = error.byte.map { Self.location(of: $0, in: file?.text ?? []) }
            throw RecordSchema.Fault(
                path: error.path,
                message: "it is not a usable Avro schema: \(error.description)",
                remedy: Self.remedy(for: error), line: location?.line ?? 0,
                column: location?.column ?? 0)
        }
    }

    /// The line and the column of a byte, from 1.
    private static func location(of byte: Int, in text: [UInt8]) -> (line: Int, column: Int) {
        let before = text.prefix(byte)
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let line = before.count { $0 == 0x0A } + 1
        let beginning = String(decoding: before[lineStart...], as: UTF8.self)
        return (line, beginning.unicodeScalars.count + 1)
    }

    private static func remedy(for fault: AvroSchemaFiles.Fault) -> String? {
        switch fault.cause {
        case .undefined: "pass the file that defines it, too: --schema FILE"
        case .different: "write the same definition in both files"
        case .other where fault.byte != nil:
            "an .avsc file is Avro's JSON: correct it, or name a .proto file"
        case .other: nil
        }
    }

    /// The types that no other file contains.
    func types(_ shape: inout JSONShape) -> [EventType] {
        files.schemas.map { path, schema in
            let own = schema.shape
            let shift = shape.add(own.shape)
            return EventType(name: path, node: own.root + shift, schema: .avro(schema))
        }
    }
}
