internal import Delivery
internal import EventLoop
internal import Kafka
internal import TLS
internal import Telemetry

/// The feedback service on one thread: sockets, fetches, and the core that connects them.
struct FeedbackLoop: ServiceLoop, ~Copyable {
    /// A message from another thread.
    enum Order: Sendable {
        case stop
        case event(app: Int, FeedbackFetch.Event)
    }

    /// How long a provider that has received everything has to close during a stop.
    private static let stopTime = Duration.seconds(5)

    var kernel: LinuxKernel
    private let plan: FeedbackPlan
    private var table: LinkTable
    private var core: FeedbackCore
    private var fetches: [Int: FeedbackFetch] = [:]
    private let mailbox: Mailbox<Order>
    private var log: LinkLog
    private var stopDeadline: Instant?

    init(
        _ plan: FeedbackPlan, kernel: consuming LinuxKernel, context: TLSContext,
        mailbox: Mailbox<Order>, logger: Logger
    ) throws(KernelError) {
        self.kernel = kernel
        try self.kernel.watch(mailbox.descriptor, token: Listening.mailboxToken)
        self.plan = plan
        table = LinkTable(
            context: context, roster: plan.roster, limit: plan.connections,
            timeout: .seconds(60), firstToken: Listening.firstToken)
        core = FeedbackCore(apps: plan.apps.count)
        self.mailbox = mailbox
        log = LinkLog(logger, apps: plan.apps.map(\.name))
    }

    /// Starts listening, and returns the port.
    mutating func listen(on address: SocketAddress) throws(KernelError) -> UInt16 {
        try table.listen(on: address, &kernel)
    }

    /// Runs until it is stopped.
    mutating func run() -> LegacyService.Ending {
        var hasMore = false
        while true {
            turn(mayWait: !hasMore)
            hasMore = table.pump(&kernel, &core)
            if handleMessages() { hasMore = true }
            log.note(table.takeEvents(), at: kernel.now)
            guard let deadline = stopDeadline else { continue }
            if kernel.now >= deadline { table.expire(at: kernel.now, isLast: true) }
            if table.count == 0, fetches.isEmpty || kernel.now >= deadline { return .stopped }
        }
    }

    private mutating func turn(mayWait: Bool) {
        var wakeups: [Wakeup] = []
        kernel.wait(until: kernel.now + (mayWait ? LinkTable.tick : .zero)) { wakeups.append($0) }
        var orders: [Order] = []
        for wakeup in wakeups {
            if wakeup.token == Listening.mailboxToken {
                mailbox.drain { orders.append($0) }
            } else {
                table.wake(wakeup, &kernel)
            }
        }
        for order in orders {
            switch order {
            case .stop: stop()
            case .event(let app, let event): handle(event, app)
            }
        }
        table.expire(at: kernel.now)
        _ = handleMessages()
    }

    private mutating func stop() {
        guard stopDeadline == nil else { return }
        stopDeadline = kernel.now + Self.stopTime
        table.stopListening(&kernel)
        core.stop()
        log.stopping(waiting: fetches.count)
    }

    private mutating func handle(_ event: FeedbackFetch.Event, _ app: Int) {
        switch event {
        case .batch(let bytes, let isLast, let malformed, let unsealed):
            log.read(app: app, bytes: bytes.count, malformed: malformed, topic: plan.topic)
            if unsealed > 0 { log.unsealed(unsealed, topic: plan.topic) }
            core.read(bytes, app: app, isLast: isLast)
        case .failed(let failure):
            fetches[app] = nil
            log.failed(app: app, failure)
            core.fetchEnded(app: app)
        case .uncommitted(let failure):
            fetches[app] = nil
            log.uncommitted(app: app, failure)
            core.fetchEnded(app: app)
        case .ended(let isCommitted):
            fetches[app] = nil
            log.fetched(app: app, isCommitted: isCommitted)
            core.fetchEnded(app: app)
        }
    }

    /// Carries out the core's actions; true when links have something to send.
    private mutating func handleMessages() -> Bool {
        let now = kernel.now
        var hasLinkCommand = false
        for command in core.takeCommands() {
            switch command {
            case .fetch(let app): fetches[app] = fetch(app)
            case .more(let app): fetches[app]?.orders.post(.more)
            case .commit(let app): fetches[app]?.orders.post(.commit)
            case .abandon(let app): fetches[app]?.orders.post(.abandon)
            case .link(let link, let command):
                table.perform(command, on: link, at: now)
                hasLinkCommand = true
            }
        }
        return hasLinkCommand
    }

    private func fetch(_ app: Int) -> FeedbackFetch {
        FeedbackFetch(
            properties: plan.properties, group: "\(plan.group).\(plan.apps[app].name)",
            topic: plan.topic, app: plan.apps[app], seal: plan.seal
        ) { [mailbox] in mailbox.post(.event(app: app, $0)) }
    }
}
