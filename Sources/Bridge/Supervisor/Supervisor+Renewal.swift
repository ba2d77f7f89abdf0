internal import APNs
internal import Configuration
internal import EventLoop
internal import Telemetry

/// Adopts new keys, certificates and trusted roots while connectors run.
extension Supervisor {
    private static var pause: Duration { .seconds(2) }
    private static var maxPause: Duration { .seconds(60) }

    /// Checks at once, and then every two seconds, whether a member's files have changed, until it
    /// is cancelled. `identities` are those of the credentials with which it was checked.
    func renewCredentials(of number: Int, checkedWith identities: [String]) async {
        guard let index = index(of: number) else { return }
        var watch = CredentialFiles(members[index].connector, checkedWith: identities)
        // They may have changed since the connector was read, while its start was checked.
        watch.lookAgain()
        var pause = Duration.zero
        while !Task.isCancelled {
            do { try await Task.sleep(for: pause) } catch { return }
            let isDone = await renew(&watch, of: number)
            pause = isDone ? Self.pause : min(pause * 2, Self.maxPause)
        }
    }

    /// Adopts what has changed; false when that must be tried again.
    private func renew(_ files: inout CredentialFiles, of number: Int) async -> Bool {
        switch files.look(ProcessEnvironment.variables) {
        case .unchanged: return true
        case .unreadable(let mistake):
            refuse(files.connector, mistake)
            return true
        case .changed(let found):
            if files.hasOtherChanges(in: found) {
                logger.warning(
                    "changes beyond credentials in the connector file take effect after a reload",
                    metadata: [
                        "connector": .string(found.name), "file": .string(found.file),
                        "action": "send SIGHUP or POST /reload to apply them",
                    ])
            }
            for route in files.renewals(in: found) ?? [] {
                guard await renew(route, of: found, member: number) else {
                    files.lookAgain()
                    return false
                }
                files.takeOver(route)
            }
            return true
        }
    }

    /// Checks a new credential with a connection and passes it to the workers; false when that is
    /// not possible now.
    private func renew(_ number: Int, of connector: Connector, member: Int) async -> Bool {
        let apps = connector.apns.routes[number]
        let app = connector.apns.apps[apps[0]]
        let credential = credential(of: app)
        let parts = parts
        let checked = await onThread("renew") { () throws(StartFailure) in
            try parts.checkAPNs(connector, app, credential)
        }
        // The check took a while: the member may have ended, and another one have its name.
        guard !isStopping(member) else { return true }
        switch checked {
        case .failure(let failure):
            refuse(connector, failure.diagnostics.first)
            return failure.kind == .configuration
        case .success(let route):
            let names = apps.map { connector.apns.apps[$0].name }
            logger.info(
                "new credential found; opening connections with it next to the current ones",
                metadata: [
                    "connector": .string(connector.name), "apps": .strings(names),
                    "credential": .string(app.credential.message),
                ])
            adopt(route, number: number, of: member)
            return true
        }
    }

    /// Offers a new route to all workers of a member.
    func adopt(_ route: APNsRoute, number: Int, of member: Int) {
        guard let index = index(of: member), members[index].routes.indices.contains(number)
        else { return }
        let offer = members[index].offer(route, number: number)
        for mailbox in members[index].mailboxes { mailbox.post(offer) }
    }

    /// A member's connector with the credentials that its files have now; the one that it has if
    /// they cannot be read, or say something else, too, which takes a reload.
    func connectorWithNewCredentials(_ number: Int) async -> Connector? {
        guard let connector = index(of: number).map({ members[$0].connector }) else { return nil }
        guard CredentialFiles.canBeReadAgain(connector) else { return connector }
        let found = await onThread("credentials") {
            ConnectorFile.load(
                path: connector.file, environment: ProcessEnvironment.variables,
                settings: connector.processFile
            ).connector
        }
        guard let found, connector.runsLike(found), let index = index(of: number) else {
            return connector
        }
        members[index].connector = found
        return found
    }

    private func refuse(_ connector: Connector, _ mistake: Diagnostic?) {
        logger.error(
            "new credential is not usable; continuing with the current one",
            metadata: [
                "connector": .string(connector.name),
                "detail": .string(mistake?.message ?? ""),
                "place": .string(mistake?.location ?? ""),
                "action": .string(mistake?.remedy ?? "correct the file; it is read again"),
            ])
    }
}
