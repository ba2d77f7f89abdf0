internal import Delivery
internal import EventLoop
internal import Kafka

/// Publishes the events of a measurement on a thread of its own: first a backlog as fast as it can,
/// then, on request, events at an even rate.
struct BenchPublisher: Sendable {
    let events: BenchEvents
    let topic: String
    let properties: KafkaProperties
    /// How many events may be published and not finished: what a Kafka in memory can hold.
    let capacity: Int
    let flow: BenchFlow

    /// What one partition of the embedded Kafka holds safely, in bytes.
    private static let partitionBytes = 4 << 20
    /// A backlog this long keeps every queue of the bridge full.
    private static let maximum = 4_000_000
    /// How long Kafka may take to store what is published, in milliseconds.
    private static let timeout = 60_000

    /// How many events of a size fit.
    static func capacity(eventBytes: Int, partitions: Int, isEmbedded: Bool) -> Int {
        // Besides its value a record has a key, times and lengths.
        let bytes = eventBytes + 50
        return isEmbedded ? max(partitions, partitions * partitionBytes / bytes) : maximum
    }

    /// Publishes `count` events, and then what is ordered; blocks its thread.
    func run(_ count: Int) {
        do throws(KafkaFailure) {
            var writer = try RecordWriter(properties: patientProperties)
            var kernel = try LinuxKernel.publisher(watching: flow.orders.descriptor)
            try publish(count, &writer, &kernel)
            if case .pace(let rate, let seconds) = nextOrder(&kernel) {
                try pace(rate, seconds, &writer, &kernel)
                flow.reach(.paced)
            }
        } catch {
            flow.fail(error)
        }
    }

    private func publish(
        _ count: Int, _ writer: inout RecordWriter, _ kernel: inout LinuxKernel
    ) throws(KafkaFailure) {
        while flow.published < count, !flow.hasEnded {
            if flow.unfinished >= capacity, flow.phase < .filled {
                try flush(&writer)
                flow.reach(.filled)
            }
            waitForRoom(&kernel)
            try write(&writer, timestamp: nil)
        }
        try flush(&writer)
        flow.reach(.filled)
    }

    private func nextOrder(_ kernel: inout LinuxKernel) -> BenchFlow.Order {
        var order: BenchFlow.Order?
        while true {
            flow.orders.drain { order = $0 }
            if let order { return order }
            kernel.wait(until: nil) { _ in }
        }
    }

    /// Publishes at a rate. An event's time is when it was due, so that a publisher that is late
    /// hides no latency.
    private func pace(
        _ rate: Int, _ seconds: Int, _ writer: inout RecordWriter, _ kernel: inout LinuxKernel
    ) throws(KafkaFailure) {
        let pace = EvenPace(start: kernel.now, perSecond: rate)
        let wallClock = kernel.wallClock
        let end = pace.start + .seconds(seconds)
        var number = 0
        while number < rate * seconds, kernel.now < end, !flow.hasEnded {
            pace.wait(for: number, &kernel)
            waitForRoom(&kernel)
            let delay = (pace.due(number) - pace.start).wholeMilliseconds
            try write(&writer, timestamp: wallClock + delay)
            number += 1
        }
        try flush(&writer)
    }

    private func waitForRoom(_ kernel: inout LinuxKernel) {
        while flow.unfinished >= capacity, !flow.hasEnded {
            kernel.wait(until: kernel.now + .milliseconds(1)) { _ in }
        }
    }

    private func write(
        _ writer: inout RecordWriter, timestamp: Int64?
    ) throws(KafkaFailure) {
        let number = flow.published
        try writer.write(
            topic, key: events.key(number), value: events.event(number), timestamp: timestamp,
            while: { !flow.hasEnded })
        flow.publish()
    }

    private func flush(_ writer: inout RecordWriter) throws(KafkaFailure) {
        try writer.flush(timeoutMilliseconds: Self.timeout, while: { !flow.hasEnded })
    }

    /// Kafka may take only so long, unless the user says otherwise.
    private var patientProperties: KafkaProperties {
        var properties = properties
        let names = ["message.timeout.ms", "delivery.timeout.ms"]
        if names.allSatisfy({ properties[$0] == nil }) {
            properties[names[0]] = String(Self.timeout)
        }
        return properties
    }
}
