internal import YAML

/// A file of settings beside the connectors, read by the table of its keys.
struct SettingsFile {
    let root: YAMLNode
    let settings: [String: Setting]
    let resolver: ReferenceResolver
    let findings: Findings

    /// Reads a file and builds a value from it; nil when there is an error.
    static func read<Value>(
        _ path: String, environment: [String: String], mode: ConnectorFile.Mode,
        keys: [ConnectorKey], subject: String, beginning: String,
        build: (SettingsFile) -> Value?
    ) -> (settings: Value?, diagnostics: [Diagnostic]) {
        let bytes: [UInt8]
        do {
            bytes = try InputFile.read(path: path)
        } catch {
            return (nil, [ConnectorFile.unreadable(path, error, subject)])
        }
        let document = YAMLDocument.read(bytes: bytes, file: path)
        let findings = Findings(document: document)
        guard let root = document.root else { return (nil, findings.sorted) }
        let resolver = ReferenceResolver(
            environment: environment, folder: FilePath.folder(of: path), mode: mode,
            findings: findings)
        var reader = SettingsReader(
            resolver: resolver, findings: findings, keys: keys, subject: subject,
            beginning: beginning)
        guard reader.read(root) else { return (nil, findings.sorted) }
        let file = SettingsFile(
            root: root, settings: reader.settings, resolver: resolver, findings: findings)
        let value = build(file)
        return (value, findings.sorted)
    }
}
