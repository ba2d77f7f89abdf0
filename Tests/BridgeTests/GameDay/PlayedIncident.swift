import Synchronization

@testable import Bridge

/// What was seen of an incident from its beginning to its end.
struct PlayedIncident: Sendable {
    /// The problems before, during and after it.
    var problems: (before: [StatusProblem], during: [StatusProblem], after: [StatusProblem])
    /// Nothing restarts the process during it.
    var isHealthy: Bool
    /// How many requests the connections allow before it.
    var requestsAllowed: [Int]
    var hasLogged: Bool
    var hasSummarised: Bool
    /// The summary lines, to be shown if they miss something.
    var lines: String
    /// Everything was delivered in the end.
    var isOver: Bool
    /// The oracle's complaints.
    var mistakes: [String]
    /// What Prometheus would have scraped, and the seconds in which the incident began and ended.
    var scrapes: [Scrape]
    var begin: Int
    var end: Int

    private static let played = Mutex<[String: Task<PlayedIncident, any Error>]>([:])

    /// Plays an incident once, whichever tests look at it.
    static func of(_ incident: Incident) async throws -> PlayedIncident {
        let task = played.withLock { tasks in
            let known =
                tasks[incident.name]
                ?? Task {
                    // Its work takes long, and keeps no other test from going on.
                    let played: Result<PlayedIncident, any Error> = await onThread("game day") {
                        Result { try play(incident) }
                    }
                    return try played.get()
                }
            tasks[incident.name] = known
            return known
        }
        return try await task.value
    }

    private static func play(_ incident: Incident) throws -> PlayedIncident {
        let day = try GameDay(incident)
        let calm = day.pass(seconds: GameDay.start - 1)
        let begin = day.second
        let allowed = calm.workers.compactMap(\.figures?.streamsAllowed)
        try incident.begin(day)
        let reading = day.pass(seconds: incident.seconds)
        let end = day.second
        let hasLogged = incident.logged.map(day.hasLogged) ?? true
        let hasSummarised = incident.summary.map(day.hasSummarised) ?? true
        let lines = "\(day.lines)"
        try incident.end(day)
        // A new credential is adopted once APNs has accepted a push with it.
        _ = day.pass(seconds: incident.recovery)
        let isOver = day.finish()
        let after = day.pass(seconds: 30)
        day.world.oracle.checkEnd()
        return PlayedIncident(
            problems: (calm.problems, reading.problems, after.problems),
            isHealthy: reading.isHealthy, requestsAllowed: allowed, hasLogged: hasLogged,
            hasSummarised: hasSummarised, lines: lines, isOver: isOver,
            mistakes: day.world.oracle.mistakes, scrapes: day.scrapes, begin: begin, end: end)
    }
}
