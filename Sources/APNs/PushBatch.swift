public import Delivery
public import EventLoop
internal import HTTP2

/// Sends a few pushes and waits for what becomes of each.
///
/// It uses the connections of a worker, but none of its rules: what was not processed is sent
/// again at once, a few times, and every response that asks to wait is final.
public struct PushBatch: ~Copyable {
    /// A push to send.
    public struct Push: Sendable {
        /// Its fields.
        public var notification: Notification
        /// Its `apns-id`.
        public var id: NotificationID

        /// Creates a push.
        public init(_ notification: Notification, id: NotificationID) {
            self.notification = notification
            self.id = id
        }
    }

    /// What is known about a route.
    private struct Route {
        /// Its pushes that are to be sent, in order.
        var waiting = EventQueue<Int>()
        /// A connection has been ready.
        var hasConnected = false
        /// Why a connection could not be opened, or broke.
        var failure: String?
        /// Why APNs rejects the credential.
        var refusal: String?
    }

    private var pools: APNsPools
    private let pushes: [Push]
    private let routeNumbers: [Int]
    private var routes: [Route]
    private var reports: [PushReport?]
    private var attempts: [Int]
    private var sentAt: [Instant]
    private var unfinished: Int
    private let timeout: Duration
    private var endAt = Instant.distantFuture
    /// The pushes with a new report, in the order in which they ended.
    private var ended: [Int] = []
    private var maxWait = Duration.seconds(60)
    private var isInterrupted = false

    /// The most requests for one push.
    private static var maxAttempts: Int { 5 }

    /// Prepares the pushes; `apps` contains the route of each app, as an index into `routes`. It
    /// gives up when nothing has happened for `timeout`.
    public init(
        _ pushes: [Push], over routes: [APNsRoute], apps: [Int], timeout: Duration = .seconds(30)
    ) {
        pools = APNsPools(routes, apps: apps, firstToken: 1)
        self.pushes = pushes
        self.timeout = timeout
        routeNumbers = pushes.map { apps[$0.notification.app] }
        self.routes = routes.map { _ in Route() }
        reports = Array(repeating: nil, count: pushes.count)
        attempts = Array(repeating: 0, count: pushes.count)
        sentAt = Array(repeating: .distantPast, count: pushes.count)
        unfinished = pushes.count
        for index in pushes.indices { self.routes[routeNumbers[index]].waiting.append(index) }
    }

    /// Sends them until all have ended or `isStopped`, which is asked ten times a second.
    ///
    /// `report` gets each report as it arrives. The result has all, in the order of the pushes.
    public mutating func run<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine, until isStopped: () -> Bool,
        report: (_ push: Int, PushReport) -> Void
    ) -> [PushReport] {
        maxWait = .milliseconds(100)
        start(&kernel)
        var isGoingOn = true
        while isGoingOn, !isStopped() {
            isGoingOn = turn(&kernel)
            for index in ended {
                if let found = reports[index] { report(index, found) }
            }
            ended.removeAll(keepingCapacity: true)
        }
        isInterrupted = isGoingOn
        return end(&kernel)
    }

    mutating func start<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        pools.start(&kernel)
        endAt = kernel.now + timeout
    }

    /// Sends what can be sent, and waits once; false when there is nothing left to wait for.
    mutating func turn<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) -> Bool {
        repeat {
            send(&kernel)
            pools.flush(&kernel)
        } while takeEvents(&kernel)
        guard unfinished > 0, kernel.now < endAt else { return false }
        var wakeups: [Wakeup] = []
        let end = min(endAt, pools.nextDeadline ?? endAt, kernel.now + maxWait)
        kernel.wait(until: end) { wakeups.append($0) }
        for wakeup in wakeups { pools.wake(wakeup, &kernel) }
        pools.expire(&kernel)
        return true
    }

    /// Closes the connections; what has no response by now is in doubt.
    mutating func end<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) -> [PushReport] {
        pools.close(&kernel)
        _ = takeEvents(&kernel)
        for number in routes.indices {
            let message = routes[number].failure ?? "no response"
            finishWaiting(
                on: number,
                isInterrupted ? .interrupted(wasSent: false) : .notSent(reason: message), kernel.now
            )
        }
        return reports.compactMap(\.self)
    }
}

extension PushBatch {
    private mutating func send<Machine: Kernel & ~Copyable>(_ kernel: inout Machine) {
        for number in routes.indices {
            while let index = routes[number].waiting.first {
                let push = pushes[index]
                guard
                    pools.send(push.notification, id: push.id, tag: UInt64(index), &kernel)
                else { break }
                routes[number].waiting.removeFirst()
                attempts[index] += 1
                sentAt[index] = kernel.now
            }
        }
    }

    /// Takes all events; true when there is something to send again.
    private mutating func takeEvents<Machine: Kernel & ~Copyable>(
        _ kernel: inout Machine
    ) -> Bool {
        let now = kernel.now
        var mustSend = false
        while let (route, event) = pools.nextEvent() {
            switch event {
            case .responded(let tag, let response, _):
                let mayPass = response.reaction == .retryNow || response.reaction == .retryOnce
                let result = PushReport.Result.responded(response)
                mustSend = repeatOrFinish(tag, mayPass ? 2 : 1, result, now) || mustSend
            case .notSent(let tag):
                let reason = routes[route].failure ?? "APNs did not process it"
                let result = PushReport.Result.notSent(reason: reason)
                mustSend = repeatOrFinish(tag, Self.maxAttempts, result, now) || mustSend
            case .unacceptable(let tag, let reason):
                let result = PushReport.Result.unacceptable(reason: reason)
                mustSend = repeatOrFinish(tag, 2, result, now) || mustSend
            case .unsendable(let tag, let reason): finish(Int(tag), .unsendable(reason), now)
            case .inDoubt(let tag, let reason):
                let result = PushReport.Result.inDoubt(reason: reason)
                finish(Int(tag), isInterrupted ? .interrupted(wasSent: true) : result, now)
            case .connected: routes[route].hasConnected = true
            case .failed(let failure):
                routes[route].failure = failure.message
                guard !routes[route].hasConnected else { continue }
                finishWaiting(on: route, .notSent(reason: failure.message), now)
            case .credentialRefused(let reason, _):
                routes[route].refusal = reason
                finishWaiting(on: route, .credentialRefused(reason: reason), now)
            case .renewed, .renewalRefused: continue
            }
        }
        return mustSend
    }

    /// Queues a push again, up to so many requests in all; true if it is queued.
    private mutating func repeatOrFinish(
        _ tag: UInt64, _ maximum: Int, _ result: PushReport.Result, _ now: Instant
    ) -> Bool {
        let index = Int(tag)
        let route = routeNumbers[index]
        if let reason = routes[route].refusal, case .notSent = result {
            finish(index, .credentialRefused(reason: reason), now)
            return false
        }
        guard attempts[index] < maximum else {
            finish(index, result, now)
            return false
        }
        routes[route].waiting.append(index)
        return true
    }

    private mutating func finishWaiting(
        on route: Int, _ result: PushReport.Result, _ now: Instant
    ) {
        while let index = routes[route].waiting.take() { finish(index, result, now) }
    }

    private mutating func finish(_ index: Int, _ result: PushReport.Result, _ now: Instant) {
        guard reports[index] == nil else { return }
        let time = attempts[index] > 0 ? sentAt[index].duration(to: now).wholeMilliseconds : nil
        reports[index] = PushReport(result, milliseconds: time)
        ended.append(index)
        unfinished -= 1
        endAt = now + timeout
    }
}
