internal import JSON
internal import Protobuf

/// Files in Protobuf, which may import each other by names that their paths end with.
struct ProtobufFiles {
    private let files: [RecordSchema.File]
    /// The names of what each file imports.
    private let imports: [[String]]

    init(_ files: [RecordSchema.File]) throws(RecordSchema.Fault) {
        self.files = files
        imports = files.map { Self.imports(in: $0.text) }
        guard !files.isEmpty else {
            throw RecordSchema.Fault(path: "", message: "there is no schema")
        }
    }

    /// The messages of the files that no other imports.
    func types(_ shape: inout JSONShape) throws(RecordSchema.Fault) -> [EventType] {
        var names = Array(repeating: Set<String>(), count: files.count)
        for (importer, imported) in imports.enumerated() {
            for name in imported {
                guard let index = index(of: name, importedBy: importer) else { continue }
                names[index].insert(name)
            }
        }
        let named = zip(files, names).flatMap { file, names in
            names.sorted().map { (name: $0, file: file) }
        }
        let isFree = names.contains { $0.isEmpty }
        var types: [EventType] = []
        for (index, file) in files.enumerated() where names[index].isEmpty || !isFree {
            let schema = try compile(file, named)
            let own = schema.shape
            let shift = shape.add(own.shape)
            types += own.messages.map {
                EventType(name: $0.name, node: $0.node + shift, schema: .protobuf(schema, $0))
            }
        }
        return types
    }

    private func compile(
        _ file: RecordSchema.File, _ named: [(name: String, file: RecordSchema.File)]
    ) throws(RecordSchema.Fault) -> ProtobufSchema {
        do throws(ProtobufSchemaFault) {
            return try ProtobufSchema(
                file.text, files: named.map { (name: $0.name, text: $0.file.text) })
        } catch {
            let file = named.first { $0.name == error.file }?.file ?? file
            let missing = imports.enumerated().flatMap { importer, names in
                names.filter {
                    !$0.hasPrefix("google/protobuf/")
                        && index(of: $0, importedBy: importer) == nil
                }
            }.first
            throw RecordSchema.Fault(
                path: file.path,
                message: "it is not a usable Protobuf schema: \(error.message)",
                remedy: missing.map { "pass the file '\($0)', which is imported, too" }
                    ?? Self.remedy(for: file),
                line: error.location?.line ?? 0, column: error.location?.column ?? 0)
        }
    }

    private static func remedy(for file: RecordSchema.File) -> String {
        // `protoc` writes descriptors so.
        if file.text.contains(0) || String(validating: file.text, as: UTF8.self) == nil {
            return "a binary file cannot be read: write a FileDescriptorProto in Base64, or pass"
                + " the .proto file"
        }
        return file.path.hasSuffix(".proto")
            ? "correct it: a .proto file, or a FileDescriptorProto in Base64" : RecordSchema.remedy
    }

    /// The file that a name means: its path is the name or ends with it, or else its own name is
    /// the same, but for Google's types. No file imports itself.
    private func index(of name: String, importedBy importer: Int) -> Int? {
        let others = files.indices.filter { $0 != importer }
        let found =
            others.first { files[$0].path == name }
            ?? others.first { files[$0].path.hasSuffix("/\(name)") }
        if found != nil || name.hasPrefix("google/") { return found }
        return others.first { Self.lastPart(of: files[$0].path) == Self.lastPart(of: name) }
    }

    private static func lastPart(of path: String) -> Substring {
        path.split(separator: "/").last ?? ""
    }

    /// The names of the files that a text imports.
    private static func imports(in text: [UInt8]) -> [String] {
        let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
        return lines.compactMap { line in
            let line = line.drop(while: \.isWhitespace)
            guard line.hasPrefix("import"), let quote = line.first(where: { "\"'".contains($0) })
            else { return nil }
            let parts = line.split(separator: quote, omittingEmptySubsequences: false)
            return parts.count > 2 ? String(parts[1]) : nil
        }
    }
}
