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
                throw Diagnostic(
                    file: path, line: 0, column: 0, severity: .error,
                    message: "cannot be read: \(error.reason)", remedy: RecordSchema.remedy)
            }
        }
        do throws(RecordSchema.Fault) {
            return try RecordSchema(files)
        } catch {
            throw Diagnostic(
                file: error.path, line: error.line, column: error.column, severity: .error,
                message: error.message, remedy: error.remedy)
        }
    }
}
