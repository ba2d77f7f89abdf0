internal import Arguments
internal import Configuration
internal import EventLoop
internal import Mapping

/// The connector files given on a command line, read and checked.
struct LoadedConnectors {
    /// The argument for files and folders.
    static let paths = Argument<[String]>(
        "connector", completion: .file, help: "Connector file, or folder of connector files.")

    let connectors: [Connector]
    /// Those whose files are right and name something that is not.
    let unusable: [UnusableConnector]
    let diagnostics: [Diagnostic]
    let files: [String]

    /// Reads them; ``diagnostics`` contains the problems. `settings` is a file with process
    /// settings.
    static func load(
        _ paths: [String], mode: ConnectorFile.Mode, settings: String?,
        schemas: EventSchemas = EventSchemas()
    ) -> LoadedConnectors {
        let loaded = ConnectorFile.load(
            paths: paths, environment: ProcessEnvironment.variables, mode: mode,
            settings: settings, schemas: schemas)
        return LoadedConnectors(
            connectors: loaded.connectors, unusable: loaded.unusable,
            diagnostics: loaded.diagnostics, files: loaded.files)
    }

    /// Reads them for checking, together with their process settings: `settings` is a file with any
    /// name, `schemas` and `keySchemas` are files with the schemas of the events and of their keys.
    static func lint(
        _ paths: [String], settings: String?, schemas: [String] = [], keySchemas: [String] = []
    ) -> LoadedConnectors {
        var known = EventSchemas()
        var faults: [Diagnostic] = []
        for (files, schema) in [(schemas, \EventSchemas.value), (keySchemas, \EventSchemas.key)]
        where !files.isEmpty {
            do throws(Diagnostic) {
                known[keyPath: schema] = try SchemaFiles.load(files)
            } catch {
                faults.append(error)
            }
        }
        let loaded = load(paths, mode: .lint, settings: settings, schemas: known)
        var (diagnostics, files) = (faults + loaded.diagnostics, loaded.files)
        if let settings, !files.contains(settings) {
            diagnostics += ProcessFile.lint(
                settings, environment: ProcessEnvironment.variables)
            files.append(settings)
        }
        diagnostics += ProcessFile.surplus(ProcessFile.find(paths, settings: settings))
        return LoadedConnectors(
            connectors: loaded.connectors, unusable: loaded.unusable, diagnostics: diagnostics,
            files: files)
    }

    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
    /// False when a file is wrong, or no connector is usable.
    var canRun: Bool {
        !connectors.isEmpty && !diagnostics.contains { $0.severity == .error && !$0.isExternal }
    }

    /// The exit code when ``canRun`` is false. What files name may be there at the next start.
    func failureToRun(of paths: [String]) -> ExitCode {
        unusable.isEmpty || diagnostics.contains { $0.severity == .error && !$0.isExternal }
            ? failure(of: paths) : .unavailable
    }

    /// The exit code when loading these paths found errors.
    func failure(of paths: [String]) -> ExitCode {
        files.isEmpty || paths.contains { !FileSystem.exists($0) } ? .noInput : .configuration
    }
}
