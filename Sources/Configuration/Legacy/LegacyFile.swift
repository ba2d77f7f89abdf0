internal import EventLoop
internal import YAML

/// Reads the files of the two commands for legacy providers.
///
/// They may be in a folder of connectors: their names end in the command's name, as those of tests
/// end in `.test.yaml`.
public enum LegacyFile {
    /// The command that a file is for.
    public enum Kind: String, CaseIterable, Sendable {
        /// A `*.legacy-gateway.yaml`.
        case gateway = "legacy-gateway"
        /// A `*.feedback-service.yaml`.
        case feedback = "feedback-service"

        /// The suffix of these files' names.
        public var ending: String { ".\(rawValue).yaml" }

        var keys: [ConnectorKey] {
            self == .gateway ? ConnectorKey.legacyGateway : ConnectorKey.feedbackService
        }
    }

    /// The command that a file is for, according to its name; nil for other files.
    public static func kind(of path: String) -> Kind? {
        Kind.allCases.first { path.hasSuffix($0.ending) }
    }

    /// The files of either kind for a path: itself, or for a folder those in it, sorted by name;
    /// none when the path is something else.
    public static func files(at path: String) -> [String] {
        if kind(of: path) != nil { return [path] }
        let names = (try? InputFile.names(inFolder: path)) ?? []
        return names.filter { kind(of: $0) != nil && !$0.hasPrefix(".") }
            .map { FilePath.resolve($0, in: path) }
    }

    /// Reads a command's file; the settings are nil when there is an error.
    public static func read(
        _ kind: Kind, path: String, environment: [String: String]
    ) -> (settings: LegacySettings?, diagnostics: [Diagnostic]) {
        FreedMemory.wiping { read(path, kind, environment, .run) }
    }

    /// Checks a file of either kind without starting anything.
    static func lint(_ path: String, _ kind: Kind, environment: [String: String]) -> [Diagnostic] {
        read(path, kind, environment, .lint).diagnostics
    }

    private static func read(
        _ path: String, _ kind: Kind, _ environment: [String: String], _ mode: ConnectorFile.Mode
    ) -> (settings: LegacySettings?, diagnostics: [Diagnostic]) {
        guard path.hasSuffix(kind.ending) else { return (nil, [misnamed(path, kind)]) }
        return SettingsFile.read(
            path, environment: environment, mode: mode, keys: kind.keys,
            subject: "a file of this kind", beginning: "listen: {certificate: gateway.pem}"
        ) { file in
            LegacyBuilder(
                file: path, settings: file.settings, root: file.root, resolver: file.resolver,
                findings: file.findings
            ).settings(of: kind)
        }
    }

    private static func misnamed(_ path: String, _ kind: Kind) -> Diagnostic {
        Diagnostic(
            file: path.isEmpty ? "''" : path, line: 0, column: 0, severity: .error,
            message: "the name of this file does not end in '\(kind.ending)'",
            remedy: "rename it: in a folder of connectors only its name identifies it")
    }

    /// Reports which command a file is for when it was passed to another one.
    static func misplaced(_ path: String, _ kind: Kind) -> Diagnostic {
        Diagnostic(
            file: path, line: 0, column: 0, severity: .error,
            message: "this file is not a connector",
            remedy: "start it with: apns-bridge \(kind.rawValue) \(path)")
    }
}
