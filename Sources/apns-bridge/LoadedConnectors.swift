internal import Arguments
internal import Configuration
internal import EventLoop

/// The connector files that the words of a command line mean, read and checked.
struct LoadedConnectors {
    /// The files and folders that a verb takes.
    static let paths = Argument<[String]>(
        "connector", completion: .file, help: "Connector file, or folder of connector files.")

    let connectors: [Connector]
    let diagnostics: [Diagnostic]
    let files: [String]

    /// Reads them; what is wrong stands in ``diagnostics``.
    static func load(_ paths: [String], mode: ConnectorFile.Mode) -> LoadedConnectors {
        let loaded = ConnectorFile.load(
            paths: paths, environment: ProcessEnvironment.variables, mode: mode)
        return LoadedConnectors(
            connectors: loaded.connectors, diagnostics: loaded.diagnostics, files: loaded.files)
    }

    /// Reads them for a check, with the process settings that belong to them: `settings` names a
    /// file of any name.
    static func lint(_ paths: [String], settings: String?) -> LoadedConnectors {
        let loaded = load(paths, mode: .lint)
        var (diagnostics, files) = (loaded.diagnostics, loaded.files)
        if let settings, !files.contains(settings) {
            diagnostics += ProcessFile.lint(
                settings, environment: ProcessEnvironment.variables)
            files.append(settings)
        }
        diagnostics += ProcessFile.surplus(ProcessFile.find(paths, settings: settings))
        return LoadedConnectors(
            connectors: loaded.connectors, diagnostics: diagnostics, files: files)
    }

    var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

    /// The exit code of a load of these paths that found errors.
    func failure(of paths: [String]) -> ExitCode {
        files.isEmpty || paths.contains { !FileSystem.exists($0) } ? .noInput : .configuration
    }
}
