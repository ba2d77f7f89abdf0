internal import Arguments
internal import Configuration

/// The app whose channels are managed, and where.
enum ChannelTarget {
    private typealias Options = ChannelOptions

    /// The app that the options choose; its endpoint is where its channels are managed.
    static func app(
        _ parsed: ParsedCommand, _ connector: Connector
    ) throws(Refusal) -> AppSettings {
        var app = try connector.app(named: parsed[Options.app])
        let proxy = app.endpoint.proxy
        if let environment = parsed[Options.environment] {
            try refuseEnvironment(parsed, app, connector)
            app.environment = environment
        }
        if let address = parsed[Options.endpoint] {
            app.endpoint = try endpoint(address, parsed, app)
        } else if let file = parsed[Options.authorities] {
            throw Refusal(
                text: "error: --ca-file \(file) is only valid with --endpoint\n"
                    + "  the connector's ca_file applies to its own endpoint; remove the option")
        } else if !app.endpoint.isCustom {
            app.endpoint = .appleChannels(app.environment)
        }
        app.endpoint.proxy = proxy
        return app
    }

    /// A simulator or gateway has one environment, whatever an option says.
    private static func refuseEnvironment(
        _ parsed: ParsedCommand, _ app: AppSettings, _ connector: Connector
    ) throws(Refusal) {
        guard app.endpoint.isCustom, parsed[Options.endpoint] == nil else { return }
        throw Refusal(
            text: "error: --environment chooses among Apple's hosts, but \(connector.file) sets"
                + " 'endpoint'\n  remove the option, or name the other service with --endpoint")
    }

    private static func endpoint(
        _ address: String, _ parsed: ParsedCommand, _ app: AppSettings
    ) throws(Refusal) -> EndpointSettings {
        let roots = try parsed[Options.authorities].map(trustRoots) ?? app.endpoint.trustRoots
        do throws(EndpointText.Failure) {
            let (host, port) = try EndpointText.read(address)
            return EndpointSettings(host: host, port: port, trustRoots: roots, isCustom: true)
        } catch {
            let message = error.message.replacing("'endpoint'", with: "--endpoint \(address)")
            throw Refusal(text: "error: \(message)\n  \(error.remedy)")
        }
    }

    private static func trustRoots(_ path: String) throws(Refusal) -> EndpointSettings.TrustRoots {
        let bytes = try EventInput.read(path)
        guard String(decoding: bytes, as: UTF8.self).contains("-----BEGIN CERTIFICATE-----") else {
            throw Refusal(
                text: "error: --ca-file \(path) does not contain a PEM certificate\n"
                    + "  name a file that contains '-----BEGIN CERTIFICATE-----'")
        }
        return .pem(bytes)
    }
}
