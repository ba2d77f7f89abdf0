internal import APNs
internal import Delivery
internal import Engine
internal import EventLoop
internal import Telemetry

/// Publishes a worker's figures.
extension Worker where Machine: ~Copyable, Source: ~Copyable, Sink: ~Copyable {
    /// Publishes the figures, a few times a second and at the end.
    mutating func publishFigures() {
        guard let board else { return }
        let now = engine.now
        areFiguresCurrent = now >= nextFigures || phase == .ended
        guard areFiguresCurrent else { return }
        nextFigures = now + FigureBoard.interval
        noteLabels()
        let partitions = partitionStates()
        let outage = source.outage
        if outage != nil { faults.lastOutage = now }
        var figures = WorkerFigures(
            time: now, hasJoined: hasJoined, awaitsAssignmentSince: awaitsAssignmentSince,
            awaitsTopics: source.awaitsTopics, lastOutage: faults.lastOutage,
            isDraining: phase != .running, isPaused: engine.isPaused, counters: engine.counters,
            pushes: engine.figures, state: engine.state,
            connections: pools.readyConnections, openRequests: pools.openRequests,
            connectionLimit: pools.limit(now), partitions: partitions, lag: partitions.lag,
            outage: outage)
        figures.apps = zip(pools.readyConnectionsOfApps, engine.settings.apps).map { ready, app in
            faults.connections(of: app.route, ready: ready)
        }
        figures.rightsRefused = faults.rightsRefused
        figures.topicsMissing = faults.topicsMissing
        figures.streamsAllowed = pools.streamsAllowed
        figures.credentials = pools.credentialDates
        figures.recordsFetched = source.queuedRecords
        figures.resultsQueued = sink.queuedRecords
        board.publish(figures)
    }

    /// Says once that values of labels do not fit into the metrics any more.
    mutating func noteLabels() {
        guard !hasNotedLabels, let labels = engine.figures.labelled, labels.pushesBeyondLimit > 0
        else { return }
        hasNotedLabels = true
        logger.warning(
            "labels of events have more values than metrics tell apart",
            metadata: [
                "labels": .strings(labels.names), "limit": .number(LabelFigures.limit),
                "action": .string(
                    "name labels with few values in telemetry.labels; all values are in the"
                        + " outcomes"),
            ])
    }

    /// The assigned partitions; none at the end, when the source has left the group.
    mutating func partitionStates() -> [PartitionState] {
        phase == .ended ? [] : Self.partitionStates(&engine, &source)
    }

    private static func partitionStates(
        _ engine: inout Engine, _ source: inout Source
    ) -> [PartitionState] {
        engine.partitionStates { source.end(of: $0) }
    }
}
