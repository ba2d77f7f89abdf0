internal import Configuration
internal import Delivery
internal import Engine
internal import EventLoop
internal import SchemaRegistry
internal import Telemetry

/// The life of each member of the set.
extension Supervisor {
    /// Starts a member and runs its workers until it has to end.
    func run(_ launch: Launch) async {
        if let prepared = await awaitAvailability(launch),
            await awaitBeginning(launch.member, prepared),
            let index = index(of: launch.member), !isStopping(launch.member)
        {
            hasRun = true
            members[index].state = .running
            members[index].routes = prepared.routes
            for board in members[index].boards { board.begin() }
            publishStatus()
            if launch.prepared.map({ mustWait(members[index].connector, $0) }) ?? true {
                let name = members[index].connector.name
                logger.info("connector started", metadata: ["connector": .string(name)])
            }
            await runWorkers(launch.member, prepared)
        }
        end(launch.member)
    }

    private func runWorkers(_ number: Int, _ prepared: PreparedConnector) async {
        guard let index = index(of: number) else { return }
        let member = members[index]
        var connector = member.connector
        if prepared.cluster.isOutcomesCompacted { connector.results.partitioner = .key }
        let plans = member.boards.indices.map { worker in
            WorkerPlan(
                connector: connector, number: worker, clusterID: prepared.cluster.clusterID,
                batching: prepared.cluster.batching, routes: prepared.routes,
                board: member.boards[worker],
                metricLabels: options.metricLabels, spans: options.spans,
                schemas: registry(of: connector),
                soleRecords: soleRecords)
        }
        let renewal = Task {
            await self.renewCredentials(of: number, checkedWith: prepared.identities)
        }
        await withDiscardingTaskGroup { group in
            for plan in plans { group.addTask { await self.keepRunning(plan, of: number) } }
        }
        renewal.cancel()
    }

    /// The registry of a connector, which it shares with all that have the same settings.
    private func registry(of connector: Connector) -> SchemaRegistry? {
        guard let settings = connector.schemaRegistry else { return nil }
        if let known = registries[settings] { return known }
        let used = Set(members.compactMap(\.connector.schemaRegistry))
        registries = registries.filter { used.contains($0.key) }
        let registry = SchemaRegistry(settings, logger: logger)
        registries[settings] = registry
        return registry
    }

    /// A member has ended: whoever waits for that resumes. One that has failed stays visible.
    private func end(_ number: Int) {
        guard let index = index(of: number) else { return }
        members[index].hasEnded = true
        let waiting = members[index].onEnd
        members[index].onEnd = []
        for continuation in waiting { continuation.resume() }
        endIfOver()
    }

    /// Runs a worker, and again after each failure, until its member has to end.
    private func keepRunning(_ plan: WorkerPlan, of number: Int) async {
        var pause = Duration.seconds(1)
        while !isStopping(number) {
            guard let index = index(of: number) else { return }
            let mailbox = Mailbox<WorkerMessage>()
            if members[index].isPaused { mailbox.post(.pause(true)) }
            for offer in members[index].openOffers() { mailbox.post(offer) }
            members[index].mailboxes.append(mailbox)
            let pauses = members[index].pauses
            var plan = plan
            plan.routes = members[index].routes
            let start = ContinuousClock.now
            let end = await parts.runWorker(plan, mailbox, logger, events)
            plan.board.clear(hasFailed: end.hasFailed)
            if ContinuousClock.now - start > .seconds(60) { pause = .seconds(1) }
            if let index = self.index(of: number) {
                members[index].mailboxes.removeAll { $0 === mailbox }
            }
            switch end {
            case .drained(let counters): totals.add(counters)
            case .failed(let failure, let counters):
                totals.add(counters)
                guard !isStopping(number) else { return }
                logRestart(of: plan.connector, failure, pause)
                await pauses.wait(pause)
                pause = min(pause * 2, .seconds(60))
            }
        }
    }

    private func logRestart(
        of connector: Connector, _ failure: KafkaFailure, _ pause: Duration
    ) {
        logger.error(
            "worker failed; restarting",
            metadata: [
                "connector": .string(connector.name),
                "code": .string(failure.code), "detail": .string(failure.message),
                "pause_seconds": .integer(pause.components.seconds),
                "action": .string(failure.remedyOfWorker(of: connector)),
            ])
    }
}
