internal import APNs
internal import Configuration
internal import Delivery
internal import Kafka
internal import Telemetry

/// The checks before connectors are started.
extension Supervisor {
    private static var firstPause: Duration { .seconds(1) }
    private static var maxPause: Duration { .seconds(10) }
    /// The pause between the checks of a connector that has failed to start.
    static var failedPause: Duration { .seconds(60) }

    /// Checks all connectors once; nil when the supervisor is drained meanwhile.
    ///
    /// What is wrong with one of them, or unavailable, is its failure alone. Throws if none can be
    /// started, now or by waiting until `startup_deadline`.
    func checkAll(_ connectors: [Connector]) async throws(StartFailure) -> [Launch]? {
        for connector in connectors { logCheck(of: connector) }
        let (parts, creation, logger) = (parts, options.creation, logger)
        let found = await check(of: nil) { () throws(StartFailure) in
            parts.checkKafka(connectors, creation, logger)
        }
        guard let findings = try found?.get() else { return nil }
        var launches: [Launch] = []
        for result in await prepareAll(Array(zip(connectors, findings))) {
            var launch = Launch(member: 0)
            switch result {
            case nil: return nil
            case .success(let prepared): launch.prepared = prepared
            case .failure(let failure): launch.failure = failure
            }
            launches.append(launch)
        }
        let failures = launches.compactMap(\.failure)
        if failures.count == launches.count, !failures.contains(where: \.mayPass) {
            throw StartFailure(ofAll: failures + failuresOfUnusable)
        }
        return launches
    }

    private func logCheck(of connector: Connector) {
        let apps = connector.apns.routes.map { connector.apns.apps[$0[0]] }
        logger.info(
            "checking connectivity",
            metadata: [
                "connector": .string(connector.name),
                "kafka": .string(KafkaProperties(connector.kafka).addresses),
                "apns": .strings(apps.map(\.endpoint.address)),
            ])
    }

    /// Checks connectors side by side: Kafka where no result is given, then APNs. Those of a
    /// supervisor that is drained meanwhile have no result.
    func prepareAll(
        _ connectors: [(Connector, Result<KafkaCheck.Findings, StartFailure>?)]
    ) async -> [Result<PreparedConnector, StartFailure>?] {
        typealias Prepared = Result<PreparedConnector, StartFailure>?
        return await withTaskGroup(of: (Int, Prepared).self) { group in
            var results = [Prepared](repeating: nil, count: connectors.count)
            for (number, (connector, cluster)) in connectors.enumerated() {
                if number >= KafkaCheck.maxConcurrency, let (done, result) = await group.next() {
                    results[done] = result
                }
                group.addTask {
                    guard let cluster else {
                        return (number, await self.prepare(connector, of: nil))
                    }
                    return (number, await self.prepare(connector, cluster, of: nil))
                }
            }
            for await (number, result) in group { results[number] = result }
            return results
        }
    }

    /// Checks one connector; nil when its member has to end meanwhile.
    func prepare(
        _ connector: Connector, of member: Int?
    ) async -> Result<PreparedConnector, StartFailure>? {
        let (parts, creation, logger) = (parts, options.creation, logger)
        let found = await check(of: member) { () throws(StartFailure) in
            parts.checkKafka([connector], creation, logger)
        }
        switch found {
        case nil: return nil
        case .failure(let failure): return .failure(failure)
        case .success(let results):
            guard let result = results.first else { return nil }
            return await prepare(connector, result, of: member)
        }
    }

    /// Checks APNs, after Kafka.
    private func prepare(
        _ connector: Connector, _ cluster: Result<KafkaCheck.Findings, StartFailure>,
        of member: Int?
    ) async -> Result<PreparedConnector, StartFailure>? {
        let findings: KafkaCheck.Findings
        switch cluster {
        case .success(let found): findings = found
        case .failure(let failure): return .failure(failure)
        }
        report(findings, on: connector)
        let apps = connector.apns.routes.map { connector.apns.apps[$0[0]] }
        let routes = apps.map { ($0, credential(of: $0)) }
        let parts = parts
        return await check(of: member) { () throws(StartFailure) in
            let identities = CredentialFiles.identities(of: connector)
            let checked = try routes.map { (app, credential) throws(StartFailure) in
                try parts.checkAPNs(connector, app, credential)
            }
            return PreparedConnector(cluster: findings, routes: checked, identities: identities)
        }
    }

