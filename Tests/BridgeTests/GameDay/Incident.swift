import Configuration

@testable import Bridge

/// Something that goes wrong in a running bridge, and what alerts a person on call.
struct Incident: Sendable, CustomStringConvertible {
    /// What it is, as a heading.
    var name: String
    /// The alerts that fire, and no others.
    var alerts: [String] = []
    /// The message of the problem in `/status`; nil if there is none.
    var problem: String?
    /// The message of the log line.
    var logged: String?
    /// The field of the summary line that shows it.
    var summary: String?
    /// What `apns-bridge doctor` says.
    var doctor = DoctorView.unplayed("nothing", because: "it is about a process that runs")
    /// What brings the bridge back.
    var remedy = ""
    /// How it begins.
    var begin: @Sendable (GameDay) throws -> Void = { _ in }
    /// How it ends.
    var end: @Sendable (GameDay) throws -> Void = { _ in }
    /// How APNs behaves: a scenario in which it begins at ``GameDay/start``.
    var scenario = ""
    /// How long it lasts, in seconds: longer than its alert waits.
    var seconds = 120
    /// How long events go on after it, in seconds.
    var recovery = 10
    /// False when nothing runs that could show a status.
    var hasStatus = true
    /// True where events are in Avro.
    var isInAvro = false
    /// True where every other event is a broadcast.
    var hasBroadcasts = false
    /// How long the tokens of its login to Kafka are valid, in seconds; nil where it has none.
    var loginLife: Int64?
    /// The pause between two events, in milliseconds.
    var pace = 500

    var description: String { name }
}

/// What was read from a connector file.
typealias LoadedFile = (connector: Connector?, diagnostics: [Diagnostic])
