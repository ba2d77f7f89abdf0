internal import APNs
internal import Configuration
internal import EventLoop
internal import Telemetry

/// Adopts new keys, certificates and trusted roots while connectors run.
extension Supervisor {
    private static var pause: Duration { .seconds(2) }
    private static var longestPause: Duration { .seconds(60) }

    /// Checks every two seconds whether files have changed, until it is cancelled.
    func renewCredentials() async {
        var watches = connectors.map { CredentialFiles($0) }
        var pause = Self.pause
        while !Task.isCancelled {
            do { try await Task.sleep(for: pause) } catch { return }
            var hasFailed = false
            for index in watches.indices {
                if await !renew(&watches[index]) { hasFailed = true }
            }
            pause = hasFailed ? min(pause * 2, Self.longestPause) : Self.pause
        }
    }

    /// Adopts what has changed; false when that must be tried again.
    private func renew(_ files: inout CredentialFiles) async -> Bool {
        switch files.look(ProcessEnvironment.variables) {
        case .unchanged: return true
        case .unreadable(let mistake):
            refuse(files.connector, mistake)
            return true
        case .changed(let found):
            guard let routes = files.renewals(in: found) else {
                logger.warning(
                    "changes beyond credentials in the connector file take effect after a restart",
                    metadata: ["connector": .string(found.name), "file": .string(found.file)])
                return true
            }
            for route in routes {
                guard await renew(route, of: found) else {
                    files.lookAgain()
                    return false
                }
                files.takeOver(route, of: found)
            }
            return true
        }
    }

    /// Checks a new credential with a connection and passes it to the workers; false when that is
    /// not possible now.
    private func renew(_ number: Int, of connector: Connector) async -> Bool {
        let places = connector.apns.routes[number]
        let app = connector.apns.apps[places[0]]
        let credential = credential(of: app)
        let checked = await onThread("renew") { () throws(StartFailure) in
            try APNsCheck.route(connector, app, credential)
        }
        switch checked {
        case .failure(let failure):
            refuse(connector, failure.diagnostics.first)
            return failure.kind == .configuration
        case .success(let route):
            let names = places.map { connector.apns.apps[$0].name }
            logger.info(
                "new credential found; opening connections with it next to the current ones",
                metadata: [
                    "connector": .string(connector.name), "apps": .strings(names),
                    "credential": .string(app.credential.words),
                ])
            renew(connector.name, route: number, route)
            return true
        }
    }

    private func refuse(_ connector: Connector, _ mistake: Diagnostic?) {
        logger.error(
            "new credential is not usable; continuing with the current one: "
                + (mistake?.message ?? ""),
            metadata: [
                "connector": .string(connector.name),
                "place": .string(mistake.map { "\($0.file):\($0.line):\($0.column)" } ?? ""),
                "remedy": .string(mistake?.remedy ?? ""),
            ])
    }
}
