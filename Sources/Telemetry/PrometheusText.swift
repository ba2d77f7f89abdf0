/// Writes instruments in one of Prometheus' text formats.
///
/// Each name is written once with all its samples. Sources: Prometheus, *Exposition formats*;
/// *OpenMetrics*, version 1.0.
public struct PrometheusText: Sendable {
    /// A text format.
    public enum Format: Sendable {
        /// Prometheus' own, version 0.0.4.
        case plain
        /// OpenMetrics, version 1.0, with exemplars.
        case openMetrics
    }

    /// The labels that distinguish samples of a metric, in the order they are written.
    public typealias Labels = [(name: String, value: String)]

    private let format: Format
    private var lines = ""

    /// Creates an empty page.
    public init(_ format: Format = .plain) { self.format = format }

    /// The whole page.
    public var text: String { format == .plain ? lines : lines + "# EOF\n" }

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
            var lower: UInt64?
            for bound in bounds {
                bucket(name, labels, Double(bound) / scale, value.count(upTo: bound))
                explain(value, above: lower, upTo: bound, scale)
                lower = bound
            }
            bucket(name, labels, .infinity, value.count)
            explain(value, above: lower, upTo: .max, scale)
            line("\(name)_sum", labels, Self.number(Double(value.sum) / scale))
            line("\(name)_count", labels, String(value.count))
        }
    }

    /// In OpenMetrics the name of a counter is that of its samples without `_total`.
    private mutating func header(_ name: String, _ help: String, _ type: String) {
        let isOpen = format == .openMetrics
        let isCounter = isOpen && type == "counter" && name.hasSuffix("_total")
        let family = isCounter ? String(name.dropLast("_total".count)) : name
        lines += "# HELP \(family) \(Self.escape(help, quotes: isOpen))\n"
        lines += "# TYPE \(family) \(type)\n"
    }

    private mutating func line(_ name: String, _ labels: Labels, _ value: String) {
        let pairs = labels.map { "\($0.name)=\"\(Self.escape($0.value, quotes: true))\"" }
        lines += name + (pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}") + " \(value)\n"
    }

    /// In OpenMetrics a bound always has a fraction.
    private mutating func bucket(
        _ name: String, _ labels: Labels, _ bound: Double, _ count: UInt64
    ) {
        let limit = format == .openMetrics && bound.isFinite ? String(bound) : Self.number(bound)
        line("\(name)_bucket", labels + [("le", limit)], String(count))
    }

    /// Ends the last line with an exemplar, if the format has them and there is one.
    private mutating func explain(
        _ histogram: Histogram, above low: UInt64?, upTo high: UInt64, _ scale: Double
    ) {
        guard format == .openMetrics, let exemplar = histogram.exemplar(above: low, upTo: high)
        else { return }
        let value = Self.number(Double(exemplar.value) / scale)
        let time = Self.number(Double(exemplar.time) / 1000)
        lines.removeLast()
        lines += " # {trace_id=\"\(exemplar.trace)\"} \(value) \(time)\n"
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
