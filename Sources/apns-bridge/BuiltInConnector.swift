internal import Configuration

/// A connector whose file is part of the program.
enum BuiltInConnector {
    /// Why it cannot be used.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Loads it; `environment` stands for the variables of the process.
    static func load(
        _ text: String, named path: String, environment: [String: String] = [:],
        mode: ConnectorFile.Mode = .run
    ) throws(Failure) -> Connector {
        let loaded = ConnectorFile.load(
            bytes: [UInt8](text.utf8), path: path, environment: environment, mode: mode)
        guard let connector = loaded.connector else {
            throw Failure(description: Diagnostic.report(loaded.diagnostics))
        }
        return connector
    }
}
