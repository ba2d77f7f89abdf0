internal import Arguments

/// The options of ``BenchVerb``.
enum BenchOptions {
    static let connector = Argument<String?>(
        "connector", completion: .file, help: "Connector file; without one, a built-in connector.")
    static let event = Option<String?>(
        "event", valueName: "FILE", completion: .file,
        help: "Event to publish; by default NAME.example.json next to the connector NAME.yaml.")
    static let events = Option<Int>(
        "events", default: 200_000, help: "Events of the backlog.")
    static let rate = Option<Int>(
        "rate", default: 1000,
        help: "Events per second of the paced part, which measures latency; 0 omits it.")
    static let seconds = Option<Int>("seconds", default: 10, help: "Length of the paced part.")
    static let bootstrap = Option<String?>(
        "bootstrap", valueName: "HOST:PORT",
        help: "Kafka to use instead of the embedded one.")
    static let topics = Option<String?>(
        "topics", valueName: "PREFIX",
        help: "Use the topics PREFIX.events, PREFIX.outcomes, PREFIX.unregistered and"
            + " PREFIX.dead-letter if they exist; they must be empty.")
    static let partitions = Option<Int>(
        "partitions", default: 8, help: "Partitions of each topic that is created.")
    static let endpoint = Option<String?>(
        "endpoint", valueName: "URL",
        help: "APNs simulator to send to instead of the built-in one; never Apple.")
    static let rtt = Option<DurationWord?>(
        "rtt", valueName: "DURATION",
        help: "Round-trip time that the built-in simulator adds, such as 40ms.")
    static let state = Option<String?>(
        "state", valueName: "DIR", completion: .directory,
        help: "With --endpoint: that simulator's state folder, for its key and certificate.")
    static let connections = Option<Int?>(
        "connections", help: "Connections of each worker, instead of the connector's.")
    static let workers = Option<Int?>(
        "workers", help: "Workers, instead of the connector's.")
    static let compare = Option<BenchRival?>(
        "compare", help: "Also let another client send to the same simulator.")
    static let json = Flag("json", help: "The same as --format json.")

    static let all: [any Declared] = [
        event, events, rate, seconds, bootstrap, topics, partitions, endpoint, rtt, state,
        connections, workers, compare, OutputFormat.option,
    ]
}

/// Another client to compare with.
enum BenchRival: String, CaseIterable, ExpressibleByArgument {
    /// The load generator of nghttp2.
    case h2load
}
