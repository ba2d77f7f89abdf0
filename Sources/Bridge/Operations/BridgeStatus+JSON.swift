internal import APNs
internal import Delivery
internal import Engine
internal import JSON

/// The status as JSON.
extension BridgeStatus.Reading {
    /// One object; see the article *Operations*.
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in [
            ("started", hasStarted), ("ready", isReady), ("healthy", isHealthy),
            ("stopping", isStopping),
        ] {
            writer.name(name)
            writer.boolean(value)
        }
        if let build {
            writer.name("build")
            build.write(to: &writer)
        }
        writer.name("uptime_seconds")
        writer.integer(uptime.components.seconds)
        writer.array("degraded", degradations) { $1.string($0) }
        writer.array("problems", problems) { $0.write(to: &$1) }
        writer.array("connectors", connectors) { $0.write(to: &$1) }
        writer.array("workers", workers) { $0.write(to: &$1) }
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}

extension BridgeStatus.Connector {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("name")
        writer.string(name)
        writer.name("state")
        writer.string(state.rawValue)
        writer.name("paused")
        writer.boolean(isPaused)
        if let problem {
            writer.name("problem")
            problem.write(to: &writer)
        }
        writer.endObject()
    }
}

extension BridgeStatus.Reading.Worker {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("connector")
        writer.string(worker.connector)
        writer.name("worker")
        writer.integer(worker.number)
        writer.name("running")
        writer.boolean(figures != nil)
        writer.name("state")
        writer.string(stage.rawValue)
        if let figures { write(figures, to: &writer) }
        writer.endObject()
    }

    private func write(_ figures: WorkerFigures, to writer: inout JSONWriter) {
        for (name, value) in [
            ("joined", figures.hasJoined), ("draining", figures.isDraining),
            ("paused", figures.isPaused), ("awaits_topics", figures.awaitsTopics),
        ] {
            writer.name(name)
            writer.boolean(value)
        }
        let numbers = [
            ("turn_age_ms", Int((age ?? .zero).wholeMilliseconds)),
            ("connections", figures.connections),
            ("requests_open", figures.openRequests), ("records", figures.counters.records),
            ("accepted", figures.counters.accepted), ("rejected", figures.counters.rejected),
            ("dropped", figures.counters.dropped), ("unknown", figures.counters.unknown),
            ("pushes_open", figures.state.pushes), ("pushes_waiting", figures.pushesWaiting),
            ("records_in_flight", figures.state.recordsInFlight),
            ("records_waiting", figures.state.recordsWaiting),
            ("window_bytes", figures.state.bytes),
        ]
        for (name, number) in numbers {
            writer.name(name)
            writer.integer(number)
        }
        writer.name("connection_limit")
        writer.string(figures.connectionLimit?.rawValue)
        writer.name("lag")
        writer.integer(figures.lag)
        writer.name("oldest_event_age_ms")
        writer.integer(figures.state.oldestEventAge)
        writer.array("suspended_apps", figures.state.suspendedApps) { $0.write(to: &$1) }
        writer.array("partitions", figures.partitions.sorted(by: PartitionState.isBefore)) {
            $0.write(to: &$1)
        }
    }
}

extension EngineState.SuspendedApp {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("app")
        writer.string(name)
        writer.name("broadcasts_only")
        writer.boolean(isForBroadcasts)
        writer.name("seconds")
        writer.integer(duration.components.seconds)
        writer.name("pushes")
        writer.integer(pushes)
        writer.name("guard")
        writer.boolean(isGuarded)
        writer.name("response")
        writer.string(refusal?.response)
        writer.endObject()
    }
}

extension PartitionState {
    /// By topic, then by number.
    static func isBefore(_ left: Self, _ right: Self) -> Bool {
        (left.topicPartition.topic, left.topicPartition.partition)
            < (right.topicPartition.topic, right.topicPartition.partition)
    }

    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("topic")
        writer.string(topicPartition.topic)
        writer.name("partition")
        writer.integer(topicPartition.partition)
        writer.name("retry")
        writer.boolean(isRetry)
        writer.name("lag")
        writer.integer(lag)
        writer.name("open_records")
        writer.integer(openRecords)
        writer.name("oldest_event_age_ms")
        writer.integer(oldestEventAge)
        writer.array("paused", pauses) { $1.string($0.rawValue) }
        writer.endObject()
    }
}
