internal import Spelling

extension Diagnostic: Error {}

extension Diagnostic {
    /// Diagnostics as `lint` prints them: separated by blank lines, without a newline at the end.
    public static func report(_ diagnostics: [Diagnostic], inColour: Bool = false) -> String {
        diagnostics.map { $0.text(inColour: inColour) }.joined(separator: "\n\n")
    }

    /// Counts diagnostics in one line for stderr.
    ///
    /// For example `1 file, 3 errors. Nothing was started.`
    public static func summary(_ diagnostics: [Diagnostic], files: Int) -> String {
        let errors = diagnostics.count { $0.severity == .error }
        let warnings = diagnostics.count - errors
        var parts = [Plural.counted(files, "file")]
        if errors > 0 || warnings == 0 { parts.append(Plural.counted(errors, "error")) }
        if warnings > 0 { parts.append(Plural.counted(warnings, "warning")) }
        let text = parts.joined(separator: ", ") + "."
        return errors > 0 ? text + " Nothing was started." : text
    }
}
