internal import EventLoop
internal import Synchronization

/// A simulator on a thread of its own, over real sockets.
public final class SimulatorServer: Sendable {
    private enum Order: Sendable { case stop }

    private let configuration: SimulatorConfiguration
    private let counters = SimulatorCounters()
    private let orders = Mailbox<Order>()
    private let ended = Mailbox<Void>()
    private let isRunning = Atomic<Bool>(false)

    /// A simulator that does not listen yet.
    public init(_ configuration: SimulatorConfiguration) { self.configuration = configuration }

    deinit { orders.post(.stop) }

    /// What has been counted so far.
    public var snapshot: SimulatorSnapshot { counters.snapshot }

    /// Begins to listen, and answers on which port; port 0 asks for any that is free.
    @discardableResult
    public func start(
        host: String = "127.0.0.1", port: UInt16 = 0
    ) throws(SimulatorError) -> UInt16 {
        precondition(
            isRunning.compareExchange(expected: false, desired: true, ordering: .relaxed)
                .exchanged, "a simulator is started once")
        let started = Mailbox<Result<UInt16, SimulatorError>>()
        let thread = LoopThread(name: "apns-simulator") {
            [configuration, counters, orders, ended] in
            Self.run(configuration, counters, orders, host, port) { started.post($0) }
            ended.post(())
        }
        thread.detach()
        guard let result = Self.wait(for: started) else { return 0 }
        if case .failure = result { isRunning.store(false, ordering: .relaxed) }
        return try result.get()
    }

    /// Tells every client to go, closes all connections, and waits until that is done.
    public func stop() {
        guard isRunning.exchange(false, ordering: .relaxed) else { return }
        orders.post(.stop)
        _ = Self.wait(for: ended)
    }

    private static func wait<Message: Sendable>(for mailbox: Mailbox<Message>) -> Message? {
        var kernel = LinuxKernel(capacity: 4)
        kernel.watch(mailbox.descriptor, token: 1)
        var message: Message?
        while message == nil {
            kernel.wait(until: nil) { _ in mailbox.drain { message = $0 } }
        }
        return message
    }

    private static func run(
        _ configuration: SimulatorConfiguration, _ counters: SimulatorCounters,
        _ orders: Mailbox<Order>, _ host: String, _ port: UInt16,
        _ report: (Result<UInt16, SimulatorError>) -> Void
    ) {
        do throws(SimulatorError) {
            var kernel = LinuxKernel()
            let service = try SimulatorService(configuration, counters: counters)
            var loop = SimulatorLoop(service: service, firstToken: firstToken)
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
                .addressUnavailable, "cannot listen on \(host):\(port): \(error.description)")
        }
    }

    private static func serve(
        _ loop: inout SimulatorLoop, _ kernel: inout LinuxKernel, _ orders: Mailbox<Order>
    ) {
        kernel.watch(orders.descriptor, token: ordersToken)
        var wakeups: [Wakeup] = []
        var isStopping = false
        while !isStopping {
            wakeups.removeAll(keepingCapacity: true)
            kernel.wait(until: loop.nextDeadline) { wakeups.append($0) }
            for wakeup in wakeups {
                if wakeup.token == ordersToken {
                    orders.drain { _ in isStopping = true }
                } else {
                    loop.wake(wakeup, kernel: &kernel)
                }
            }
            loop.expire(kernel: &kernel)
        }
        loop.stop(kernel: &kernel)
    }
}
