internal import Delivery
internal import Engine
internal import EventLoop
internal import Telemetry

/// The metrics of all workers in Prometheus' text format.
struct BridgeMetrics {
    private typealias Row = BridgeStatus.Reading.Worker

    private let reading: BridgeStatus.Reading
    private let running: [(row: Row, figures: WorkerFigures)]

    init(_ reading: BridgeStatus.Reading) {
        self.reading = reading
        running = reading.workers.compactMap { row in row.figures.map { (row, $0) } }
    }

    /// The bounds of the histograms, in milliseconds.
    private static let bounds: [UInt64] = [
        5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000,
        1_800_000, 7_200_000,
    ]

    var text: String {
        var page = PrometheusText()
        appendProcess(&page)
        appendPushes(&page)
        appendTimes(&page)
        for counter in Self.counters {
            page.append(
                "apns_bridge_\(counter.name)_total", help: counter.help,
                running.map { row, figures in
                    (Self.labels(row), Self.counter(figures.counters, counter.value))
                })
        }
        for gauge in Self.gauges {
            page.append(
                "apns_bridge_\(gauge.name)", help: gauge.help,
                running.map { (Self.labels($0.row), Gauge(gauge.value($0.figures))) })
        }
        appendApps(&page)
        return page.text
    }

    private static func labels(_ row: Row) -> PrometheusText.Labels {
        [("connector", row.worker.connector), ("worker", String(row.worker.number))]
    }

    private static func counter(
        _ counters: EngineCounters, _ value: (EngineCounters) -> Int
    ) -> Counter {
        counter(UInt64(clamping: value(counters)))
    }

    private static func counter(_ value: UInt64) -> Counter {
        var counter = Counter()
        counter.increment(by: value)
        return counter
    }

    private func appendProcess(_ page: inout PrometheusText) {
        page.append(
            "apns_bridge_ready", help: "1 when the group has told every worker its partitions.",
            [(labels: [], value: Gauge(reading.isReady ? 1 : 0))])
        page.append(
            "apns_bridge_worker_up", help: "1 while the worker runs.",
            reading.workers.map { (Self.labels($0), Gauge($0.figures == nil ? 0 : 1)) })
        page.append(
            "process_cpu_seconds_total", help: "Processor time, user and system, in seconds.",
            seconds: ProcessUsage.processorSeconds)
        if let bytes = ProcessUsage.residentBytes {
            page.append(
                "process_resident_memory_bytes", help: "Memory in RAM, in bytes.",
                [(labels: [], value: Gauge(Double(bytes)))])
        }
    }

    /// Pushes by connector, app, push type, verdict and reason, summed over a connector's workers.
    private func appendPushes(_ page: inout PrometheusText) {
        var samples: [(labels: PrometheusText.Labels, value: Counter)] = []
        for (row, figures) in running {
            let connector = Self.labels(row)
            for (index, app) in row.worker.apps.enumerated() {
                for type in PushType.allCases {
                    let count = figures.pushes.accepted(app: index, type)
                    guard count > 0 else { continue }
                    samples.append(
                        (
                            connector + Self.labels(app, type, .accepted, ""),
                            Self.counter(count)
                        ))
                }
            }
            for (kind, count) in figures.pushes.others.sorted(by: Self.isBefore) {
                let apps = row.worker.apps
                let app = apps.indices.contains(kind.app) ? apps[kind.app] : ""
                samples.append(
                    (
                        connector + Self.labels(app, kind.pushType, kind.verdict, kind.reason),
                        Self.counter(count)
                    ))
            }
        }
        page.append(
            "apns_bridge_pushes_total",
            help: "Pushes whose outcome Kafka has stored, by verdict and reason.", samples)
    }

    private static func isBefore(
        _ left: (key: PushFigures.Kind, value: UInt64),
        _ right: (key: PushFigures.Kind, value: UInt64)
    ) -> Bool {
        let texts = [left.key, right.key].map {
            "\($0.app) \($0.pushType.rawValue) \($0.verdict.rawValue) \($0.reason)"
        }
        return texts[0] < texts[1]
    }

    private static func labels(
        _ app: String, _ type: PushType, _ verdict: Verdict, _ reason: String
    ) -> PrometheusText.Labels {
        [
            ("app", app), ("push_type", type.rawValue), ("verdict", verdict.rawValue),
            ("reason", reason),
        ]
    }

