internal import Delivery
public import EventLoop

/// Sends requests about channels, one at a time, and waits for what becomes of each.
///
/// It uses the connections of a worker, and sends again at once what was not processed, as
/// ``PushBatch`` does; every response that asks to wait is final.
public struct ChannelExchange: ~Copyable {
    private var pool: APNsPool
    private let timeout: Duration
    private var hasConnected = false
    /// Why a connection could not be opened, or broke.
    private var failure: String?
    /// Why APNs rejects the credential.
    private var refusal: String?
    private var attempts = 0
    private var isOpen = false
    private var sentAt = Instant.distantPast
    private var endAt = Instant.distantFuture

    private static var firstToken: UInt64 { 1 }
    private static var tag: UInt64 { 0 }
    /// The most times that one request is sent.
    private static var maxAttempts: Int { 5 }
    /// How often it is asked whether to stop.
    private static var maxWait: Duration { .milliseconds(100) }

    /// Prepares an exchange over a route with one connection; it gives up when nothing has happened
    /// for `timeout`.
    public init(_ route: APNsRoute, timeout: Duration = .seconds(30)) {
        var single = route
        single.settings.connections = 1...1
        pool = APNsPool(single, firstToken: Self.firstToken)
        self.timeout = timeout
    }

    /// Sends a request until it has ended or `isStopped`, which is asked ten times a second, and
    /// closes the connection.
    ///
    /// A request to delete that gets a 404 is followed by one that lists the channels: services
    /// respond so when the channel is gone, and every wrong address does.
    public mutating func run<Machine: Kernel & ~Copyable>(
        _ request: ChannelRequest, _ kernel: inout Machine, until isStopped: () -> Bool
    ) -> ChannelReport {
        start(&kernel)
        defer { close(&kernel) }
        let report = finish(request, &kernel, until: isStopped)
        guard let question = report.question(about: request),
            case .listed(let others) = finish(question, &kernel, until: isStopped).result,
            let channelID = request.channelID, !others.contains(channelID)
        else { return report }
        return ChannelReport(.gone, milliseconds: report.milliseconds)
    }

    mutating func start<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        pool.start(&kernel)
    }

    mutating func close<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        pool.close(&kernel)
    }

    private mutating func finish<Machine: Kernel & ~Copyable>(
        _ request: ChannelRequest, _ kernel: inout Machine, until isStopped: () -> Bool
    ) -> ChannelReport {
        begin(kernel.now)
        while true {
            if isStopped() { return report(.interrupted(wasSent: isOpen), request, kernel.now) }
            if let report = turn(request, &kernel) { return report }
        }
    }

    mutating func begin(_ now: Instant) {
        (attempts, isOpen) = (0, false)
        endAt = now + timeout
    }

    /// Sends the request if it can be sent, and waits once; its report when it has ended.
    mutating func turn<Machine: Kernel & ~Copyable>(
        _ request: ChannelRequest, _ kernel: inout Machine
    ) -> ChannelReport? {
        send(request, &kernel)
        pool.flush(&kernel)
        while let event = pool.nextEvent() {
            if let result = take(event, request.action) {
                return report(result, request, kernel.now)
            }
        }
        guard kernel.now < endAt else {
            let reason = failure ?? "no response"
            return report(
                isOpen ? .inDoubt(reason: reason) : .notSent(reason: reason), request, kernel.now)
        }
        var wakeups: [Wakeup] = []
        let end = min(endAt, pool.nextDeadline ?? endAt, kernel.now + Self.maxWait)
        kernel.wait(until: end) { wakeups.append($0) }
        for wakeup in wakeups { pool.wake(wakeup, &kernel) }
        pool.expire(&kernel)
        return nil
    }

    private mutating func send<Machine: Kernel & ~Copyable>(
        _ request: ChannelRequest, _ kernel: inout Machine
    ) {
        guard !isOpen, pool.send(request, tag: Self.tag, &kernel) else { return }
        isOpen = true
        attempts += 1
        sentAt = kernel.now
        endAt = kernel.now + timeout
    }

    private func report(
        _ result: PushReport.Result, _ request: ChannelRequest, _ now: Instant
    ) -> ChannelReport {
        let time = attempts > 0 ? sentAt.duration(to: now).wholeMilliseconds : nil
        return ChannelReport(PushReport(result, milliseconds: time), of: request)
    }

    /// How the request ended; nil while it is open, or is to be sent again.
    private mutating func take(
        _ event: PoolEvent, _ action: ChannelRequest.Action
    ) -> PushReport.Result? {
        switch event {
        case .responded(_, let response, _):
            let mayPass = response.reaction == .retryNow || response.reaction == .retryOnce
            return repeatOrEnd(mayPass ? 2 : 1, .responded(response))
        case .notSent:
            let reason = failure ?? "APNs did not process it"
            return repeatOrEnd(
                Self.maxAttempts,
                refusal.map { .credentialRefused(reason: $0) } ?? .notSent(reason: reason))
        case .unacceptable(_, let reason):
            return repeatOrEnd(action.mayBeRepeated ? 2 : 1, .unacceptable(reason: reason))
        case .unsendable(_, let reason): return .unsendable(reason)
        case .inDoubt(_, let reason): return .inDoubt(reason: reason)
        case .connected:
            hasConnected = true
            return nil
        case .failed(let found):
            failure = found.message
            return hasConnected || isOpen ? nil : .notSent(reason: found.message)
        case .credentialRefused(let reason, _):
            refusal = reason
            return isOpen ? nil : .credentialRefused(reason: reason)
        case .renewed, .renewalRefused: return nil
        }
    }

    /// Ends the request, or lets it be sent again, up to so many times in all.
    private mutating func repeatOrEnd(
        _ maximum: Int, _ result: PushReport.Result
    ) -> PushReport.Result? {
        isOpen = false
        return refusal == nil && attempts < maximum ? nil : result
    }
}

extension ChannelRequest.Action {
    /// False if it does more when it is repeated.
    fileprivate var mayBeRepeated: Bool {
        if case .create = self { false } else { true }
    }
}

extension ChannelReport {
    /// What to ask before a 404 counts: the list of channels, if this is a request to delete one.
    fileprivate func question(about request: ChannelRequest) -> ChannelRequest? {
        guard case .delete = request.action, case .failed(.responded(let response)) = result,
            response.status == 404
        else { return nil }
        return ChannelRequest(.list, bundleID: request.bundleID, id: request.id)
    }
}
