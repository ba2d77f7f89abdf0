public import Configuration
internal import EventLoop
internal import Kafka
internal import TLS
public import Telemetry

/// Gives providers of the binary interface their feedback: which device tokens of an app are no
/// longer registered.
public final class FeedbackService: Sendable {
    private let settings: FeedbackServiceSettings
    private let logger: Logger
    private let orders = Mailbox<FeedbackLoop.Order>()

    /// A service that does not listen yet.
    public init(_ settings: FeedbackServiceSettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
    }

    /// Looks at Kafka, begins to listen, tells the port, and works until it is stopped.
    public func run(listening: (UInt16) -> Void = { _ in }) throws(LegacyFailure) {
        let plan = FeedbackPlan(settings)
        let place = Listening(settings: settings.listen, places: settings.places)
        try TopicCheck(
            properties: plan.properties, topic: plan.topic, setting: "unregistered", right: "READ",
            places: settings.places
        ).look()
        var kernel = LinuxKernel()
        let address = try place.address(&kernel, token: FeedbackLoop.lookupToken)
        let context = try place.context(settings.apps, plan.roster)
        var loop = FeedbackLoop(
            plan, kernel: kernel, context: context, mailbox: orders, logger: logger)
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
        loop.run()
    }

    /// Breaks off what is not yet told, and ends.
    public func stop() { orders.post(.stop) }
}
