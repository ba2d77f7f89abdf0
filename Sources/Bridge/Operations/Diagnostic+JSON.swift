internal import Configuration
internal import JSON

extension [Diagnostic] {
    /// Writes the member `problems` of an object.
    func writeProblems(to writer: inout JSONWriter) {
        writer.array("problems", self) { $0.write(to: &$1) }
    }
}

extension Diagnostic {
    /// Writes what is wrong, where, and what to do.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("file")
        writer.string(file)
        writer.name("line")
        writer.integer(line)
        writer.name("column")
        writer.integer(column)
        writer.name("severity")
        writer.string(severity.rawValue)
        writer.name("message")
        writer.string(message)
        if let remedy {
            writer.name("remedy")
            writer.string(remedy)
        }
        writer.endObject()
    }
}
