internal import EventLoop
public import Mapping
internal import YAML

/// Reads connector files and checks everything that can be checked before startup.
public enum ConnectorFile {
    /// The purpose of reading a file.
    public enum Mode: Sendable {
        /// Running: every `${env:}` must be set and every `${file:}` must exist.
        case run
        /// Like ``run``, but what records become is shown, and nothing is sent.
        case dryRun
        /// Checking: anything missing outside of the file is a warning.
        case lint
        /// Inspecting what events become: nothing outside of the file is needed, and missing values
        /// are replaced by the text as written. A missing key is replaced by one that is never
        /// used.
        case inspect
        /// Like ``inspect``, but for reading records: everything that `kafka` needs must exist,
        /// and the keys of seals.
        case inspectWithKafka
        /// Like ``run``, but for sending without Kafka: what only Kafka needs may be missing.
        case runWithoutKafka
        /// Like ``run``, but for an examination before a start, with the advice of ``lint``.
        case examine

        /// True when advice is asked for that a running bridge need not repeat at each start.
        var isAdvising: Bool { self == .lint || self == .examine }
        /// True when nothing but Kafka is accessed.
        var isInspecting: Bool { self == .inspect || self == .inspectWithKafka }

        /// The blocks that only reading from Kafka needs.
        private static let connecting: Set<Substring> = ["kafka", "kafka_login", "schema_registry"]

        /// The mode that applies to the setting at a path.
        func mode(at path: String) -> Mode {
            let block = path.prefix { $0 != "." }
            return switch self {
            case .inspectWithKafka
            where Self.connecting.contains(block) || path.hasPrefix("results.seal"): .run
            case .runWithoutKafka
            where ["source", "results"].contains(block) || Self.connecting.contains(block):
                .inspect
            default: self
            }
        }
    }

    /// Reads one connector file; the connector is nil when there is an error, or when something
    /// outside of the file is missing, which is a warning for ``Mode/lint`` and ignored for
    /// ``Mode/inspect``.
    ///
    /// The values of an environment that `isWritten` in another file may be shown. `settings` is a
    /// file with process settings; nil for that in the folder of the connector. Paths are checked
    /// with `schemas`.
    public static func load(
        path: String, environment: [String: String], isWritten: Bool = false, mode: Mode = .run,
        settings: String? = nil, schemas: EventSchemas = EventSchemas()
    ) -> (connector: Connector?, diagnostics: [Diagnostic]) {
        if path.hasSuffix(".test.yaml") { return (nil, [testFile(path)]) }
        if ProcessFile.isNamed(path) {
            if mode == .lint { return (nil, ProcessFile.lint(path, environment: environment)) }
            return (nil, [ProcessFile.misplaced(path)])
        }
        if let kind = LegacyFile.kind(of: path) {
            if mode == .lint { return (nil, LegacyFile.lint(path, kind, environment: environment)) }
            return (nil, [LegacyFile.misplaced(path, kind)])
        }
        return FreedMemory.wiping {
            do throws(InputFile.Failure) {
                let bytes = try InputFile.read(path: path)
                return load(
                    bytes: bytes, path: path, environment: environment, isWritten: isWritten,
                    mode: mode, settings: settings, schemas: schemas)
            } catch {
                return (nil, [unreadable(path, error)])
            }
        }
    }

    /// Reads a connector from the bytes of its file; paths in it are relative to the folder of
    /// `path`.
    public static func load(
        bytes: [UInt8], path: String, environment: [String: String], isWritten: Bool = false,
        mode: Mode = .run, settings: String? = nil, schemas: EventSchemas = EventSchemas()
    ) -> (connector: Connector?, diagnostics: [Diagnostic]) {
        FreedMemory.wiping {
            read(
                bytes: bytes, path: path, environment: environment, isWritten: isWritten,
                mode: mode, settings: settings, schemas: schemas)
        }
    }

    private static func read(
        bytes: [UInt8], path: String, environment: [String: String], isWritten: Bool, mode: Mode,
        settings: String?, schemas: EventSchemas
    ) -> (connector: Connector?, diagnostics: [Diagnostic]) {
        let document = YAMLDocument.read(bytes: bytes, file: path)
        let findings = Findings(document: document)
        guard let root = document.root else { return (nil, findings.sorted) }
        let resolver = ReferenceResolver(
            environment: environment, folder: FilePath.folder(of: path), mode: mode,
            findings: findings, isEnvironmentWritten: isWritten, processFile: settings)
        var reader = SettingsReader(resolver: resolver, findings: findings)
        guard reader.read(root) else { return (nil, findings.sorted) }
        let connector = ConnectorBuilder(
            file: path, settings: reader.settings, root: root, resolver: resolver,
            findings: findings, example: mode == .lint ? ExampleEvent(ofConnector: path) : nil,
            schemas: schemas
        ).build()
        return (connector, findings.sorted)
    }

