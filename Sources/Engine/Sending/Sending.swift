internal import APNs
internal import Delivery

/// Owns what is sent when: the queue of each app, what suspends it, and the order of pushes with a
/// common ordering key.
///
/// It refers to pushes by ID: the engine passes what it has to know of them, and does to them what
/// follows. No other code names what it stores.
struct Sending: ~Copyable {
    var queues: AppQueues
    var orderingKeys = OrderingKeys()
    /// Queued pushes that look expired while the wall clock is in doubt.
    var heldForClock: [PushID] = []

    init(_ settings: EngineSettings) { queues = AppQueues(settings) }

    /// Every app, and once there are broadcasts, those of every app.
    var apps: [AppID] { queues.apps }

    /// There are broadcasts.
    mutating func addBroadcasts(_ settings: EngineSettings) -> Bool {
        queues.addBroadcasts(settings)
    }

    /// True when an app need not wait for the others.
    var hasSeveralApps: Bool { queues.count > 1 }

    /// The apps of a route.
    func apps(of route: Int) -> [AppID] { queues.apps(of: route) }

    /// The apps on the route of an app.
    func apps(onRouteOf app: AppID) -> [AppID] { queues.apps(of: queues[app].route) }
}

// MARK: Queues

extension Sending {
    /// Queues a push.
    mutating func queue(_ id: PushID, of app: AppID, in lane: PushLanes.Lane) {
        queues[app].pushes.append(id, to: lane)
        queues.headsChanged = true
    }

    /// Queues a push of a record that is alone before all others.
    mutating func bringForward(_ id: PushID, of app: AppID) {
        queues[app].pushes.bringForward(id)
        queues[app].isFull = false
        queues.headsChanged = true
    }

    /// The push of an app to send next; it may be done.
    func head(of app: AppID) -> PushID? { queues[app].pushes.first }

    /// The push of an app to send next has left the queue.
    mutating func removeHead(of app: AppID) { queues[app].pushes.popFirst() }

    /// True when the head of some queue may have changed since ``settle()``.
    var headsChanged: Bool { queues.headsChanged }

    /// The heads of all queues are about to be examined.
    mutating func settle() { queues.headsChanged = false }

    /// What is queued may have been abandoned.
    mutating func noteAbandoned() { queues.headsChanged = true }

    /// Connections may have more room than in the previous turn.
    mutating func startTurn() { queues.startTurn() }

    /// Nothing more of an app is sent in this turn.
    mutating func waitForNextTurn(_ app: AppID) { queues[app].isFull = true }

    /// The next push of the first app that may send one; nil when none may.
    mutating func next(now: Instant) -> PushID? { queues.next(now: now) }

    mutating func allowsSending(_ app: AppID, now: Instant) -> Bool {
        queues.allowsSending(app, now: now)
    }

    /// The same, provided that a connection has room.
    mutating func isDue(_ app: AppID, now: Instant) -> Bool { queues.isDue(app, now: now) }

    /// The first push of an app was sent; true when it is a probe of the guard.
    mutating func sent(_ id: PushID, of app: AppID, now: Instant) -> Bool {
        queues.sent(id, app, now: now)
    }

    /// The request of a push of an app has ended.
    mutating func ended(_ app: AppID) { queues[app].inFlight -= 1 }

    /// Reports a response, or that none came, to the concurrency limit of an app. `sentAt` is in
    /// milliseconds since 1970, like `wallClock`.
    mutating func adapt(
        _ app: AppID, isBusy: Bool, sentAt: Int64, wallClock: Int64, now: Instant
    ) {
        guard queues[app].concurrency != nil else { return }
        queues[app].concurrency?.responded(isBusy: isBusy, after: wallClock - sentAt, now: now)
    }

    /// Changes the rate of every app.
    mutating func change(rate: RateLimit, now: Instant) {
        for app in queues.apps { queues[app].change(rate: rate, now: now) }
    }

    /// How many more pushes may wait to be sent if `maximum` of each app may.
    func room(forEach maximum: Int) -> Int { queues.room(forEach: maximum) }

    /// How many pushes wait until a connection has room for them.
    var waitingToBeSent: Int { queues.waitingToBeSent }

    /// When a queue with waiting pushes may continue; nil when none depends on time.
    func deadline(now: Instant) -> Instant? { queues.deadline(now: now) }

    /// Removes references to pushes that are not queued any more, once there are many, or as many
    /// as there may be.
    mutating func trimQueues(of pushes: borrowing PushTable, atMost maximum: Int) {
        let limit = min(2 * pushes.count + 64, max(64, maximum - 1))
        for app in queues.apps where queues[app].pushes.count > limit {
            queues[app].pushes.keepQueued(of: pushes)
        }
    }
}

// MARK: Ordering keys

extension Sending {
    /// Appends a push to its ordering key and returns its predecessor, if any.
    mutating func addToOrder(_ id: PushID, key: UInt64) -> PushID? {
        orderingKeys.add(id, key: key)
    }

    /// Removes a push from its ordering key and returns its successor, if any.
    mutating func removeFromOrder(_ id: PushID) -> PushID? { orderingKeys.remove(id) }

    /// Takes a push that waits for its predecessor out of its ordering key.
    mutating func takeOutOfOrder(_ id: PushID) { orderingKeys.takeOut(id) }

    /// The ordering key of a push; nil for none.
    func orderingKey(of id: PushID) -> UInt64? { orderingKeys.key(of: id) }

    /// The push that waits for another.
    func successor(of id: PushID) -> PushID? { orderingKeys.successor(of: id) }
}

// MARK: The wall clock

extension Sending {
    /// A push that looks expired has left its queue until the wall clock is trusted.
    mutating func holdForClock(_ id: PushID) { heldForClock.append(id) }

    /// True for a push that has left its queue for that.
    func isHeldForClock(_ id: PushID) -> Bool { heldForClock.contains(id) }

    /// The wall clock is trusted: what is still queued goes back, in its order.
    mutating func releaseHeldForClock(_ pushes: borrowing PushTable) {
        for id in heldForClock.reversed()
        where pushes.isCurrent(id) && pushes[id].state.kind == .queued {
            queues[pushes[id].app].pushes.prepend(id)
            queues.headsChanged = true
        }
        heldForClock = []
    }
}

// MARK: Apps that do not move

extension Sending {
    /// True when an app's queue does not move while others could.
    func isStalled(_ app: AppID) -> Bool { queues.isStalled(app) }

    /// The apps whose queues do not move while others could.
    var stalledApps: [AppID] { queues.apps.filter { queues.isStalled($0) } }

    /// An app has paused a partition; true for the first time since its queue moved.
    mutating func notePause(by app: AppID) -> Bool {
        defer { queues[app].hasPaused = true }
        return !queues[app].hasPaused
    }

    /// The queues of these apps move again.
    mutating func noteMoving(_ apps: [AppID]) {
        for app in apps { queues[app].hasPaused = false }
    }

    /// A second has passed: returns the apps whose queues have stopped, or move again.
    mutating func passSecond() -> [AppID] {
        let before = queues.stalled
        queues.passSecond()
        return queues.apps.filter { queues.isStalled($0) != before[$0.index] }
    }

    /// The apps of which no push is queued or in flight.
    var idleApps: [AppID] {
        queues.apps.filter { queues[$0].pushes.count == 0 && queues[$0].inFlight == 0 }
    }
}
