internal import YAML

/// Reads `telemetry.labels`.
struct MetricLabels {
    let setting: Setting?
    let findings: Findings

    /// The labels that the metric has anyway, or that Prometheus adds.
    private static let reserved = [
        "connector", "worker", "app", "push_type", "verdict", "reason", "job", "instance", "le",
    ]

    /// The names of the labels. Every problem is reported.
    func read() -> [String] {
        guard case .texts(let texts)? = setting?.value else { return [] }
        var names: [String] = []
        for (name, node) in texts {
            if names.count == ProcessSettings.metricLabelLimit {
                findings.error(
                    node, "metrics have at most \(names.count) labels of events",
                    "remove the others: each value multiplies the number of series")
                break
            }
            check(name, node, names)
            names.append(name)
        }
        return names
    }

    private func check(_ name: String, _ node: YAMLNode, _ others: [String]) {
        if !Self.isName(name) {
            findings.error(
                node, "'\(name)' is not a valid name of a label in Prometheus",
                "rename it in results.labels: letters, digits and '_', and no digit first")
        } else if Self.reserved.contains(name) {
            findings.error(
                node, "metrics have a label '\(name)' already",
                "rename it in results.labels, for example event_\(name)")
        } else if others.contains(name) {
            findings.error(node, "the label is listed twice", "remove one")
        }
    }

    private static func isName(_ name: String) -> Bool {
        let isFine = name.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_"
        }
        return isFine && !name.hasPrefix("__") && name.first?.isNumber == false
    }
}
