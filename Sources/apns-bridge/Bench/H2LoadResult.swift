/// What h2load says.
struct H2LoadResult: Equatable, Sendable {
    /// Requests that were answered with a status of 2xx.
    var succeeded: Int
    /// Requests that were made.
    var requests: Int
    /// Requests per second.
    var rate: Double
    /// Its processor time in seconds.
    var userSeconds = 0.0
    var kernelSeconds = 0.0

    /// Reads its output; nil when it did not come to an end.
    init?(output: String) {
        var rate: Double?
        var counts: (total: Int, succeeded: Int)?
        for line in output.split(separator: "\n") {
            let words = line.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
            if words.first == "finished", let index = words.firstIndex(of: "req/s"), index > 0 {
                rate = Double(words[index - 1])
            }
            if words.first == "requests:", words.count > 8, let total = Int(words[1]),
                let index = words.firstIndex(of: "succeeded"), let count = Int(words[index - 1])
            {
                counts = (total, count)
            }
        }
        guard let rate, let counts else { return nil }
        self.rate = rate
        requests = counts.total
        succeeded = counts.succeeded
    }

    /// Its processor time for each request, in microseconds.
    var microseconds: Double {
        requests > 0 ? (userSeconds + kernelSeconds) * 1_000_000 / Double(requests) : 0
    }

    /// The words of its command line, without its name.
    static func arguments(
        requests: Int, connections: Int, streams: Int, body: String, headers: [(String, String)],
        url: String
    ) -> [String] {
        var words = [
            "--requests=\(requests)", "--clients=\(connections)",
            "--max-concurrent-streams=\(streams)", "--data=\(body)",
        ]
        for (name, value) in headers { words.append("--header=\(name): \(value)") }
        return words + [url]
    }
}
