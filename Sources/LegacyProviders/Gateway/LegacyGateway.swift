public import Configuration
internal import Delivery
internal import EventLoop
internal import Kafka
internal import TLS
public import Telemetry

/// Gives providers of the binary interface an address: their pushes become events of a topic.
public final class LegacyGateway: Sendable {
    /// How it ended.
    public enum Ending: Equatable, Sendable {
        /// It was told to stop.
        case stopped
        /// Kafka's library could not continue, for this reason.
        case broken(String)
    }

    private let settings: LegacyGatewaySettings
    private let logger: Logger
    private let orders = Mailbox<LegacyOrder>()

    /// A gateway that does not listen yet.
    public init(_ settings: LegacyGatewaySettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// Looks at Kafka, begins to listen, tells the port, and works until it is stopped.
    public func run(listening: (UInt16) -> Void = { _ in }) throws(LegacyFailure) -> Ending {
        let plan = GatewayPlan(settings)
        let place = Listening(settings: settings.listen, places: settings.places)
        try TopicCheck(
            properties: plan.properties, topic: plan.topic, setting: "topic", right: "WRITE",
            places: settings.places
        ).look()
        var kernel = LinuxKernel()
        let address = try place.address(&kernel, token: GatewayLoop.lookupToken)
        let context = try place.context(settings.apps, plan.roster)
        var loop = try loop(plan, kernel, context)
        let port: UInt16
        do throws(KernelError) {
            port = try loop.listen(on: address)
        } catch {
            throw place.refused(error)
        }
        logger.info(
            "listening",
            metadata: ["host": .string(settings.listen.host), "port": .number(port)])
        listening(port)
        switch loop.run() {
        case .stopped: return .stopped
        case .broken(let failure): return .broken("\(failure.detail) (\(failure.code))")
        }
    }

    private func loop(
        _ plan: GatewayPlan, _ kernel: consuming LinuxKernel, _ context: TLSContext
    ) throws(LegacyFailure) -> GatewayLoop {
        do throws(KafkaFailure) {
            return try GatewayLoop(
                plan, kernel: kernel, context: context, mailbox: orders, logger: logger)
        } catch {
            throw LegacyFailure(
                .configuration,
                settings.places.error(
                    at: "kafka", message: "librdkafka rejected the settings: \(error.detail)",
                    remedy: "see the producer properties in librdkafka's CONFIGURATION.md"))
        }
    }

    /// Takes nothing more, tells each provider of its last push that Kafka has, and ends.
    public func stop() { orders.post(.stop) }
}
