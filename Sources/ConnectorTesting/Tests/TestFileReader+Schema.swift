internal import Configuration
internal import Mapping
internal import YAML

/// Reads the schemas of a test file, and events by them.
extension TestFileReader {
    /// The schema of the events; nil without one, or if it is not usable.
    func schema(_ node: YAMLNode?) -> RecordSchema? {
        guard let node else { return nil }
        let nodes = node.elements ?? [node]
        guard !nodes.isEmpty else {
            findings.error(node, "'schema' has no file", "write schema: order.avsc, or remove it")
            return nil
        }
        let paths = nodes.compactMap { text($0, "schema") }
        guard paths.count == nodes.count else { return nil }
        do throws(Diagnostic) {
            return try SchemaFiles.load(paths.map { besideFile($0) })
        } catch {
            let line = error.line > 0 ? ":\(error.line):\(error.column)" : ""
            findings.error(node, "'schema': \(error.file)\(line): \(error.message)", error.remedy)
            return nil
        }
    }

    /// What the connector sees of an event in JSON; nil, with an error, if it is not one of the
    /// schema.
    func event(_ json: [UInt8]?, _ node: YAMLNode) -> [UInt8]? {
        guard let json, let schema else { return json }
        do throws(RecordSchema.SampleFault) {
            return try schema.sample(json)
        } catch {
            findings.error(
                node, "the event does not fit the schema: \(error.message)",
                "correct it; value_text and value_base64 are not compared with the schema")
            return nil
        }
    }

    /// A path relative to the folder of the test file.
    func besideFile(_ path: String) -> String {
        FilePath.resolve(path, in: FilePath.folder(of: file))
    }
}
