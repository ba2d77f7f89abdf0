/// Reads connector files and checks everything that can be checked before anything starts.
public enum ConnectorFile {
    /// What a file is read for.
    public enum Mode: Sendable {
        /// To run: every `${env:}` must be set and every `${file:}` be there.
        case run
        /// To check: what is missing around the file is a warning.
        case lint
    }

    /// Reads one connector file; the connector is nil when there is an error.
    public static func load(
        path: String, environment: [String: String], mode: Mode = .run
    ) -> (connector: Connector?, diagnostics: [Diagnostic]) {
        (nil, [])
    }

    /// The connector files that a path means: itself, or for a folder every `*.yaml` in it that is
    /// not a `*.test.yaml`, in the order of their names.
    public static func files(at path: String) -> Result<[String], Diagnostic> {
        .success([path])
    }
}

extension Diagnostic: Error {}
