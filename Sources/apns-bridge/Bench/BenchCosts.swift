/// The processor time between two moments, by part.
struct BenchCosts: Equatable, Sendable {
    /// A part of the process.
    enum Part: String, CaseIterable, Sendable {
        /// The threads of the workers.
        case worker
        /// The threads of the workers' consumers and producers, and those that ask on their behalf.
        case library = "librdkafka"
        /// The built-in simulator, which is not the bridge.
        case simulator
        /// The embedded Kafka, the publisher and the measurement, which are not the bridge.
        case bench

        /// True for what `apns-bridge run` would be.
        var isBridge: Bool { self == .worker || self == .library }
    }

    /// Processor time in seconds.
    struct Time: Equatable, Sendable {
        var user = 0.0
        var kernel = 0.0
        /// The highest share of the time that a single thread was busy.
        var busiest = 0.0

        var all: Double { user + kernel }
    }

    private var times: [Part: Time] = [:]
    /// The share of the machine's processors without work.
    private(set) var idle = 1.0

    init() {}

    /// The time of a part.
    subscript(_ part: Part) -> Time { times[part] ?? Time() }

    /// The time of the whole bridge.
    var bridge: Time {
        var sum = Time()
        for part in Part.allCases where part.isBridge {
            sum.user += self[part].user
            sum.kernel += self[part].kernel
            sum.busiest = max(sum.busiest, self[part].busiest)
        }
        return sum
    }

    /// Compares two readings that are `seconds` apart. Threads of librdkafka that existed before
    /// the bridge are `foreign`.
    init(
        from start: BenchUsage, to end: BenchUsage, seconds: Double, foreign: Set<Int>,
        ticksPerSecond: Double = BenchUsage.ticksPerSecond
    ) {
        for (number, thread) in end.threads {
            let before = start.threads[number]
            let user = Double(max(0, thread.user - (before?.user ?? 0))) / ticksPerSecond
            let kernel = Double(max(0, thread.kernel - (before?.kernel ?? 0))) / ticksPerSecond
            let part = Self.part(of: thread.name, isForeign: foreign.contains(number))
            var time = self[part]
            time.user += user
            time.kernel += kernel
            if seconds > 0 { time.busiest = max(time.busiest, (user + kernel) / seconds) }
            times[part] = time
        }
        let machine = end.machine - start.machine
        if machine > 0 { idle = Double(end.idle - start.idle) / Double(machine) }
    }

    /// The name of the connector while it is measured, from which workers' threads have theirs.
    static let connector = "bench"

    private static func part(of thread: String, isForeign: Bool) -> Part {
        if isForeign { return thread == "apns-simulator" ? .simulator : .bench }
        if thread.hasPrefix("rdk:") || thread.hasPrefix("kafka-") { return .library }
        let number = thread.dropFirst("\(connector)-".count)
        let isWorker = thread.hasPrefix("\(connector)-") && Int(number) != nil
        return isWorker ? .worker : .bench
    }
}
