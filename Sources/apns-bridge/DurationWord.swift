internal import Arguments
internal import Configuration

/// A duration on a command line.
struct DurationWord: ExpressibleByArgument {
    let argumentText: String
    let duration: Duration

    init?(argument: String) {
        guard let duration = DurationText.duration(argument) else { return nil }
        argumentText = argument
        self.duration = duration
    }

    static var valueDescription: String { "a duration, such as 40ms or 2s" }
}
