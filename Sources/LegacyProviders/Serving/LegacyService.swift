public import Configuration
internal import Delivery
internal import EventLoop
internal import Kafka
internal import KafkaLogin
internal import TLS
public import Telemetry

/// Serves providers of the binary interface: their pushes, which become events in a topic, or their
/// feedback, which lists unregistered device tokens.
public final class LegacyService: Sendable {
    /// Why it ended.
    public enum Ending: Equatable, Sendable {
        /// It was stopped.
        case stopped
        /// librdkafka could not continue, for this reason.
        case broken(String)
    }

    private enum Kind: Sendable {
        case gateway(GatewayPlan, Mailbox<GatewayLoop.Order>)
        case feedback(FeedbackPlan, Mailbox<FeedbackLoop.Order>)
    }

    private let kind: Kind
    private let settings: LegacySettings
    private let logger: Logger

    /// Creates a service that does not listen yet.
    public init(_ settings: LegacySettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
        if let login = settings.kafkaLogin { LoginSource.log(login, to: logger) }
        switch settings {
        case .gateway(let settings): kind = .gateway(GatewayPlan(settings), Mailbox())
        case .feedback(let settings): kind = .feedback(FeedbackPlan(settings), Mailbox())
        }
    }

    /// Checks Kafka, starts listening, reports the port, and runs until it is stopped.
    public func run(listening: (UInt16) -> Void = { _ in }) throws(LegacyFailure) -> Ending {
        let batching = try TopicCheck(settings).look()
        let listener = Listening(settings: settings.listen, locations: settings.locations)
        var kernel = try listener.kernel()
        let address = try listener.address(&kernel)
        switch kind {
        case .gateway(let plan, let orders):
            let context = try listener.context(settings.apps, plan.roster)
            let loop = try gateway(plan, batching, orders, kernel, context, listener)
            return try serve(loop, at: listener, address, listening)
        case .feedback(let plan, let orders):
            let context = try listener.context(settings.apps, plan.roster)
            let loop = try feedback(plan, orders, kernel, context, listener)
            return try serve(loop, at: listener, address, listening)
        }
    }

    private func gateway(
        _ plan: GatewayPlan, _ batching: Batching, _ orders: Mailbox<GatewayLoop.Order>,
        _ kernel: consuming LinuxKernel, _ context: TLSContext, _ listener: Listening
    ) throws(LegacyFailure) -> GatewayLoop {
        do throws(KafkaFailure) {
            return try GatewayLoop(
                plan, batching: batching, kernel: kernel, context: context, mailbox: orders,
                logger: logger)
        } catch {
            guard !error.isAboutResources else { throw listener.exhausted(error.detail) }
            throw LegacyFailure(
                .configuration,
                settings.locations.error(
                    at: "kafka", message: "Kafka's library refuses the settings: \(error.detail)",
                    remedy: "librdkafka's CONFIGURATION.md says what a producer takes"))
        }
    }

    private func feedback(
        _ plan: FeedbackPlan, _ orders: Mailbox<FeedbackLoop.Order>,
        _ kernel: consuming LinuxKernel, _ context: TLSContext, _ listener: Listening
    ) throws(LegacyFailure) -> FeedbackLoop {
        do throws(KernelError) {
            return try FeedbackLoop(
                plan, kernel: kernel, context: context, mailbox: orders, logger: logger)
        } catch {
            throw listener.exhausted(error.description)
        }
    }

    private func serve(
        _ loop: consuming some ServiceLoop & ~Copyable, at listener: Listening,
        _ address: SocketAddress, _ listening: (UInt16) -> Void
    ) throws(LegacyFailure) -> Ending {
        let port: UInt16
        do throws(KernelError) {
            port = try loop.listen(on: address)
        } catch {
            throw listener.refused(error)
        }
        logger.info(
            "listening",
            metadata: ["host": .string(settings.listen.host), "port": .number(port)])
        listening(port)
        return loop.run()
    }

    /// Makes a gateway accept nothing more, report to each provider the last push that Kafka has,
    /// and end; makes a feedback service reset unfinished connections, and end.
    public func stop() {
        switch kind {
        case .gateway(_, let orders): orders.post(.stop)
        case .feedback(_, let orders): orders.post(.stop)
        }
    }
}

/// The single thread of a service, after setup.
protocol ServiceLoop: ~Copyable {
    /// Starts listening, and returns the port.
    mutating func listen(on address: SocketAddress) throws(KernelError) -> UInt16
    /// Runs until it is stopped, or until it cannot continue.
    mutating func run() -> LegacyService.Ending
}
