internal import AdminServer
internal import EventLoop
internal import Glibc
internal import Synchronization

/// A simulator on a separate thread, with real sockets.
public final class SimulatorServer: Sendable {
    /// A message from another thread.
    enum Order: Sendable {
        case stop
        /// Start another scenario, and report when it is active, or why it is not.
        case begin(Scenario, done: Mailbox<Beginning>)
        /// Describe the scenario and its clock.
        case describe(done: Mailbox<ScenarioState>)
    }

    typealias Beginning = Result<Void, SimulatorError>

    private let configuration: SimulatorConfiguration
    let counters = SimulatorCounters()
    /// The broadcast channels created by clients.
    public let channels: Channels
    let orders = Mailbox<Order>()
    let administration = Mutex<AdminServer?>(nil)
    /// The recorded requests and devices; nil when the configuration disables it.
    public let memory: SimulatorMemory?
    private let ended = Mailbox<Void>()
    private let isRunning = Atomic<Bool>(false)

    /// Creates a simulator that does not listen yet.
    public init(_ configuration: SimulatorConfiguration) {
        self.configuration = configuration
        channels = Channels(seed: configuration.seed)
        memory = configuration.makeMemory(channels)
    }

    deinit {
        // Its handlers may be waiting for the loop.
        stopAdministration()
        orders.post(.stop)
    }

    /// The current counters.
    public var snapshot: SimulatorSnapshot { counters.snapshot }

    /// Starts listening, and returns the port; port 0 selects any free one.
    @discardableResult
    public func start(
        host: String = "127.0.0.1", port: UInt16 = 0
    ) throws(SimulatorError) -> UInt16 {
        precondition(
            isRunning.compareExchange(expected: false, desired: true, ordering: .relaxed)
                .exchanged, "a simulator is started only once")
        let started = Mailbox<Result<UInt16, SimulatorError>>()
        do throws(KernelError) {
            let thread = try LoopThread(name: "apns-simulator") {
                [configuration, counters, memory, channels, orders, ended] in
                let service = Result { () throws(SimulatorError) in
                    try SimulatorService(
                        configuration, counters: counters, memory: memory, channels: channels)
                }
                Self.run(service, orders, host, port) { started.post($0) }
                ended.post(())
            }
            thread.detach()
        } catch {
            isRunning.store(false, ordering: .relaxed)
            throw SimulatorError(.resources, error.description)
        }
        guard let result = try Self.wait(for: started) else { return 0 }
        if case .failure = result { isRunning.store(false, ordering: .relaxed) }
        return try result.get()
    }

    /// Starts another scenario, with its clock at zero; open connections join it.
    ///
    /// It is active when this returns. Throws when there is no certificate for a failing handshake;
    /// the current scenario then continues.
    public func begin(_ scenario: Scenario) throws(SimulatorError) {
        try configuration.identity.check(scenario)
        guard isRunning.load(ordering: .relaxed) else { return }
        let done = Mailbox<Beginning>()
        orders.post(.begin(scenario, done: done))
        let beginning = try Self.wait(for: done)
        try beginning?.get()
    }

    /// The scenario that it follows, and its clock; nil while it does not run.
    func scenarioState() -> ScenarioState? {
        guard isRunning.load(ordering: .relaxed) else { return nil }
        let done = Mailbox<ScenarioState>()
        orders.post(.describe(done: done))
        return try? Self.wait(for: done)
    }

    /// Sends a GOAWAY to every client, closes all connections, and waits until this is done.
    public func stop() {
        stopAdministration()
        guard isRunning.exchange(false, ordering: .relaxed) else { return }
        orders.post(.stop)
        _ = try? Self.wait(for: ended)
    }

    static func wait<Message: Sendable>(
        for mailbox: Mailbox<Message>
    ) throws(SimulatorError) -> Message? {
        do throws(KernelError) {
            var kernel = try LinuxKernel(capacity: 4)
            try kernel.watch(mailbox.descriptor, token: 1)
            var message: Message?
            while message == nil {
                kernel.wait(until: nil) { _ in mailbox.drain { message = $0 } }
            }
            return message
        } catch {
            throw SimulatorError(.resources, error.description)
        }
    }

    /// A kernel that is notified of orders.
    private static func kernel(
        for orders: Mailbox<Order>
    ) throws(SimulatorError) -> LinuxKernel {
        do throws(KernelError) {
            var kernel = try LinuxKernel()
            try kernel.watch(orders.descriptor, token: ordersToken)
            return kernel
        } catch {
            throw SimulatorError(.resources, error.description)
        }
    }

    private static func run(
        _ service: Result<SimulatorService, SimulatorError>, _ orders: Mailbox<Order>,
        _ host: String, _ port: UInt16, _ report: (Result<UInt16, SimulatorError>) -> Void
    ) {
        do throws(SimulatorError) {
            var kernel = try kernel(for: orders)
            var loop = SimulatorLoop(service: try service.get(), firstToken: firstToken)
            let address = try listen(&loop, &kernel, host, port)
            report(.success(address.port))
            serve(&loop, &kernel, orders)
        } catch {
            report(.failure(error))
        }
    }

    private static let ordersToken: UInt64 = 0
    private static let lookupToken: UInt64 = 1
    private static let firstToken: UInt64 = 2

    private static func listen(
        _ loop: inout SimulatorLoop, _ kernel: inout LinuxKernel, _ host: String, _ port: UInt16
    ) throws(SimulatorError) -> SocketAddress {
        kernel.resolve(host: host, port: port, token: lookupToken)
        var found = kernel.resolved(lookupToken)
        while found == nil {
            kernel.wait(until: nil) { _ in }
            found = kernel.resolved(lookupToken)
        }
        do throws(KernelError) {
            guard let address = try found?.get().first else {
                throw KernelError(operation: "resolve", code: 0, description: "no address")
            }
            return try loop.listen(on: address, kernel: &kernel)
        } catch {
            throw SimulatorError(
                [EACCES, EADDRINUSE].contains(error.code) ? .addressUnavailable : .hostUnavailable,
                "cannot listen on \(host):\(port): \(error.description)")
        }
    }

    private static func serve(
        _ loop: inout SimulatorLoop, _ kernel: inout LinuxKernel, _ orders: Mailbox<Order>
    ) {
        var wakeups: [Wakeup] = []
        var isStopping = false
        var next: [(scenario: Scenario, done: Mailbox<Beginning>)] = []
        var curious: [Mailbox<ScenarioState>] = []
        while !isStopping {
            wakeups.removeAll(keepingCapacity: true)
            kernel.wait(until: loop.nextDeadline) { wakeups.append($0) }
            for wakeup in wakeups {
                if wakeup.token == ordersToken {
                    orders.drain { order in
                        switch order {
                        case .stop: isStopping = true
                        case .begin(let scenario, let done): next.append((scenario, done))
                        case .describe(let done): curious.append(done)
                        }
                    }
                } else {
                    loop.wake(wakeup, kernel: &kernel)
                }
            }
            for (scenario, done) in next {
                done.post(
                    Result { () throws(SimulatorError) in
                        try loop.begin(scenario, kernel: &kernel)
                    })
            }
            next.removeAll(keepingCapacity: true)
            for done in curious { done.post(loop.scenarioState(&kernel)) }
            curious.removeAll(keepingCapacity: true)
            loop.expire(kernel: &kernel)
        }
        loop.stop(kernel: &kernel)
    }
}
