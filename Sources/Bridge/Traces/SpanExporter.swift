public import Configuration
internal import Delivery
internal import EventLoop
internal import HTTPClient
internal import Synchronization
public import Telemetry
internal import Tracing

/// Sends finished spans to a collector, on a thread of its own.
public final class SpanExporter: Sendable {
    /// The spans to export.
    public let queue: SpanQueue
    private let url: String
    private let version: String
    private let logger: Logger
    private let thread = Mutex<LoopThread?>(nil)

    /// Creates an exporter that does nothing yet; `version` is that of the program.
    public init(_ settings: TracingSettings, version: String, logger: Logger) {
        queue = SpanQueue(sampler: TraceSampler(share: settings.sample))
        url = settings.url
        self.version = version
        self.logger = logger
    }

    deinit { stop() }

    /// Starts to export; called once. Without a thread for it, all spans are dropped.
    public func start() {
        let (queue, url, version, logger) = (queue, url, version, logger)
        do throws(KernelError) {
            var started: LoopThread? = try LoopThread(name: "traces") {
                do throws(KernelError) {
                    var loop = try ExportLoop(queue, url: url, version: version, logger: logger)
                    loop.run()
                } catch {
                    Self.log(error, logger)
                }
            }
            thread.withLock { $0 = started.take() }
        } catch {
            Self.log(error, logger)
        }
    }

    private static func log(_ error: KernelError, _ logger: Logger) {
        logger.warning(
            "no traces are exported; pushes continue",
            metadata: [
                "detail": .string(error.description),
                "action": "raise the limit, and start the process again",
            ])
    }

    /// Exports what is there, for at most ``ExportLoop/timeout``, and waits until this is done.
    public func stop() { stop(within: ExportLoop.timeout) }

    /// Exports what is there, for at most `timeout`, and waits until this is done.
    func stop(within timeout: Duration) {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        queue.stop(at: MonotonicClock.now + timeout)
        thread.join()
    }
}

/// The life of the exporter's thread.
struct ExportLoop: ~Copyable {
    /// How long the last exports may take.
    static let timeout = Duration.seconds(2)
    /// How long spans wait for others to share their request.
    static let interval = Duration.seconds(1)

    private let queue: SpanQueue
    private let logger: Logger
    private let request: TraceRequest
    /// The address of the collector, as the log names it.
    private let address: String
    private var kernel: LinuxKernel
    private var poster: HTTPPoster?
    private var pace = ExportPace()
    /// The batch that the collector does not have yet.
    private var batch: [Span] = []
    /// When something is to be exported; nil while there is nothing.
    private var due: Instant?

    init(
        _ queue: SpanQueue, url: String, version: String, logger: Logger
    ) throws(KernelError) {
        kernel = try Self.kernel(watching: queue)
        self.queue = queue
        self.logger = logger
        // A query may contain a secret.
        address = String(url.prefix { $0 != "?" })
        let instance = TraceID(high: .random(in: 1 ... .max), low: .random(in: 0 ... .max))
        request = TraceRequest(version: version, instance: instance?.text ?? "")
        poster = HTTPPoster(
            url: url, contentType: "application/json", agent: "apns-bridge/\(version)")
    }

    /// A kernel that wakes for spans.
    private static func kernel(watching queue: SpanQueue) throws(KernelError) -> LinuxKernel {
        var kernel = try LinuxKernel()
        try kernel.watch(queue.mailbox.descriptor, token: 1)
        return kernel
    }

    /// Exports until it is stopped.
    mutating func run() {
        while !isOver {
            kernel.wait(until: min(due ?? .distantFuture, queue.end ?? .distantFuture)) { _ in }
            readMessages()
            while let due, due <= kernel.now, !isOver { export() }
        }
        queue.dropped(batch.count)
        queue.discard()
    }

    private var isOver: Bool {
        guard let end = queue.end else { return false }
        return kernel.now >= end || batch.isEmpty && queue.count == 0
    }

    private mutating func readMessages() {
        var messages: [SpanQueue.Message] = []
        queue.mailbox.drain { messages.append($0) }
        for message in messages {
            switch message {
            case .spans where !batch.isEmpty: continue
            case .spans where queue.count >= SpanQueue.batch: due = kernel.now
            case .spans: due = due ?? kernel.now + Self.interval
            case .stop: due = kernel.now
            }
        }
    }

    private mutating func export() {
        if batch.isEmpty { batch = queue.take() }
        guard !batch.isEmpty else {
            due = nil
            return
        }
        let (attempt, random) = (post(), kernel.random())
        let (decision, event) = pace.judge(attempt, random: random)
        if let event { log(event) }
        switch decision {
        case .delivered: finish(queue.exported)
        case .drop: finish(queue.dropped)
        case .retry(let pause): due = kernel.now + pause
        }
    }

    private mutating func finish(_ note: (Int) -> Void) {
        note(batch.count)
        batch = []
        let left = queue.count
        due =
            left == 0
            ? nil
            : left >= SpanQueue.batch || queue.end != nil ? kernel.now : kernel.now + Self.interval
    }

    private mutating func post() -> ExportPace.Attempt {
        let reply = poster?.post(request.body(batch)) { [queue] in
            queue.end.map { MonotonicClock.now < $0 } ?? true
        }
        switch reply {
        case .responded(let status, let wait):
            return .responded(status: status, retryAfter: wait.map { .seconds($0) })
        case .failed(let reason): return .failed(reason)
        case .abandoned: return .failed("the process ends")
        case nil: return .failed("out of memory")
        }
    }

    private func log(_ event: ExportPace.Event) {
        switch event {
        case .failing(let detail):
            logger.warning(
                "traces not exported; pushes continue",
                metadata: [
                    "address": .string(address), "detail": .string(detail),
                    "action": "check the collector, and telemetry.otlp in bridge.yaml",
                ])
        case .recovered:
            logger.info("traces exported again", metadata: ["address": .string(address)])
        }
    }
}