    private func appendTimes(_ page: inout PrometheusText) {
        let times: [(name: String, help: String, path: KeyPath<PushFigures, Histogram>)] = [
            (
                "event_to_accepted", "From the event to APNs' response, for accepted pushes.",
                \.eventToAccepted
            ),
            ("event_to_outcome", "From the event to the stored outcome.", \.eventToOutcome),
            ("apns_round_trip", "From the last request to APNs' response.", \.roundTrip),
        ]
        for time in times {
            page.append(
                "apns_bridge_\(time.name)_seconds", help: time.help, bounds: Self.bounds,
                scale: 1000,
                running.map { (Self.labels($0.row), $0.figures.pushes[keyPath: time.path]) })
        }
    }

    private func appendApps(_ page: inout PrometheusText) {
        var samples: [(labels: PrometheusText.Labels, value: Gauge)] = []
        for (row, figures) in running {
            for app in row.worker.apps {
                let isSuspended = figures.state.suspendedApps.contains { $0.name == app }
                samples.append(
                    (Self.labels(row) + [("app", app)], Gauge(isSuspended ? 1 : 0)))
            }
        }
        page.append(
            "apns_bridge_sending_suspended", help: "1 while sending is suspended for the app.",
            samples)
    }
}

/// The metrics of each worker.
extension BridgeMetrics {
    private struct CounterRow: Sendable {
        let name: String
        let help: String
        let value: @Sendable (EngineCounters) -> Int
    }

    private struct GaugeRow: Sendable {
        let name: String
        let help: String
        let value: @Sendable (WorkerFigures) -> Double
    }

    private static let counters: [CounterRow] = [
        CounterRow(name: "records", help: "Records taken from Kafka.", value: { $0.records }),
        CounterRow(
            name: "records_filtered", help: "Records that 'when' filtered out.",
            value: { $0.filtered }),
        CounterRow(
            name: "attempts", help: "Requests handed to a connection to APNs.",
            value: { $0.attempts }),
        CounterRow(
            name: "retries", help: "How often a push waited for a retry.", value: { $0.retries }),
        CounterRow(
            name: "retry_topic_written", help: "Pushes written to the retry topic.",
            value: { $0.movedToRetryTopic }),
        CounterRow(
            name: "retry_topic_read", help: "Records taken from the retry topic.",
            value: { $0.takenFromRetryTopic }),
        CounterRow(
            name: "results_stored", help: "Result records that Kafka has acknowledged.",
            value: { $0.resultsStored }),
        CounterRow(
            name: "results_refused", help: "Result records that Kafka refused, each time.",
            value: { $0.resultsRefused }),
        CounterRow(
            name: "commits", help: "Committed offsets, per partition and commit.",
            value: { $0.commits }),
        CounterRow(
            name: "position_resets",
            help: "How often Kafka no longer had the log of a partition that was being read.",
            value: { $0.positionResets }),
        CounterRow(
            name: "records_gone", help: "Offsets that Kafka removed before they were read.",
            value: { $0.recordsGone }),
        CounterRow(
            name: "unexpected_responses",
            help: "Responses of APNs that are not in the table of reasons.",
            value: { $0.newResponses }),
        CounterRow(
            name: "late_references",
            help: "Responses and acknowledgements that came after their push was done.",
            value: { $0.lateReferences }),
    ]

    private static let gauges: [GaugeRow] = [
        GaugeRow(name: "pushes_open", help: "Pushes that are not done.") {
            Double($0.state.pushes)
        },
        GaugeRow(name: "records_in_flight", help: "Records in flight.") {
            Double($0.state.recordsInFlight)
        },
        GaugeRow(name: "records_waiting", help: "Records that wait outside the window.") {
            Double($0.state.recordsWaiting)
        },
        GaugeRow(name: "window_bytes", help: "The bytes that all open records account for.") {
            Double($0.state.bytes)
        },
        GaugeRow(name: "connections", help: "Connections to APNs that may be used.") {
            Double($0.connections)
        },
        GaugeRow(name: "requests_open", help: "Requests to APNs without a response.") {
            Double($0.openRequests)
        },
    ]
}