    /// Reads files and folders; the names of connectors must be unique. A connector is unusable if
    /// its file is right and something that it names is not.
    public static func load(
        paths: [String], environment: [String: String], mode: Mode = .run,
        settings: String? = nil, schemas: EventSchemas = EventSchemas()
    ) -> (
        connectors: [Connector], unusable: [UnusableConnector], diagnostics: [Diagnostic],
        files: [String]
    ) {
        var connectors: [Connector] = []
        var unusable: [UnusableConnector] = []
        var diagnostics: [Diagnostic] = []
        var read: [String] = []
        var owners: [String: String] = [:]
        for path in paths {
            do {
                diagnostics += overlooked(in: path)
                for file in try files(at: path, mode) where !read.contains(file) {
                    read.append(file)
                    let result = load(
                        path: file, environment: environment, mode: mode, settings: settings,
                        schemas: schemas)
                    diagnostics += result.diagnostics
                    if ProcessFile.isNamed(file) { continue }
                    if let connector = result.connector { connectors.append(connector) }
                    let name = FilePath.baseName(file)
                    if let found = UnusableConnector(name, file, result.diagnostics) {
                        unusable.append(found)
                    }
                    if let owner = owners[name] {
                        diagnostics.append(sameName(name, file: file, owner: owner))
                    }
                    owners[name] = file
                }
            } catch {
                diagnostics.append(error)
            }
        }
        return (connectors, unusable, diagnostics + conflicts(connectors), read)
    }

    /// The connector files for a path: itself, or for a folder every `*.yaml` in it, sorted by
    /// name, except `*.test.yaml` and, unless for ``Mode/lint``, files of legacy providers and the
    /// process settings.
    public static func files(at path: String, _ mode: Mode = .run) throws(Diagnostic) -> [String] {
        let names: [String]?
        do {
            names = try InputFile.names(inFolder: path)
        } catch {
            throw unreadable(path, error)
        }
        guard let names else { return [path] }
        let files = names.filter { name in
            name.hasSuffix(".yaml") && !name.hasSuffix(".test.yaml") && !name.hasPrefix(".")
                && (mode == .lint || LegacyFile.kind(of: name) == nil && name != ProcessFile.name)
        }
        guard !files.isEmpty else {
            throw Diagnostic(
                file: path, line: 0, column: 0, severity: .error,
                message: "this folder contains no connector file",
                remedy:
                    "the names of connector files end in .yaml, those of their tests in .test.yaml")
        }
        return files.map { FilePath.resolve($0, in: path) }
    }

    /// Warns of files in a folder that look like connectors but are not read.
    private static func overlooked(in folder: String) -> [Diagnostic] {
        guard let names = try? InputFile.names(inFolder: folder) else { return [] }
        return names.filter { $0.hasSuffix(".yml") && !$0.hasPrefix(".") }.map { name in
            Diagnostic(
                file: FilePath.resolve(name, in: folder), line: 0, column: 0, severity: .warning,
                message: "this file is ignored",
                remedy: "rename it: the names of connector files end in .yaml")
        }
    }

    private static func testFile(_ path: String) -> Diagnostic {
        let connector = path.dropLast(".test.yaml".count) + ".yaml"
        return Diagnostic(
            file: path, line: 0, column: 0, severity: .error,
            message: "this is a connector's test file",
            remedy: "pass the connector itself: \(connector); 'apns-bridge test' runs its tests")
    }

    static func unreadable(
        _ path: String, _ failure: InputFile.Failure,
        _ wanted: String = "a connector file or a folder of them"
    ) -> Diagnostic {
        Diagnostic(
            file: path.isEmpty ? "''" : path, line: 0, column: 0, severity: .error,
            message: "cannot be read: \(failure.reason)",
            remedy: failure.isMissing ? "name \(wanted)" : nil)
    }

    private static func sameName(_ name: String, file: String, owner: String) -> Diagnostic {
        Diagnostic(
            file: file, line: 1, column: 1, severity: .error,
            message: "another connector is already named '\(name)': \(owner)",
            remedy: "rename one of the files")
    }
}
