public import Mapping
internal import YAML

/// Files with the schemas of events.
public enum SchemaFiles {
    /// Reads and compiles files; there is either a schema or what is wrong with a file.
    public static func load(_ paths: [String]) throws(Diagnostic) -> RecordSchema {
        var files: [RecordSchema.File] = []
        for path in paths where !files.contains(where: { $0.path == path }) {
            do throws(InputFile.Failure) {
                files.append(RecordSchema.File(path: path, text: try InputFile.read(path: path)))
            } catch {
                throw problem(
                    path, "cannot be read: \(error.reason)",
                    "name a schema: an .avsc or a .proto file")
            }
        }
        do throws(RecordSchema.Fault) {
            return try RecordSchema(files)
        } catch {
            throw problem(error.path, error.message, error.remedy)
        }
    }

    private static func problem(
        _ path: String, _ message: String, _ remedy: String?
    ) -> Diagnostic {
        Diagnostic(
            file: path, line: 0, column: 0, severity: .error, message: message, remedy: remedy)
    }
}
