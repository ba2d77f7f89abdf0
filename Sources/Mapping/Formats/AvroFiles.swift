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
            throw RecordSchema.Fault(
                path: error.path,
                message: "it is not a usable Avro schema: \(error.description)",
                remedy: Self.remedy(for: error.cause))
        }
    }

    private static func remedy(for cause: AvroSchemaFiles.Fault.Cause) -> String? {
        switch cause {
        case .undefined: "pass the file that defines it, too: --schema FILE"
        case .different: "write the same definition in both files"
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
