internal import Delivery
internal import EventLoop
internal import Kafka

/// Publishes the events at an even rate, so that the bridge is what is measured.
enum DemoPublisher {
    static let perSecond = 1000

    /// Publishes every event; blocks its thread meanwhile.
    static func publish(to properties: KafkaProperties) throws(KafkaFailure) {
        var writer = try RecordWriter(properties: properties)
        var kernel = try LinuxKernel.publisher()
        let pace = EvenPace(start: kernel.now, perSecond: perSecond)
        for number in 0..<DemoEvents.count {
            pace.wait(for: number, &kernel)
            try writer.write(
                DemoWorld.source, key: [UInt8]("customer-\(number % 500)".utf8),
                value: DemoEvents.event(number, now: kernel.wallClock / 1000))
        }
        try writer.flush()
    }
}
