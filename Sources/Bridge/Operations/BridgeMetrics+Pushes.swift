internal import Delivery
internal import Engine
internal import Telemetry

/// The counter of pushes.
extension BridgeMetrics {
    private typealias Sample = (labels: PrometheusText.Labels, value: Counter)

    /// Pushes by connector, worker, app, push type, verdict and reason, and by labels of their
    /// events if there are any.
    func appendPushes(_ page: inout PrometheusText) {
        page.append(
            "apns_bridge_pushes_total",
            help: "Pushes whose outcome Kafka has stored, by verdict and reason.",
            running.flatMap { row, figures in
                figures.pushes.labelled.map { Self.samples(row, $0) }
                    ?? Self.samples(row, figures.pushes)
            })
    }

    /// Pushes whose labels are not distinguished; nothing unless metrics have labels of events.
    func appendPushesBeyondLabels(_ page: inout PrometheusText) {
        let samples = running.compactMap { row, figures in
            figures.pushes.labelled.map { (Self.labels(row), Self.counter($0.pushesBeyondLimit)) }
        }
        guard !samples.isEmpty else { return }
        page.append(
            "apns_bridge_pushes_beyond_labels_total",
            help: "Pushes with the labels 'other': their worker tells no more values apart.",
            samples)
    }

    /// Retries by connector, worker and reason.
    func appendRetries(_ page: inout PrometheusText) {
        page.append(
            "apns_bridge_retries_total",
            help: "How often a push waited for a retry, by the reason of APNs' response.",
            running.flatMap { row, figures in
                figures.pushes.retries.sorted { $0.key < $1.key }.map { reason, count in
                    (Self.labels(row) + [("reason", reason)], Self.counter(count))
                }
            })
    }

    private static func samples(_ row: Row, _ pushes: PushFigures) -> [Sample] {
        var samples: [Sample] = []
        for index in row.worker.apps.indices {
            for type in PushType.allCases {
                let count = pushes.accepted(app: index, type)
                guard count > 0 else { continue }
                let kind = PushFigures.Kind(
                    app: index, pushType: type, verdict: .accepted, reason: "")
                samples.append((labels(row, kind), counter(count)))
            }
        }
        return samples
            + pushes.others.sorted { isBefore($0.key, $1.key) }.map { kind, count in
                (labels(row, kind), counter(count))
            }
    }

    private static func samples(_ row: Row, _ pushes: LabelFigures) -> [Sample] {
        pushes.counts.sorted { left, right in
            left.key.values == right.key.values
                ? isBefore(left.key.kind, right.key.kind) : left.key.values < right.key.values
        }.map { series, count in
            let others = zip(pushes.names, pushes.values(of: series)).map { (name: $0, value: $1) }
            return (labels(row, series.kind) + others, counter(count))
        }
    }

    private static func labels(_ row: Row, _ kind: PushFigures.Kind) -> PrometheusText.Labels {
        let apps = row.worker.apps
        return labels(row) + [
            ("app", apps.indices.contains(kind.app) ? apps[kind.app] : ""),
            ("push_type", kind.pushType.rawValue), ("verdict", kind.verdict.rawValue),
            ("reason", kind.reason),
        ]
    }

    private static func isBefore(_ left: PushFigures.Kind, _ right: PushFigures.Kind) -> Bool {
        let texts = [left, right].map {
            "\($0.app) \($0.pushType.rawValue) \($0.verdict.rawValue) \($0.reason)"
        }
        return texts[0] < texts[1]
    }
}
