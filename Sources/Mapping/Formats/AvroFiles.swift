internal import Avro
internal import JSON

/// Files with Avro schemas, which may name each other's types.
struct AvroFiles {
    /// Each after those that it needs.
    private var ordered: [RecordSchema.File] = []

    init(_ files: [RecordSchema.File]) throws(RecordSchema.Fault) {
        var rest = files
        while !rest.isEmpty {
            var fault: RecordSchema.Fault?
            let found = rest.firstIndex { file in
                do throws(RecordSchema.Fault) {
                    _ = try Self.compile(file, ordered)
                    return true
                } catch {
                    fault = fault ?? error
                    return false
                }
            }
            guard let found else {
                throw fault ?? RecordSchema.Fault(path: "", message: "there is no schema")
            }
            ordered.append(rest.remove(at: found))
        }
    }

    /// The types that no other file needs.
    func types(_ shape: inout JSONShape) throws(RecordSchema.Fault) -> [EventType] {
        var types: [EventType] = []
        for (index, file) in ordered.enumerated() where !isNeeded(index) {
            let schema = try Self.compile(file, Array(ordered[..<index]))
            let own = schema.shape
            let shift = shape.add(own.shape)
            types.append(
                EventType(name: file.path, node: own.root + shift, schema: .avro(schema)))
        }
        return types
    }

    /// True when the files behind it cannot be compiled without it.
    private func isNeeded(_ index: Int) -> Bool {
        guard let last = ordered[(index + 1)...].last else { return false }
        var others = ordered
        others.removeLast()
        others.remove(at: index)
        return (try? Self.compile(last, others)) == nil
    }

    private static func compile(
        _ file: RecordSchema.File, _ others: [RecordSchema.File]
    ) throws(RecordSchema.Fault) -> AvroSchema {
        do throws(AvroSchemaFault) {
            return try AvroSchema(file.text, references: others.map(\.text))
        } catch {
            let message = error.description
            throw RecordSchema.Fault(
                path: file.path, message: "it is not a usable Avro schema: \(message)",
                remedy: message.contains("is not defined")
                    ? "pass the file that defines it, too: --schema FILE" : nil)
        }
    }
}
