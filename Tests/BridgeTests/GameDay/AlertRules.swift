import EventLoop
import Foundation

/// The alerts in `deploy`, evaluated by Prometheus' own `promtool` over metrics that a bridge has
/// written.
enum AlertRules {
    static let promtool = "/usr/bin/promtool"
    static var canBeEvaluated: Bool { FileManager.default.isExecutableFile(atPath: promtool) }

    /// The pause between two scrapes, and between two evaluations, in seconds.
    static let interval = 10
    /// How long the bridge stays as it is after the last scrape, in intervals: longer than the
    /// longest range of a query.
    private static let calm = 200

    static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../deploy/prometheus/alerts.yaml").standardizedFileURL
    static let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""

    /// The names of all alerts.
    static let names = text.matches(of: /- alert: (\w+)/).map { String($0.1) }
    /// The metrics that they read.
    static let metrics = Set(
        text.matches(of: /\b(?:apns_bridge|process)_\w+/).map { String($0.0) } + ["up"])

    /// True if an alert pages somebody; false for a warning.
    static func pages(_ name: String) -> Bool {
        let rule = text.split(separator: "- alert: ").first { $0.hasPrefix("\(name)\n") }
        return rule?.contains("severity: page") == true
    }

    /// What `promtool` says unless exactly these alerts fire at the end of an incident, none did
    /// when it began, no other has ever fired, and none fires once the bridge is calm again.
    static func complaint(
        about scrapes: [Scrape], begin: Int, end: Int, firing alerts: [String]
    ) throws -> String? {
        let firing = #"max by (alertname) (ALERTS{alertstate="firing"})"#
        let ever = #"max by (alertname) (max_over_time(ALERTS{alertstate="firing"}[1d]))"#
        let last = (scrapes.count + calm) * interval
        let samples = alerts.sorted().map { name in
            ["labels": "{alertname=\"\(name)\"}", "value": 1] as [String: Any]
        }
        // The first scrape, after one interval, is at the time 0 of the test.
        func question(_ query: String, _ second: Int, _ samples: [[String: Any]]) -> [String: Any] {
            [
                "expr": query, "eval_time": "\((second / interval - 1) * interval)s",
                "exp_samples": samples,
            ]
        }
        let test: [String: Any] = [
            "interval": "\(interval)s", "input_series": series(scrapes),
            "promql_expr_test": [
                question(firing, begin, []), question(firing, end, samples),
                question(ever, last, samples), question(firing, last, []),
            ],
        ]
        return try complaint([
            "rule_files": [file.path], "evaluation_interval": "\(interval)s", "tests": [test],
        ])
    }

    /// Runs a test of rules; nil if it passes.
    private static func complaint(_ test: [String: Any]) throws -> String? {
        // JSON is YAML, too.
        let path = FileManager.default.temporaryDirectory
            .appending(path: "\(UUID().uuidString).yaml")
        try JSONSerialization.data(withJSONObject: test, options: .withoutEscapingSlashes)
            .write(to: path)
        defer { try? FileManager.default.removeItem(at: path) }
        let ending = try ChildProcess.run(promtool, ["test", "rules", path.path])
        return ending.exitCode == 0 ? nil : String(decoding: ending.output, as: UTF8.self)
    }

    /// Each series with its values, in the notation of `promtool`.
    private static func series(_ scrapes: [Scrape]) -> [[String: String]] {
        let names = Set(scrapes.flatMap(\.samples.keys)).sorted()
        return names.map { name in
            var isPresent = false
            var values = scrapes.map { scrape in
                defer { isPresent = scrape.samples[name] != nil }
                guard let value = scrape.samples[name] else { return isPresent ? "stale" : "_" }
                return text(value)
            }
            if isPresent, let last = values.last { values[values.count - 1] = "\(last)x\(calm)" }
            return ["series": name, "values": values.joined(separator: " ")]
        }
    }

    private static func text(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
    }
}

/// What Prometheus keeps of one reading of a bridge's metrics.
struct Scrape: Sendable {
    /// Their values, by name and labels.
    private(set) var samples: [String: Double]

    /// A scrape of a process that does not respond.
    static func failed(instance: String) -> Scrape {
        Scrape(samples: [named("up", instance): 0])
    }

    /// Prometheus knows of no process.
    static let missing = Scrape(samples: [:])

    private init(samples: [String: Double]) { self.samples = samples }

    /// Reads some of the metrics of a page.
    ///
    /// In a test of rules, time begins at zero: times in the metrics are counted from `start`, in
    /// seconds since 1970.
    init(
        _ page: String, of instance: String, from start: Double, keeping metrics: Set<String>
    ) {
        samples = [Self.named("up", instance): 1]
        for line in page.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " "),
                let value = Double(line[line.index(after: space)...])
            else { continue }
            let parts = line[..<space].split(separator: "{", maxSplits: 1)
            guard metrics.contains(String(parts[0])) else { continue }
            let isTime = ["_timestamp_seconds", "_start_time_seconds"]
                .contains(where: parts[0].hasSuffix)
            let labels = parts.count > 1 ? parts[1].dropLast() : ""
            samples[Self.named(String(parts[0]), instance, labels)] =
                isTime ? value - start : value
        }
    }

    /// The values of a metric.
    subscript(metric: String) -> [Double] {
        samples.filter { $0.key.hasPrefix("\(metric){") }.map(\.value)
    }

    private static func named(
        _ name: String, _ instance: String, _ labels: Substring = ""
    ) -> String {
        let others = labels.isEmpty ? "" : ",\(labels)"
        return #"\#(name){job="apns-bridge",instance="\#(instance)"\#(others)}"#
    }
}