    private func report(_ findings: KafkaCheck.Findings, on connector: Connector) {
        for warning in findings.warnings { logger.warn(of: warning) }
        for pattern in findings.unmatched {
            logger.info(
                "no topic matches a pattern for now; the bridge waits for one",
                metadata: [
                    "connector": .string(connector.name), "pattern": .string(pattern),
                ])
        }
        guard let failure = findings.unchecked else { return }
        var metadata: Logger.Metadata = [
            "connector": .string(connector.name), "code": .string(failure.code),
            "detail": .string(failure.message),
        ]
        if let action = failure.remedyForSettings(
            of: "its topics", again: "repeat the check with 'apns-bridge doctor'")
        {
            metadata["action"] = .string(action)
        }
        logger.info("topic settings not checked", metadata: metadata)
    }

    /// Checks a member again until it can be started; nil when it has to end.
    ///
    /// While waiting may help, and until `startup_deadline` after the end of the first check, it is
    /// starting. Then it has failed, and is checked once a minute: what is missing may be created,
    /// and what has expired renewed, without a reload.
    func awaitAvailability(_ launch: Launch) async -> PreparedConnector? {
        if let prepared = launch.prepared { return prepared }
        guard let index = index(of: launch.member) else { return nil }
        var connector = members[index].connector
        let pauses = members[index].pauses
        let end = parts.now() + connector.startupDeadline
        var pause = Self.firstPause
        var failure = launch.failure
        var isFirst = true
        while !isStopping(launch.member) {
            if let failure {
                if failure.mayPass, parts.now() < end {
                    if isFirst { logRetry(of: connector, failure) }
                    isFirst = false
                    await pauses.wait(min(pause, end - parts.now()))
                    pause = min(pause * 2, Self.maxPause)
                } else {
                    fail(launch.member, failure)
                    await pauses.wait(Self.failedPause)
                }
                guard !isStopping(launch.member) else { return nil }
                guard let found = await connectorWithNewCredentials(launch.member) else {
                    return nil
                }
                connector = found
            }
            switch await prepare(connector, of: launch.member) {
            case nil: return nil
            case .success(let prepared): return prepared
            case .failure(let found): failure = found
            }
        }
        return nil
    }

    private func logRetry(of connector: Connector, _ failure: StartFailure) {
        logger.warning(
            "connector not started yet; retrying",
            metadata: [
                "connector": .string(connector.name),
                "detail": .string(failure.diagnostics.first?.message ?? ""),
                "startup_deadline_seconds":
                    .integer(connector.startupDeadline.components.seconds),
                "action": .string(
                    failure.diagnostics.first?.remedy ?? "run 'apns-bridge doctor' with its file"),
            ])
    }

    /// Reports that a member has failed to start, once for each cause.
    private func fail(_ number: Int, _ failure: StartFailure) {
        guard let index = index(of: number), !isStopping(number),
            members[index].failure != failure
        else { return }
        members[index].state = .failed(failure)
        publishStatus()
        logFailure(of: members[index].connector.name, failure.diagnostics)
        endIfOver()
    }

    /// Logs why a connector cannot be started.
    func logFailure(of connector: String, _ diagnostics: [Diagnostic]) {
        let first = diagnostics.first
        logger.error(
            "connector failed to start",
            metadata: [
                "connector": .string(connector),
                "detail": .string(first?.message ?? ""),
                "place": .string(first?.location ?? ""),
                "remedy": .string(first?.remedy ?? ""),
                "pause_seconds": .integer(Self.failedPause.components.seconds),
                "action": .string(
                    "fix the cause: the connector is checked again once a minute, and at once by"
                        + " SIGHUP or POST /reload"),
            ])
    }

    /// The provider tokens of a key are shared by the whole process, so that all connections carry
    /// the same one.
    func credential(of app: AppSettings) -> APNsCredential {
        let name = app.credential.fingerprint
        if let known = tokens[name] { return .tokens(known) }
        let credential = APNsCredential(app.credential)
        if case .tokens(let made) = credential { tokens[name] = made }
        return credential
    }
}

// MARK: Threads

extension Supervisor {
    /// Runs a check on a thread of its own; nil when its member, or the supervisor, has to end
    /// meanwhile.
    func check<Success: Sendable>(
        of member: Int?, _ work: @escaping @Sendable () throws(StartFailure) -> Success
    ) async -> Result<Success, StartFailure>? {
        guard !isStopping(member) else { return nil }
        checkCount += 1
        let number = checkCount
        return await withCheckedContinuation { continuation in
            checks[number] = (member, { continuation.resume(returning: nil) })
            Task {
                let result = await onThread("check", work)
                guard self.checks.removeValue(forKey: number) != nil else { return }
                continuation.resume(returning: result)
            }
        }
    }

    /// Ends checks without a result.
    func abandonChecks(_ isMeant: (_ member: Int?) -> Bool) {
        for (number, check) in checks where isMeant(check.member) {
            checks[number] = nil
            check.abandon()
        }
    }
}
