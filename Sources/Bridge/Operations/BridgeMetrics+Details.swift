internal import APNs
internal import Delivery
internal import Engine
internal import EventLoop
internal import Telemetry

/// What is distinguished by more than connector and worker.
extension BridgeMetrics {
    /// The most partitions with metrics of their own, over all workers.
    static let partitionLimit = 500

    /// The lag and the oldest event of each partition, up to a limit, and why partitions are
    /// paused.
    func appendPartitions(_ page: inout PrometheusText) {
        page.append(
            "apns_bridge_partitions", help: "Partitions that the group has assigned.",
            running.map { (Self.labels($0.row), Gauge(Double($0.figures.partitions.count))) })
        let shown = Array(partitions.prefix(Self.partitionLimit))
        page.append(
            "apns_bridge_partition_lag",
            help: "Offsets from the first record that is not done to the end of the log.",
            shown.compactMap { labels, state in state.lag.map { (labels, Gauge(Double($0))) } })
        page.append(
            "apns_bridge_partition_oldest_event_age_seconds",
            help: "The age of the oldest event with a push that is not done.",
            shown.map { ($0, Gauge(Double($1.oldestEventAge ?? 0) / 1000)) })
        page.append(
            "apns_bridge_partitions_paused", help: "Partitions that are paused, by reason.",
            running.flatMap { row, figures in
                PartitionState.Pause.allCases.map { reason in
                    let count = figures.partitions.count { $0.pauses.contains(reason) }
                    return (
                        Self.labels(row) + [("reason", reason.rawValue)], Gauge(Double(count))
                    )
                }
            })
    }

    /// All partitions with their labels, by worker, topic and number.
    private var partitions: [(labels: PrometheusText.Labels, state: PartitionState)] {
        running.flatMap { row, figures in
            figures.partitions.sorted(by: PartitionState.isBefore).map { state in
                let partition = state.topicPartition
                let labels = [
                    ("topic", partition.topic), ("partition", String(partition.partition)),
                ]
                return (Self.labels(row) + labels, state)
            }
        }
    }

    /// Whether the group has assigned each worker its partitions; only where a worker learns that
    /// there are none for it.
    func appendAssignments(_ page: inout PrometheusText) {
        page.append(
            "apns_bridge_worker_assigned",
            help: "0 while the worker waits for the group to tell it its partitions.",
            running.filter(\.row.worker.reportsEmptyAssignments).map { row, figures in
                (Self.labels(row), Gauge(figures.awaitsAssignment ? 0 : 1))
            })
    }

    /// How often the group has changed the assignment.
    func appendRebalances(_ page: inout PrometheusText) {
        let kinds: [(name: String, count: KeyPath<EngineCounters, Int>)] = [
            ("assigned", \.assignments), ("revoked", \.revocations), ("lost", \.losses),
        ]
        page.append(
            "apns_bridge_rebalances_total",
            help: "How often the group has assigned or revoked partitions, or they were lost.",
            running.flatMap { row, figures in
                kinds.map { kind in
                    let count = figures.counters[keyPath: kind.count]
                    return (
                        Self.labels(row) + [("event", kind.name)],
                        Self.counter(UInt64(clamping: count))
                    )
                }
            })
    }

    /// The age of provider tokens, and when certificates expire.
    func appendCredentials(_ page: inout PrometheusText) {
        let apps = running.flatMap { row, figures in
            zip(row.worker.apps, figures.credentials).map { app, dates in
                (labels: Self.labels(row) + [("app", app)], dates: dates)
            }
        }
        page.append(
            "apns_bridge_provider_token_age_seconds",
            help: "How long ago the provider token in use was issued.",
            apps.compactMap { labels, dates in
                dates.tokenIssuedAt.map {
                    (labels, Gauge(max(0, Double(wallClock) / 1000 - Double($0))))
                }
            })
        page.append(
            "apns_bridge_certificate_expiration_timestamp_seconds",
            help: "When the certificate expires, in seconds since 1970.",
            apps.compactMap { labels, dates in
                dates.certificateExpiresAt.map { (labels, Gauge(Double($0))) }
            })
    }

    /// Files and sockets of the process.
    func appendFiles(_ page: inout PrometheusText) {
        if let count = ProcessUsage.openFiles {
            page.append(
                "process_open_fds", help: "Open files and sockets.",
                [(labels: [], value: Gauge(Double(count)))])
        }
        if let limit = ProcessLimits.currentOpenFiles {
            page.append(
                "process_max_fds", help: "How many files and sockets may be open.",
                [(labels: [], value: Gauge(Double(limit)))])
        }
    }
}
