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
        writer.name("degraded")
        writer.beginArray()
        for degradation in degradations { writer.string(degradation) }
        writer.endArray()
        writer.name("workers")
        writer.beginArray()
        for worker in workers { worker.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
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
        if let figures { write(figures, to: &writer) }
        writer.endObject()
    }

    private func write(_ figures: WorkerFigures, to writer: inout JSONWriter) {
        for (name, value) in [("joined", figures.hasJoined), ("draining", figures.isDraining)] {
            writer.name(name)
            writer.boolean(value)
        }
        let numbers = [
            ("turn_age_ms", Int((age ?? .zero).wholeMilliseconds)),
            ("connections", figures.connections),
            ("requests_open", figures.openRequests), ("records", figures.counters.records),
            ("accepted", figures.counters.accepted), ("rejected", figures.counters.rejected),
            ("dropped", figures.counters.dropped), ("unknown", figures.counters.unknown),
            ("pushes_open", figures.state.pushes),
            ("records_in_flight", figures.state.recordsInFlight),
            ("records_waiting", figures.state.recordsWaiting),
            ("window_bytes", figures.state.bytes),
        ]
        for (name, number) in numbers {
            writer.name(name)
            writer.integer(number)
        }
        writer.name("suspended_apps")
        writer.beginArray()
        for app in figures.state.suspendedApps { writer.string(app.name) }
        writer.endArray()
    }
}
