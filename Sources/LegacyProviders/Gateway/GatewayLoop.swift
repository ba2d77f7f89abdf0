internal import Delivery
internal import EventLoop
internal import Kafka
internal import TLS
internal import Telemetry

/// The gateway on one thread: sockets, Kafka, and the core that connects them.
struct GatewayLoop: ServiceLoop, ~Copyable {
    /// A message from another thread.
    enum Order: Sendable {
        /// Accept nothing more, and end.
        case stop
    }

    private static let sinkToken: UInt64 = 1
    /// How long a provider has to read the final response.
    private static let lastLines = Duration.seconds(3)

    var kernel: LinuxKernel
    private var table: LinkTable
    private var core: GatewayCore
    private var outlet: RecordOutlet<Producer>
    private let mailbox: Mailbox<Order>
    private var log: LinkLog
    private let stopTime: Duration
    private var stopDeadline: Instant?
    /// When silent links are looked for again.
    private var nextExpiry = Instant.distantPast
    private var hasGivenUp = false
    private var isFull = false
    private var isFailing = false

    init(
        _ settings: GatewayPlan, batching: Batching, kernel: consuming LinuxKernel,
        context: TLSContext, mailbox: Mailbox<Order>, logger: Logger
    ) throws(KafkaFailure) {
        let producer = try Producer(properties: settings.properties, batching: batching)
        var kernel = kernel
        do throws(KernelError) {
            try kernel.watch(mailbox.descriptor, token: Listening.mailboxToken)
            try kernel.watch(producer.descriptor, token: Self.sinkToken)
        } catch {
            throw KafkaFailure(code: "ERRNO_\(error.code)", detail: error.description)
        }
        self.kernel = kernel
        table = LinkTable(
            context: context, roster: settings.roster, limit: settings.connections,
            timeout: .seconds(10), firstToken: Listening.firstToken)
        core = GatewayCore(apps: settings.apps, limits: settings.limits)
        outlet = RecordOutlet(sink: producer, topic: settings.topic)
        self.mailbox = mailbox
        log = LinkLog(logger, apps: settings.apps.map(\.name))
        stopTime = settings.shutdownDeadline
    }

    /// Starts listening, and returns the port.
    mutating func listen(on address: SocketAddress) throws(KernelError) -> UInt16 {
        try table.listen(on: address, &kernel)
    }

    /// Runs until it is stopped, or until Kafka cannot continue.
    mutating func run() -> LegacyService.Ending {
        var hasMore = false
        while true {
            turn(mayWait: !hasMore)
            hasMore = table.pump(&kernel, &core)
            if handleMessages() { hasMore = true }
            watch()
            let isDone = table.count == 0 && (core.inFlight == 0 || hasGivenUp)
            guard stopDeadline != nil, isDone else { continue }
            end()
            guard outlet.isBroken, let failure = outlet.failure else { return .stopped }
            return .broken("\(failure.detail) (\(failure.code))")
        }
    }

    private mutating func turn(mayWait: Bool) {
        var wakeups: [Wakeup] = []
        let tick = kernel.now + LinkTable.tick
        kernel.wait(until: mayWait ? min(tick, outlet.nextDeadline ?? tick) : kernel.now) {
            wakeups.append($0)
        }
        for wakeup in wakeups {
            if wakeup.token == Listening.mailboxToken {
                var isStopping = false
                mailbox.drain { _ in isStopping = true }
                if isStopping { stop() }
            } else {
                table.wake(wakeup, &kernel)
            }
        }
        Self.settle(&outlet, &core, at: kernel.now)
        let now = kernel.now
        if now >= nextExpiry {
            nextExpiry = now + LinkTable.tick
            core.expire(at: now)
        }
        table.expire(at: now)
        _ = handleMessages()
    }

    /// Reports results to the core immediately, so that discarded records are not published.
    private static func settle(
        _ outlet: inout RecordOutlet<Producer>, _ core: inout GatewayCore, at now: Instant
    ) {
        outlet.settle(at: now) { core.ended(ticket: $0, $1) }
    }

    /// Carries out the core's actions; true when links have something to send.
    private mutating func handleMessages() -> Bool {
        let now = kernel.now
        var hasLinkCommand = false
        var commands = core.takeCommands()
        while !commands.isEmpty {
            var hasRecord = false
            for command in commands {
                switch command {
                case .publish(let ticket, let key, let value):
                    outlet.publish(ticket: ticket, key: key, value: value)
                    hasRecord = true
                case .link(let link, let command):
                    table.perform(command, on: link, at: now)
                    hasLinkCommand = true
                }
            }
            if hasRecord { Self.settle(&outlet, &core, at: kernel.now) }
            commands = core.takeCommands()
        }
        return hasLinkCommand
    }

    private mutating func stop() {
        guard stopDeadline == nil else { return }
        stopDeadline = kernel.now + stopTime
        table.stopListening(&kernel)
        core.stop()
        outlet.sink.flush()
        log.stopping(waiting: core.inFlight)
    }

    /// Checks the deadlines of a stop, and logs what operators should know.
    private mutating func watch() {
        log.note(table.takeEvents(), at: kernel.now)
        for fault in core.takeFaults() { log.note(fault) }
        log.note(sink: &outlet.sink)
        if core.isFull != isFull {
            isFull = core.isFull
            log.full(isFull, waiting: core.inFlight)
        }
        if (outlet.failure != nil) != isFailing {
            isFailing = outlet.failure != nil
            log.failing(outlet.failure)
        }
        if outlet.isBroken { stop() }
        guard let deadline = stopDeadline else { return }
        let lastCall = deadline - min(Self.lastLines, stopTime / 2)
        if !hasGivenUp, outlet.isBroken || kernel.now >= lastCall {
            hasGivenUp = true
            core.abandon()
            _ = handleMessages()
        }
        if kernel.now >= deadline { table.expire(at: kernel.now, isLast: true) }
    }

    private mutating func end() {
        table.expire(at: kernel.now, isLast: true)
        _ = table.pump(&kernel, &core)
        log.ended(core.counts, waiting: core.inFlight)
        outlet.sink.close()
    }
}
