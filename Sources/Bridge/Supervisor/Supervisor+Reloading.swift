internal import Configuration
internal import Delivery
internal import Engine
internal import Telemetry

/// Changes the set of connectors while it runs.
extension Supervisor {
    /// Reads the files again, and adds, removes and changes connectors accordingly; the log says
    /// what was done. During a reload it is repeated afterwards.
    public func reload() async {
        guard !isReloading else {
            mustReloadAgain = true
            return
        }
        mustReloadAgain = false
        if case .unavailable(let reason, let remedy) = await reloadOnce() {
            logger.warning(
                "SIGHUP ignored",
                metadata: [
                    "detail": .string(reason), "action": .string(remedy),
                ])
        }
    }

    /// Reads the files again and applies them, unless one is wrong or a reload is in progress. A
    /// signal that came meanwhile starts another one.
    func reloadOnce() async -> ReloadResult {
        let result = await reloadFiles()
        if let isRefused = result.isRefused { status.reloaded(isRefused: isRefused) }
        if mustReloadAgain, !isReloading { Task { await reload() } }
        return result
    }

    private static let isEnding = ReloadResult.unavailable(
        "the process is stopping", remedy: "start it again: it reads the files when it starts")
    private static let hasNoFiles = ReloadResult.unavailable(
        "this process has no connector files",
        remedy: "write a connector file and start 'apns-bridge run' with it; that process can"
            + " reload its files")

    private func reloadFiles() async -> ReloadResult {
        guard let files = options.files else { return Self.hasNoFiles }
        guard !isDraining, !isOver else { return Self.isEnding }
        guard hasStarted else {
            return .unavailable(
                "the process is still starting", remedy: "try again when it has started")
        }
        guard !isReloading else { return .busy }
        isReloading = true
        defer {
            isReloading = false
            endIfOver()
        }
        let reading = await onThread("reload") { files.read() }
        guard !reading.isRefused(logger) else { return .refused(reading.errors) }
        reading.adopt()
        let changes = await apply(
            ReloadPlan(members, reading.connectors, unusable: reading.unusable), reading)
        guard !isDraining else { return Self.isEnding }
        for change in changes { log(change) }
        return .done(changes)
    }

    /// Checks what is new, ends what is old, and starts what is new, in this order.
    private func apply(
        _ plan: ReloadPlan, _ reading: ReloadSource.Reading
    ) async -> [ReloadResult.Change] {
        var changes: [ReloadResult.Change] = []
        var launches: [(connector: Connector, launch: Launch)] = []
        for (connector, result) in await checkAgain(plan.starting) {
            let name = connector.name
            let isChanged = plan.changed.contains { $0.name == name }
            var launch = Launch(member: 0)
            switch result {
            case .success(let prepared):
                launch.prepared = prepared
                if isChanged, let problem = groupRefusal(of: connector, prepared) {
                    changes.append(.init(connector: name, kind: .refused, problems: [problem]))
                    continue
                }
            case .failure(let failure):
                if isChanged {
                    changes.append(
                        .init(connector: name, kind: .refused, problems: failure.diagnostics))
                    continue
                }
                launch.failure = failure
            }
            let isRetry = plan.failed.contains { $0.name == name }
            changes.append(
                .init(
                    connector: name, kind: isChanged ? .changed : isRetry ? .retried : .added,
                    problems: launch.failure?.diagnostics ?? [],
                    isRetrying: launch.failure?.mayPass ?? false))
            launches.append((connector, launch))
        }
        guard !isDraining else { return [] }
        let changed = changes.filter { $0.kind == .changed }.map(\.connector)
        warnOfGuards(in: changed)
        launches.removeAll { hasRecovered($0.connector, plan) }
        await end(plan.removed + launches.map(\.connector.name))
        guard !isDraining else { return [] }
        remove(plan.removed)
        for (connector, launch) in launches { add(connector, launch) }
        sortMembers(like: reading.connectors)
        changes += adopt(unusable: reading.unusable)
        publishStatus()
        changes += plan.removed.map { .init(connector: $0, kind: .removed) }
        changes += plan.unchanged.map { .init(connector: $0, kind: .unchanged) }
        return changes.sorted { $0.connector < $1.connector }
    }

    /// True for a connector that had failed and, while the reload checked it, started by itself: it
    /// runs on. If its file has changed, another reload follows.
    private func hasRecovered(_ connector: Connector, _ plan: ReloadPlan) -> Bool {
        guard plan.failed.contains(where: { $0.name == connector.name }),
            let member = members.first(where: { $0.connector.name == connector.name }),
            !member.hasFailed
        else { return false }
        if !member.connector.runsLike(connector) { mustReloadAgain = true }
        return true
    }

