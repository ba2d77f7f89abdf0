internal import Arguments
internal import Configuration
internal import EventLoop
internal import Spelling

/// What commands that send by hand need of a connector: its apps, but not Kafka.
extension Connector {
    /// Reads the connector file whose credential is used.
    static func toSend(from path: String) throws(Refusal) -> Connector {
        let loaded = ConnectorFile.load(
            path: path, environment: ProcessEnvironment.variables, mode: .runWithoutKafka)
        if let connector = loaded.connector { return connector }
        throw Refusal(
            text: Diagnostic.report(loaded.diagnostics.filter { $0.severity == .error }),
            code: FileSystem.exists(path) ? .configuration : .noInput)
    }

    /// The app with a name; without a name the only one.
    func app(named name: String?) throws(Refusal) -> AppSettings {
        let names = apns.apps.map(\.name)
        guard let name else {
            if apns.apps.count == 1 { return apns.apps[0] }
            throw Refusal(
                text: "error: \(file) has several apps: \(names.joined(separator: ", "))\n"
                    + "  add --app NAME")
        }
        if let app = apns.apps.first(where: { $0.name == name }) { return app }
        let remedy =
            Suggestion.question(about: name, among: names)
            ?? "its apps are \(names.joined(separator: ", "))"
        throw Refusal(text: "error: \(file) has no app '\(name)'\n  \(remedy)")
    }
}

extension AppSettings {
    /// True unless a mistake does no harm: in the development environment, or at a simulator on
    /// this machine.
    var isReal: Bool { environment == .production && !endpoint.isLoopback }
}
