internal import YAML

/// Finds and reads the process settings: `bridge.yaml` in a given folder, or a file given by name.
public enum ProcessFile {
    /// The name reserved for process settings; no connector file may have it.
    public static let name = "bridge.yaml"

    /// True for a path whose last part is the reserved name.
    static func isNamed(_ path: String) -> Bool {
        path == name || path.hasSuffix("/" + name)
    }

    /// Reads the settings for the files and folders on a command line; `settings` is a file with
    /// any name. The settings are nil when there is an error.
    public static func load(
        _ paths: [String], settings: String?, environment: [String: String]
    ) -> (settings: ProcessSettings?, diagnostics: [Diagnostic]) {
        let files = find(paths, settings: settings)
        guard let file = files.first else { return (ProcessSettings(), []) }
        guard files.count == 1 else { return (nil, surplus(files)) }
        return read(file, environment, .run)
    }

    /// The files with process settings for a command line.
    public static func find(_ paths: [String], settings: String?) -> [String] {
        var files = settings.map { [$0] } ?? []
        for path in paths {
            guard let names = try? InputFile.names(inFolder: path), names.contains(name) else {
                continue
            }
            let file = FilePath.resolve(name, in: path)
            if !files.contains(file) { files.append(file) }
        }
        return files
    }

    /// Checks a file without starting anything.
    public static func lint(_ path: String, environment: [String: String]) -> [Diagnostic] {
        read(path, environment, .lint).diagnostics
    }

    /// The registry of a file with process settings; nil if it has none. What is wrong with it is
    /// reported where the settings themselves are read.
    static func registry(
        of path: String, _ environment: [String: String], _ mode: ConnectorFile.Mode
    ) -> (settings: SchemaRegistrySettings?, isWritten: Bool, secrets: ResolvedValues) {
        let none: (SchemaRegistrySettings?, Bool, ResolvedValues) = (nil, false, ResolvedValues())
        guard let bytes = try? InputFile.read(path: path) else { return none }
        let document = YAMLDocument.read(bytes: bytes, file: path)
        guard let root = document.root, root["schema_registry"] != nil else { return none }
        let findings = Findings(document: document)
        let resolver = ReferenceResolver(
            environment: environment, folder: FilePath.folder(of: path), mode: mode,
            findings: findings)
        var reader = SettingsReader(
            resolver: resolver, findings: findings, keys: ConnectorKey.process)
        guard reader.read(root) else { return (nil, true, findings.secrets) }
        let registry = RegistryBlock(
            settings: reader.settings, resolver: resolver, findings: findings
        ).read(for: [("format", .avro, isWritten: true)])
        return (findings.hasErrors ? nil : registry, true, findings.secrets)
    }

    /// An error about each file except the first: a process has only one.
    public static func surplus(_ files: [String]) -> [Diagnostic] {
        files.dropFirst().map { file in
            Diagnostic(
                file: file, line: 0, column: 0, severity: .error,
                message: "there are process settings already: \(files[0])",
                remedy: "keep one of the two files: a process has one")
        }
    }

    /// Reports that a file with this name was passed as a connector.
    static func misplaced(_ path: String) -> Diagnostic {
        Diagnostic(
            file: path, line: 0, column: 0, severity: .error,
            message: "this file holds the settings of the process, not a connector",
            remedy: "name its folder, or write --settings \(path)")
    }

    private static func read(
        _ path: String, _ environment: [String: String], _ mode: ConnectorFile.Mode
    ) -> (settings: ProcessSettings?, diagnostics: [Diagnostic]) {
        SettingsFile.read(
            path, environment: environment, mode: mode, keys: ConnectorKey.process,
            subject: "a file with process settings", beginning: "log: {level: info}"
        ) { file in
            ProcessBuilder(
                settings: file.settings, resolver: file.resolver, findings: file.findings
            ).build(SettingLocations(file: path, root: file.root, settings: file.settings))
        }
    }
}
