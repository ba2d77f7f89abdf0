internal import Arguments
internal import Configuration
internal import EventLoop

/// The files that ``DoctorVerb`` examines, read and checked: connectors, and those of the services
/// for legacy providers.
struct DoctorFiles {
    let connectors: [Connector]
    let services: [LegacySettings]
    let process: Process
    /// A path is neither a legacy file nor a folder that only has such files.
    let includesConnectors: Bool
    let diagnostics: [Diagnostic]
    /// A path names nothing that exists, or a folder without any such file.
    let isMissing: Bool

    /// The settings of the process: those that `run` would have.
    struct Process {
        /// The file; nil for none.
        let file: String?
        /// Nil when there is an error.
        let settings: ProcessSettings?
        let diagnostics: [Diagnostic]

        init(_ paths: [String], settings named: String?) {
            file = ProcessFile.find(paths, settings: named).first
            (settings, diagnostics) = ProcessFile.load(
                paths, settings: named, environment: ProcessEnvironment.variables)
        }
    }

    /// Reads files and folders; `settings` is a file with process settings.
    static func load(_ paths: [String], settings: String? = nil) -> DoctorFiles {
        var files: [String] = []
        for file in paths.flatMap(LegacyFile.files) where !files.contains(file) {
            files.append(file)
        }
        let others = paths.filter { !isOnlyLegacy($0) }
        let loaded = LoadedConnectors.load(others, mode: .examine, settings: settings)
        let read = files.compactMap { file in
            LegacyFile.kind(of: file).map {
                LegacyFile.read($0, path: file, environment: ProcessEnvironment.variables)
            }
        }
        return DoctorFiles(
            connectors: loaded.connectors, services: read.compactMap(\.settings),
            process: Process(others, settings: settings),
            includesConnectors: !others.isEmpty,
            diagnostics: loaded.diagnostics + read.flatMap(\.diagnostics),
            isMissing: loaded.hasErrors && loaded.failure(of: others) == .noInput
                || files.contains { !FileSystem.exists($0) })
    }

    /// A legacy file, or a folder of such files without a connector.
    private static func isOnlyLegacy(_ path: String) -> Bool {
        if LegacyFile.kind(of: path) != nil { return true }
        return !LegacyFile.files(at: path).isEmpty && (try? ConnectorFile.files(at: path)) == nil
    }

    /// How many of each kind could be read: `2 connectors, 1 legacy gateway`.
    var count: String {
        func message(_ count: Int, _ one: String, _ many: String) -> String? {
            count == 0 ? nil : "\(count) \(count == 1 ? one : many)"
        }
        let all = [
            message(connectors.count, "connector", "connectors"),
            message(services.count { $0.kind == .gateway }, "legacy gateway", "legacy gateways"),
            message(
                services.count { $0.kind == .feedback }, "feedback service", "feedback services"),
        ]
        let some = all.compactMap { $0 }
        return some.isEmpty ? "0 connectors" : some.joined(separator: ", ")
    }
}
