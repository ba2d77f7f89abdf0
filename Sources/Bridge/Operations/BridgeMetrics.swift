internal import APNs
internal import Delivery
internal import Engine
internal import EventLoop
internal import Telemetry

/// The metrics of all workers in one of Prometheus' text formats.
struct BridgeMetrics {
    typealias Row = BridgeStatus.Reading.Worker

    private let reading: BridgeStatus.Reading
    private let format: PrometheusText.Format
    let running: [(row: Row, figures: WorkerFigures)]
    /// The time of the reading, in milliseconds since 1970.
    let wallClock: Int64

    init(
        _ reading: BridgeStatus.Reading, in format: PrometheusText.Format = .plain,
        wallClock: Int64? = nil
    ) {
        self.reading = reading
        self.format = format
        self.wallClock = wallClock ?? reading.wallClock
        running = reading.workers.compactMap { row in row.figures.map { (row, $0) } }
    }

    /// The bounds of the histograms, in milliseconds.
    private static let bounds: [UInt64] = [
        5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000,
        1_800_000, 7_200_000,
    ]

    var text: String {
        var page = PrometheusText(format)
        appendProcess(&page)
        appendPushes(&page)
        appendPushesBeyondLabels(&page)
        appendRetries(&page)
        appendTimes(&page)
        for counter in Self.counters {
            page.append(
                "apns_bridge_\(counter.name)_total", help: counter.help,
                running.map { row, figures in
                    (Self.labels(row), Self.counter(figures.counters, counter.value))
                })
        }
        for (name, help, count) in [
            (
                "rights_refused", "How often Kafka has refused a right to read, or the login.",
                \WorkerFigures.rightsRefused
            ),
            (
                "topics_missing",
                "How often Kafka has reported that a topic to read does not exist.",
                \WorkerFigures.topicsMissing
            ),
        ] {
            page.append(
                "apns_bridge_\(name)_total", help: help,
                running.map { row, figures in
                    (Self.labels(row), Self.counter(UInt64(clamping: figures[keyPath: count])))
                })
        }
        for gauge in Self.gauges {
            page.append(
                "apns_bridge_\(gauge.name)", help: gauge.help,
                running.compactMap { row, figures in
                    gauge.value(figures).map { (Self.labels(row), Gauge($0)) }
                })
        }
        appendAssignments(&page)
        appendRebalances(&page)
        appendPartitions(&page)
        appendLimits(&page)
        appendApps(&page)
        appendCredentials(&page)
        return page.text
    }

    static func labels(_ row: Row) -> PrometheusText.Labels {
        [("connector", row.worker.connector), ("worker", String(row.worker.number))]
    }

    private static func counter(
        _ counters: EngineCounters, _ value: (EngineCounters) -> Int
    ) -> Counter {
        counter(UInt64(clamping: value(counters)))
    }

    static func counter(_ value: UInt64) -> Counter {
        var counter = Counter()
        counter.increment(by: value)
        return counter
    }

    private func appendProcess(_ page: inout PrometheusText) {
        if let build = reading.build {
            page.append(
                "apns_bridge_build_info",
                help: "1; its labels say what the program was built from.",
                [(labels: build.labels, value: Gauge(1))])
        }
        page.append(
            "apns_bridge_ready", help: "1 when the group has told every worker its partitions.",
            [(labels: [], value: Gauge(reading.isReady ? 1 : 0))])
        page.append(
            "apns_bridge_last_reload_successful",
            help: "0 when the last reload was refused, wholly or for a connector.",
            [(labels: [], value: Gauge(reading.isLastReloadRefused ? 0 : 1))])
        page.append(
            "apns_bridge_worker_up",
            help: "1 while the worker runs; 0 before its first turn, and until it runs again.",
            reading.workers.filter { $0.stage != .ended }.map {
                (Self.labels($0), Gauge($0.figures == nil ? 0 : 1))
            })
        page.append(
            "apns_bridge_worker_responding",
            help: "0 while the worker's turn takes so long that /health fails.",
            running.map { (Self.labels($0.row), Gauge($0.row.isUnresponsive ? 0 : 1)) })
        page.append(
            "apns_bridge_log_lines_lost_total",
            help: "Lines of the log that were lost because nobody read them in time.",
            [(labels: [], value: Self.counter(UInt64(clamping: reading.lostLogLines)))])
        appendConnectors(&page)
        appendLogins(of: reading.connectors, &page)
        appendSpans(&page)
        appendFiles(&page)
        page.append(
            "process_cpu_seconds_total", help: "Processor time, user and system, in seconds.",
            seconds: ProcessUsage.processorSeconds)
        page.append(
            "process_start_time_seconds",
            help: "When the process was started, in seconds since 1970.",
            [(labels: [], value: Gauge(Double(reading.startTime) / 1000))])
        appendMemory(&page)
    }

