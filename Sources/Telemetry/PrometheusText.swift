/// Writes instruments in Prometheus' text format, version 0.0.4.
///
/// Each name is written once with all its samples. Source: Prometheus, *Exposition formats*.
public struct PrometheusText: Sendable {
    /// The labels that distinguish samples of a metric, in the order they are written.
    public typealias Labels = [(name: String, value: String)]

    /// The content so far.
    public private(set) var text = ""

    /// The content type of the page.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Creates an empty page.
    public init() {}

    /// Writes counters; the name ends in `_total`.
    public mutating func append(
        _ name: String, help: String, _ samples: [(labels: Labels, value: Counter)]
    ) {
        header(name, help, "counter")
        for sample in samples { line(name, sample.labels, String(sample.value.value)) }
    }

    /// Writes a counter of seconds, with a fraction; the name ends in `_seconds_total`.
    public mutating func append(_ name: String, help: String, seconds: Double) {
        header(name, help, "counter")
        line(name, [], Self.number(seconds))
    }

    /// Writes gauges.
    public mutating func append(
        _ name: String, help: String, _ samples: [(labels: Labels, value: Gauge)]
    ) {
        header(name, help, "gauge")
        for sample in samples { line(name, sample.labels, Self.number(sample.value.value)) }
    }

    /// Writes histograms; values and bounds are divided by `scale`: 1e9 for nanoseconds.
    public mutating func append(
        _ name: String, help: String, bounds: [UInt64], scale: Double,
        _ samples: [(labels: Labels, value: Histogram)]
    ) {
        header(name, help, "histogram")
        for (labels, value) in samples {
            for bound in bounds {
                let limit = Self.number(Double(bound) / scale)
                line("\(name)_bucket", labels + [("le", limit)], String(value.count(upTo: bound)))
            }
            line("\(name)_bucket", labels + [("le", "+Inf")], String(value.count))
            line("\(name)_sum", labels, Self.number(Double(value.sum) / scale))
            line("\(name)_count", labels, String(value.count))
        }
    }

    private mutating func header(_ name: String, _ help: String, _ type: String) {
        text += "# HELP \(name) \(Self.escape(help))\n# TYPE \(name) \(type)\n"
    }

    private mutating func line(_ name: String, _ labels: Labels, _ value: String) {
        let pairs = labels.map { "\($0.name)=\"\(Self.escape($0.value, quotes: true))\"" }
        text += name + (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") + " \(value)\n"
    }

    private static func escape(_ text: String, quotes: Bool = false) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        guard value.isFinite else { return value < 0 ? "-Inf" : "+Inf" }
        return Int64(exactly: value).map { String($0) } ?? String(value)
    }
}