    /// Why a connector keeps its group; nil unless it moves to one that would send again what was
    /// sent.
    private func groupRefusal(
        of connector: Connector, _ prepared: PreparedConnector
    ) -> Diagnostic? {
        let member = members.first { $0.connector.name == connector.name }
        guard member?.awaits == nil, member?.connector.source.group != connector.source.group
        else { return nil }
        return KafkaCheck.refusal(of: connector, prepared.cluster)
    }

    /// Checks connectors side by side; those of a supervisor that is drained are left out.
    private func checkAgain(
        _ connectors: [Connector]
    ) async -> [(Connector, Result<PreparedConnector, StartFailure>)] {
        let results = await prepareAll(connectors.map { ($0, nil) })
        return zip(connectors, results).compactMap { connector, result in
            result.map { (connector, $0) }
        }
    }

    /// Lets members finish what is in flight, commit and leave their groups, all at once, and waits
    /// for that.
    private func end(_ names: [String]) async {
        let running = members.filter { names.contains($0.connector.name) }
        await withDiscardingTaskGroup { group in
            for member in running { group.addTask { await self.end(member: member.number) } }
        }
    }

    private func end(member number: Int) async {
        await stop(number)
        await withCheckedContinuation { continuation in
            guard let index = index(of: number), !members[index].hasEnded else {
                return continuation.resume()
            }
            members[index].onEnd.append(continuation)
        }
    }

    /// Removes members that have ended; the log has their totals.
    private func remove(_ names: [String]) {
        let lines = RunningLog(summaryInterval: nil).totals(status.read())
        for line in lines where names.contains(where: { line.isAbout($0) }) { logger.log(line) }
        members.removeAll { names.contains($0.connector.name) }
    }

    func sortMembers(like found: [Connector]) {
        let order = Dictionary(
            found.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        members.sort { order[$0.connector.name] ?? 0 < order[$1.connector.name] ?? 0 }
    }
}

// MARK: The log

extension ReloadSource.Reading {
    /// The mistakes that refuse a reload: those of files. What a file names and is not right is
    /// the failure of its connector alone.
    var errors: [Diagnostic] {
        let errors = diagnostics.filter { $0.severity == .error }
        return errors.allSatisfy(\.isExternal) ? [] : errors
    }

    /// Logs what was found; true if an error refuses the reload.
    func isRefused(_ logger: Logger) -> Bool {
        for finding in diagnostics where finding.severity != .error { logger.warn(of: finding) }
        for error in errors {
            logger.log(
                .of(.reloadRefused), "reload refused; continuing with the current connectors",
                metadata: [
                    "detail": .string(error.message),
                    "place": .string(error.location),
                    "remedy": .string(error.remedy ?? ""),
                    "action": "fix the file, and reload again: a restart would fail, too",
                ])
        }
        return !errors.isEmpty
    }
}

extension Supervisor {
    /// The workers of a changed connector begin with guards of their own, which have seen nothing.
    private func warnOfGuards(in names: [String]) {
        for member in members where names.contains(member.connector.name) {
            let suspended = member.boards.compactMap(\.latest).flatMap(\.state.suspendedApps)
            let apps = Set(suspended.filter(\.isGuarded).map(\.name)).sorted()
            guard !apps.isEmpty else { continue }
            logger.warning(
                "reload discarded an engaged guard",
                metadata: [
                    "connector": .string(member.connector.name), "apps": .strings(apps),
                    "action": .string(
                        "pause the connector unless the change fixes the cause: until the guard"
                            + " engages again, 410s are reported as unregistered"),
                ])
        }
    }

    private func log(_ change: ReloadResult.Change) {
        var metadata: Logger.Metadata = ["connector": .string(change.connector)]
        if let problem = change.problems.first {
            metadata["detail"] = .string(problem.message)
            metadata["place"] = .string(problem.location)
            metadata["remedy"] = .string(problem.remedy ?? "")
        }
        switch change.kind {
        case .unchanged: logger.debug("connector unchanged", metadata: metadata)
        case .refused:
            metadata["action"] =
                "fix the cause, and reload again: a restart would fail, or begin with the new group"
            logger.log(
                .of(.reloadRefused),
                "changed connector cannot be started; continuing with the current one",
                metadata: metadata)
        case .added, .changed, .removed, .retried:
            logger.info("connector \(change.kind.rawValue)", metadata: metadata)
        }
    }
}

extension RunningLog.Line {
    fileprivate func isAbout(_ connector: String) -> Bool {
        metadata["connector"] == .string(connector)
    }
}
