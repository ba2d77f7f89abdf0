internal import Arguments
internal import Configuration

/// What to measure, checked.
struct BenchSettings: Equatable, Sendable {
    /// Host without brackets, and port.
    struct Address: Equatable, Sendable {
        var host: String
        var port: UInt16

        /// In the usual notation.
        var text: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    }

    /// The connector file; nil for the built-in connector.
    var connector: String?
    /// The file that holds the event; nil for the usual one.
    var event: String?
    var events: Int
    /// Events per second of the paced part; 0 for none.
    var rate: Int
    var seconds: Int
    /// Kafka's addresses; nil for the embedded one.
    var bootstrap: String?
    /// The prefix of existing topics; nil to create topics.
    var topics: String?
    var partitions: Int
    /// The simulator to send to; nil for the built-in one.
    var endpoint: Address?
    /// The round-trip time that the built-in simulator adds.
    var rtt: Duration
    /// The state folder of that simulator; nil for the usual one.
    var state: String?
    var connections: Int?
    var workers: Int?
    var comparesH2Load: Bool
}

extension BenchSettings {
    /// Checks a command line.
    init(_ parsed: ParsedCommand) throws(BenchFailure) {
        connector = parsed[BenchOptions.connector]
        event = parsed[BenchOptions.event]
        events = try Self.number("events", parsed[BenchOptions.events], 1...100_000_000)
        rate = try Self.number("rate", parsed[BenchOptions.rate], 0...1_000_000_000)
        seconds = try Self.number("seconds", parsed[BenchOptions.seconds], 1...3600)
        partitions = try Self.number("partitions", parsed[BenchOptions.partitions], 1...1000)
        connections = try Self.optional("connections", parsed[BenchOptions.connections], 1...64)
        workers = try Self.optional("workers", parsed[BenchOptions.workers], 1...64)
        bootstrap = parsed[BenchOptions.bootstrap]
        topics = parsed[BenchOptions.topics]
        endpoint = try parsed[BenchOptions.endpoint].map { url throws(BenchFailure) in
            try Self.endpoint(url)
        }
        rtt = parsed[BenchOptions.rtt]?.duration ?? .zero
        state = parsed[BenchOptions.state]
        comparesH2Load = parsed[BenchOptions.compare] == .h2load
        try check()
    }

    private func check() throws(BenchFailure) {
        if let bootstrap, let problem = BrokerAddresses.problem(bootstrap) {
            throw BenchFailure(.usage, "--bootstrap has \(problem.message): \(problem.remedy)")
        }
        if topics != nil, bootstrap == nil {
            throw BenchFailure(
                .usage, "--topics names topics of your own Kafka: add --bootstrap HOST:PORT")
        }
        if let topics, !Self.isTopicPrefix(topics) {
            throw BenchFailure(
                .usage, "--topics '\(topics)' cannot begin the name of a topic:"
                    + " use at most 200 letters, digits, '.', '_' and '-'")
        }
        if state != nil, endpoint == nil {
            throw BenchFailure(
                .usage, "--state belongs to the simulator at another address: add --endpoint URL")
        }
        guard rtt <= .seconds(10) else {
            throw BenchFailure(.usage, "--rtt is out of range: give a duration up to 10s")
        }
        if rtt > .zero, endpoint != nil {
            throw BenchFailure(
                .usage, "--rtt belongs to the built-in simulator: start the one at --endpoint with"
                    + " a scenario that has 'rtt'")
        }
        if comparesH2Load, endpoint != nil {
            throw BenchFailure(
                .usage, "--compare needs the built-in simulator: leave out --endpoint")
        }
    }

    private static func optional(
        _ option: String, _ value: Int?, _ range: ClosedRange<Int>
    ) throws(BenchFailure) -> Int? {
        guard let value else { return nil }
        return try number(option, value, range)
    }

    private static func number(
        _ option: String, _ value: Int, _ range: ClosedRange<Int>
    ) throws(BenchFailure) -> Int {
        guard range.contains(value) else {
            throw BenchFailure(
                .usage, "--\(option) \(value) is out of range: give a number from"
                    + " \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    private static func isTopicPrefix(_ text: String) -> Bool {
        (1...200).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    }

    /// The address in a URL. Device tokens are made up, so that Apple must never see them.
    static func endpoint(_ url: String) throws(BenchFailure) -> Address {
        let address: Address
        do throws(EndpointText.Failure) {
            let (host, port) = try EndpointText.read(url)
            address = Address(host: host, port: port)
        } catch {
            let message = error.message.replacing("'endpoint'", with: "--endpoint \(url)")
            throw BenchFailure(.usage, "\(message): \(error.remedy)")
        }
        guard !isApple(address.host) else {
            throw BenchFailure(
                .usage, "--endpoint \(url) is Apple's: bench sends made-up device tokens, which"
                    + " Apple counts against you: give the address of a simulator")
        }
        return address
    }

    /// True for every host of Apple, and for the IPv4 addresses that are Apple's: 17.0.0.0/8.
    static func isApple(_ host: String) -> Bool {
        var name = host.lowercased()[...]
        while name.last == "." { name.removeLast() }
        if name == "apple.com" || name.hasSuffix(".apple.com") { return true }
        if name.hasPrefix("::ffff:") { name = name.dropFirst("::ffff:".count) }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil } && parts[0] == "17"
    }
}