    private func appendMemory(_ page: inout PrometheusText) {
        if let bytes = reading.memory.resident {
            page.append(
                "process_resident_memory_bytes", help: "Memory in RAM, in bytes.",
                [(labels: [], value: Gauge(Double(bytes)))])
        }
        if let bytes = reading.memory.limit {
            page.append(
                "apns_bridge_memory_limit_bytes",
                help: "The memory limit of the process's control group, in bytes.",
                [(labels: [], value: Gauge(Double(bytes)))])
        }
    }

    private func appendSpans(_ page: inout PrometheusText) {
        guard let spans = reading.spans else { return }
        page.append(
            "apns_bridge_spans_exported_total", help: "Spans that the collector has accepted.",
            [(labels: [], value: Self.counter(UInt64(clamping: spans.exported)))])
        page.append(
            "apns_bridge_spans_dropped_total",
            help: "Spans that were lost: the queue was full, or the collector refused them.",
            [(labels: [], value: Self.counter(UInt64(clamping: spans.dropped)))])
    }

    private func appendConnectors(_ page: inout PrometheusText) {
        func samples(
            _ isSo: (BridgeStatus.Connector) -> Bool
        ) -> [(labels: PrometheusText.Labels, value: Gauge)] {
            reading.connectors.map { ([("connector", $0.name)], Gauge(isSo($0) ? 1 : 0)) }
        }
        page.append(
            "apns_bridge_connector_up",
            help: "1 while the connector runs; 0 before it has started, and when that failed.",
            samples { $0.state == .running || $0.state == .stopping })
        page.append(
            "apns_bridge_connector_failed",
            help: "1 when the connector could not be started; a reload tries again.",
            samples { $0.state == .failed })
        page.append(
            "apns_bridge_connector_paused", help: "1 while an operator has paused the connector.",
            samples(\.isPaused))
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

    private func appendLimits(_ page: inout PrometheusText) {
        page.append(
            "apns_bridge_connection_limit",
            help: "1 while the limit keeps all connections from accepting another push.",
            running.flatMap { row, figures in
                ConnectionLimit.allCases.map { limit in
                    let isReached = figures.connectionLimit == limit
                    return (
                        Self.labels(row) + [("limit", limit.rawValue)], Gauge(isReached ? 1 : 0)
                    )
                }
            })
    }

    private func appendApps(_ page: inout PrometheusText) {
        func samples(
            _ isSo: (EngineState.SuspendedApp) -> Bool
        ) -> [(labels: PrometheusText.Labels, value: Gauge)] {
            running.flatMap { row, figures in
                row.worker.apps.map { app in
                    let found = figures.state.suspendedApps.contains { $0.name == app && isSo($0) }
                    return (Self.labels(row) + [("app", app)], Gauge(found ? 1 : 0))
                }
            }
        }
        page.append(
            "apns_bridge_sending_suspended",
            help: "1 while sending to devices is suspended for the app.",
            samples { !$0.isForBroadcasts })
        page.append(
            "apns_bridge_broadcasts_suspended",
            help: "1 while the broadcasts of the app are suspended.",
            samples(\.isForBroadcasts))
        page.append(
            "apns_bridge_guard_engaged",
            help: "1 while the mass-invalidation guard suspends sending for the app.",
            samples(\.isGuarded))
        page.append(
            "apns_bridge_app_connections",
            help: "Connections to APNs that the app may use.",
            running.flatMap { row, figures in
                zip(row.worker.apps, figures.apps).map { app, connections in
                    (Self.labels(row) + [("app", app)], Gauge(Double(connections.ready)))
                }
            })
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
        /// Nil while it is not known.
        let value: @Sendable (WorkerFigures) -> Double?
    }

    private static let counters: [CounterRow] = [
        CounterRow(name: "records", help: "Records taken from Kafka.", value: { $0.records }),
        CounterRow(
            name: "records_filtered", help: "Records that 'when' skipped.",
            value: { $0.filtered }),
        CounterRow(
            name: "elements_filtered", help: "Elements of 'for_each' that match no block.",
            value: { $0.skippedElements }),
        CounterRow(
            name: "attempts", help: "Requests handed to a connection to APNs.",
            value: { $0.attempts }),
        CounterRow(
            name: "retry_topic_written", help: "Pushes written to the retry topic.",
            value: { $0.movedToRetryTopic }),
        CounterRow(
            name: "retry_topic_read", help: "Records taken from the retry topic.",
            value: { $0.takenFromRetryTopic }),
        CounterRow(
            name: "replay_topic_read", help: "Records taken from the replay topic.",
            value: { $0.takenFromReplayTopic }),
        CounterRow(
            name: "results_stored", help: "Result records that Kafka has acknowledged.",
            value: { $0.resultsStored }),
        CounterRow(
            name: "results_refused",
            help: "Result records that Kafka refused, counting every attempt.",
            value: { $0.resultsRefused }),
        CounterRow(
            name: "dead_letters", help: "Dead letters that Kafka has stored.",
            value: { $0.deadLetters }),
        CounterRow(
            name: "requests_in_doubt",
            help: "Requests that ended without a response and may have been delivered.",
            value: { $0.doubts }),
        CounterRow(
            name: "commits", help: "Committed offsets, per partition and commit.",
            value: { $0.commits }),
        CounterRow(
            name: "commit_failures", help: "Offsets that Kafka did not accept, per partition.",
            value: { $0.commitFailures }),
        CounterRow(
            name: "position_resets",
            help: "How often Kafka no longer had the log of a partition that was being read.",
            value: { $0.positionResets }),
        CounterRow(
            name: "records_gone", help: "Offsets that Kafka removed before they were read.",
            value: { $0.recordsGone }),
        CounterRow(
            name: "crashed_starts",
            help: "Starts of partitions whose last three starts made no progress.",
            value: { $0.crashedStarts }),
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
        GaugeRow(
            name: "kafka_reachable", help: "0 while no broker can be reached.",
            value: { $0.outage == nil ? 1 : 0 }),
        GaugeRow(
            name: "lag",
            help: "Offsets from the first record that is not done to the end of the log.",
            value: { $0.lag.map(Double.init) }),
        GaugeRow(
            name: "lag_unread",
            help: "Offsets from the next record to take to the end of the log, without retries.",
            value: \.unreadLag),
        GaugeRow(
            name: "oldest_event_age_seconds",
            help: "The age of the oldest event with a push that is not done.",
            value: { Double($0.state.oldestEventAge ?? 0) / 1000 }),
        GaugeRow(
            name: "clock_in_doubt",
            help: "1 while the wall clock is in doubt: nothing expires and no record is taken.",
            value: { $0.state.clockDoubt == nil ? 0 : 1 }),
        GaugeRow(
            name: "partitions_awaiting_schema",
            help: "Partitions that are paused because schemas are looked up.",
            value: { Double($0.state.schemaWait?.partitions ?? 0) }),
        GaugeRow(name: "pushes_open", help: "Pushes that are not done.") {
            Double($0.state.pushes)
        },
        GaugeRow(name: "records_in_flight", help: "Records in flight.") {
            Double($0.state.recordsInFlight)
        },
        GaugeRow(name: "records_waiting", help: "Records that wait outside the window.") {
            Double($0.state.recordsWaiting)
        },
        GaugeRow(
            name: "consumer_queue_records", help: "Records fetched ahead, which wait to be taken."
        ) { Double($0.recordsFetched) },
        GaugeRow(
            name: "producer_queue_records",
            help: "Result records that wait to be sent or acknowledged."
        ) { Double($0.resultsQueued) },
        GaugeRow(name: "window_bytes", help: "The bytes that all open records account for.") {
            Double($0.state.bytes)
        },
        GaugeRow(name: "connections", help: "Connections to APNs that may be used.") {
            Double($0.connections)
        },
        GaugeRow(name: "requests_open", help: "Requests to APNs without a response.") {
            Double($0.openRequests)
        },
        GaugeRow(
            name: "requests_allowed",
            help: "Requests that may be open on the connections, by the limits on streams."
        ) { Double($0.streamsAllowed) },
    ]
}
