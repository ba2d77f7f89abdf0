internal import Configuration

/// Bytes as a connector file: whatever they are, the result is a connector or an error.
enum ConnectorTarget {
    static func run(_ bytes: [UInt8]) {
        let loaded = ConnectorFile.load(
            bytes: bytes, path: "nowhere/fuzz.yaml", environment: [:], mode: .inspect)
        let hasError = loaded.diagnostics.contains { $0.severity == .error }
        precondition((loaded.connector == nil) == hasError, "no connector and no error, or both")
        _ = Diagnostic.report(loaded.diagnostics)
    }
}
