/// A connector whose file is right, and which cannot run because something that the file names is
/// not: a certificate that has expired, a key that cannot be read.
public struct UnusableConnector: Equatable, Sendable {
    /// Its name, from the name of its file.
    public var name: String
    /// The path of its file.
    public var file: String
    /// The errors, each of them external.
    public var diagnostics: [Diagnostic]

    /// Describes a connector; nil unless it has errors, all of which are external.
    public init?(_ name: String, _ file: String, _ diagnostics: [Diagnostic]) {
        let errors = diagnostics.filter { $0.severity == .error }
        guard !errors.isEmpty, errors.allSatisfy(\.isExternal) else { return nil }
        self.name = name
        self.file = file
        self.diagnostics = errors
    }
}
