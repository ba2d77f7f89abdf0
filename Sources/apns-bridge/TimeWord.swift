internal import Arguments
internal import Mapping

/// A point in time on a command line.
struct TimeWord: ExpressibleByArgument {
    let argumentText: String
    /// Milliseconds since 1970.
    let milliseconds: Int64

    init?(argument: String) {
        guard let time = EventTime.milliseconds(argument) else { return nil }
        argumentText = argument
        milliseconds = time
    }

    static var valueDescription: String {
        "a time, such as 2026-01-01T10:00:00Z or seconds since 1970"
    }
}
