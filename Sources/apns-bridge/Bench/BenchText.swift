internal import Telemetry

/// The report for people.
struct BenchText {
    private let result: BenchResult

    init(_ result: BenchResult) { self.result = result }

    var text: String {
        (setting + [""] + backlog + paced + rival).joined(separator: "\n") + "\n"
    }

    private var setting: [String] {
        let setting = result.setting
        let workers = Self.count(setting.workers, "worker")
        let connections = Self.count(setting.connections, "connection")
        let builtIn =
            "built-in simulator"
            + (setting.rtt > 0 ? ", \(setting.rtt) ms of round trip added" : "")
        let pushes = Self.count(setting.pushesPerEvent, "push", "pushes")
        return [
            "connector  \(setting.connector): \(workers), \(connections) at the end",
            "events     \(setting.eventBytes) bytes and \(pushes) each",
            "kafka      \(setting.kafka ?? "embedded"): "
                + Self.count(setting.partitions, "partition"),
            "apns       \(setting.endpoint ?? builtIn)",
            "machine    \(Self.count(setting.processors, "processor"))",
        ]
    }

    private var backlog: [String] {
        let (backlog, found) = (result.backlog, result.backlog.measurement)
        let verdicts = [
            ("accepted", backlog.accepted), ("rejected", backlog.rejected),
            ("dropped", backlog.dropped), ("unknown", backlog.unknown),
        ].filter { $0.0 == "accepted" || $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        var lines = [
            "backlog of \(Self.count(result.setting.events, "event"))",
            "  rate       \(Decimals.text(found.rate, 0)) pushes/s, \(found.outcomes) in"
                + " \(Decimals.text(found.seconds, 2)) s",
            "  outcomes   " + verdicts.joined(separator: ", "),
        ]
        for (reason, count) in backlog.reasons.sorted(by: { $0.key < $1.key }) {
            lines.append("             \(count) \(reason)")
        }
        lines.append(
            "  memory     \(Self.megabytes(backlog.memory)) MB at most,"
                + " \(Self.megabytes(backlog.memoryBefore)) MB before the bridge was started")
        lines += costs(found)
        let load = backlog.load
        if backlog.isTooShort {
            lines.append(
                "  note       too short to measure processor time and the limit: raise --events")
        }
        lines.append("  limit      \(backlog.limit.message(load))")
        lines.append("             to lift it, \(backlog.limit.lift(load))")
        return lines
    }

    private var paced: [String] {
        guard let paced = result.paced else { return [] }
        let found = paced.measurement
        let ending =
            paced.isHeld ? "" : ", of which \(Decimals.text(paced.reached, 0)) were reached"
        return [
            "", "paced at \(Self.count(paced.wanted, "event")) per second\(ending)",
            "  latency in ms        p50      p90      p99    p99.9      max",
            latency("event to outcome", found.eventToOutcome),
            latency("event to accepted", found.eventToAccepted),
            latency("APNs round trip", found.roundTrip),
        ] + costs(found)
    }

    private var rival: [String] {
        guard let h2load = result.h2load else { return [] }
        let ratio = h2load.rate > 0 ? result.backlog.measurement.rate / h2load.rate : 0
        return [
            "", "h2load, to the same simulator",
            "  rate       \(Decimals.text(h2load.rate, 0)) requests/s,"
                + " \(h2load.succeeded) of \(h2load.requests) succeeded",
            "  processor  \(Decimals.text(h2load.microseconds, 2)) us per request",
            "  compared   the bridge delivers at \(Decimals.text(ratio, 2)) times its rate,"
                + " Kafka and outcomes included",
        ]
    }

    private func costs(_ found: BenchMeasurement) -> [String] {
        var lines = [
            "  processor time       all     user   kernel   us per push",
            row("bridge", found.costs.bridge, found, "", isShown: false),
        ]
        for part in BenchCosts.Part.allCases {
            let time = found.costs[part]
            if part == .simulator, result.setting.endpoint != nil { continue }
            lines.append(
                row("  " + part.rawValue, time, found, part.isBridge ? "" : ", apart"))
        }
        return lines
    }

    private func row(
        _ name: String, _ time: BenchCosts.Time, _ found: BenchMeasurement, _ remark: String,
        isShown: Bool = true
    ) -> String {
        let columns = [time.all, time.user, time.kernel].map {
            Self.right(Decimals.text(found.microseconds($0), 2), 9)
        }
        let busy = "   busiest thread \(Decimals.text(time.busiest * 100, 0)) %"
        return "    " + Self.left(name, 14) + columns.joined() + (isShown ? busy : "") + remark
    }

    private func latency(_ name: String, _ histogram: Histogram) -> String {
        let values = [0.5, 0.9, 0.99, 0.999].map { histogram.quantile($0) } + [histogram.maximum]
        return "    " + Self.left(name, 18)
            + values.enumerated().map { Self.right(String($1), $0 == 0 ? 5 : 9) }.joined()
    }

    private static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    private static func megabytes(_ bytes: Int64) -> String {
        Decimals.text(Double(bytes) / 1_048_576, 0)
    }

    private static func left(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
