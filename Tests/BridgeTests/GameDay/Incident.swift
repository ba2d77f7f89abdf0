import BridgeTesting
import Delivery
import Engine

@testable import Bridge

/// Something that goes wrong in a running bridge, and what tells a person on call.
struct Incident: Sendable, CustomStringConvertible {
    /// What it is, as a heading.
    var name: String
    /// The alert that fires, and the metric that it reads; nil for an incident without one.
    var alert: (name: String, signal: Signal)?
    /// The message of the problem in `/status`; nil if there is none.
    var problem: String?
    /// The message of the log line.
    var logged: String?
    /// The field of the summary line that shows it.
    var summary: String?
    /// What `apns-bridge doctor` says.
    var doctor: String
    /// What brings the bridge back.
    var remedy: String
    /// How it begins.
    var begin: @Sendable (GameDay) throws -> Void
    /// How it ends.
    var end: @Sendable (GameDay) throws -> Void
    /// How APNs behaves: a scenario in which it begins at ``GameDay/start``.
    var scenario = ""
    /// How long it lasts, in seconds.
    var seconds = 120
    /// The pause between two events, in milliseconds.
    var pace = 500

    var description: String { name }
}

/// What an alert sees in the metrics.
enum Signal: Sendable {
    /// A sample has this value.
    case equals(String, Double)
    /// A sample is greater.
    case exceeds(String, Double)
    /// A counter rises, and another one does not.
    case rises(String, unless: String = "")
    /// Most observations of a histogram are greater, in seconds.
    case isSlow(String, bound: String)
    /// A time is less than so many seconds away.
    case isNear(String, seconds: Double)
    /// A sample is more than this share of another one.
    case isShare(String, of: String, above: Double)

    /// The metric that it reads.
    var metric: String {
        switch self {
        case .equals(let name, _), .exceeds(let name, _), .rises(let name, _),
            .isNear(let name, _), .isShare(let name, _, _):
            name
        case .isSlow(let name, _): name + "_bucket"
        }
    }

    /// True if it holds now; `before` are the metrics before the incident.
    func holds(_ now: Page, before: Page) -> Bool {
        switch self {
        case .equals(let name, let value): now[name].contains(value)
        case .exceeds(let name, let value): now[name].contains { $0 > value }
        case .rises(let name, let other):
            now.sum(name) > before.sum(name) && now.sum(other) == before.sum(other)
        case .isSlow(let name, let bound):
            Self.slow(now, name, bound) - Self.slow(before, name, bound)
                > (now.sum(name + "_count") - before.sum(name + "_count")) / 2
        case .isNear(let name, let seconds):
            now[name].contains { $0 - Double(now.wallClock) / 1000 < seconds }
        case .isShare(let name, let whole, let share):
            now.sum(whole) > 0 && now.sum(name) / now.sum(whole) > share
        }
    }

    private static func slow(_ samples: Page, _ name: String, _ bound: String) -> Double {
        samples.sum(name + "_count") - samples.sum(name + "_bucket", with: #"le="\#(bound)""#)
    }

    /// The samples of a page of metrics.
    struct Page {
        private let lines: [(name: String, labels: String, value: Double)]
        /// When it was read, in milliseconds since 1970.
        let wallClock: Int64

        init(_ text: String, wallClock: Int64) {
            self.wallClock = wallClock
            lines = text.split(separator: "\n").compactMap { line in
                guard !line.hasPrefix("#"), let space = line.lastIndex(of: " "),
                    let value = Double(line[line.index(after: space)...])
                else { return nil }
                let series = line[..<space].split(separator: "{", maxSplits: 1)
                return (String(series[0]), series.count > 1 ? String(series[1]) : "", value)
            }
        }

        subscript(name: String) -> [Double] { lines.filter { $0.name == name }.map(\.value) }

        func sum(_ name: String, with label: String = "") -> Double {
            lines.filter { $0.name == name && (label.isEmpty || $0.labels.contains(label)) }
                .reduce(0) { $0 + $1.value }
        }
    }
}
