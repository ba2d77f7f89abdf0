internal import Telemetry

/// A simulator's metrics in Prometheus' format.
struct MetricsPage {
    let memory: SimulatorMemory
    let snapshot: SimulatorSnapshot

    var text: String {
        var page = PrometheusText()
        page.append(
            "apns_simulator_requests_total",
            help:
                "Requests handled, by response; status 0 means that the connection was cut"
                + " instead.",
            memory.reasons.map { row in
                let labels = [("status", String(row.status)), ("reason", row.reason ?? "")]
                return (labels: labels, value: counter(row.count))
            })
        page.append(
            "apns_simulator_connections_total", help: "Connections opened.",
            [(labels: [], value: counter(snapshot.connectionsEver))])
        page.append(
            "apns_simulator_connections", help: "Connections currently open.",
            [(labels: [], value: Gauge(Double(snapshot.connections)))])
        page.append(
            "apns_simulator_waiting_requests", help: "Requests whose response is delayed.",
            [(labels: [], value: Gauge(Double(snapshot.openStreams)))])
        let devices = memory.devices(0, at: memory.now)
        page.append(
            "apns_simulator_devices", help: "Devices remembered.",
            [(labels: [], value: Gauge(Double(devices.count)))])
        page.append(
            "apns_simulator_devices_forgotten_total", help: "Devices evicted to make room.",
            [(labels: [], value: counter(devices.forgotten))])
        return page.text
    }

    private func counter(_ value: Int) -> Counter {
        var counter = Counter()
        counter.increment(by: UInt64(value))
        return counter
    }
}
