internal import Delivery
internal import EventLoop

/// The current load of a worker.
public struct EngineState: Equatable, Sendable {
    /// An app for which sending is suspended.
    public struct SuspendedApp: Equatable, Sendable {
        /// Its name.
        public var name: String
        /// Only its broadcasts are suspended, which have a queue of their own.
        public var isForBroadcasts = false
        /// Its pushes that are not done, counted about once a second.
        public var pushes: Int
        /// For how long sending has been suspended.
        public var duration = Duration.zero
        /// The mass-invalidation guard is engaged, which an operator may release.
        public var isGuarded = false
        /// The response that opened the circuit breaker; nil while the breaker is closed.
        public var refusal: Refusal?

        /// Its name for display, which is another one for its broadcasts.
        public var queueName: String {
            isForBroadcasts ? EngineApp.name(ofBroadcasts: name) : name
        }

        /// Describes an app.
        public init(_ name: String, pushes: Int = 0) {
            self.name = name
            self.pushes = pushes
        }
    }

    /// A response that suspended sending.
    public struct Refusal: Equatable, Sendable {
        /// The status and the reason, as in `403 InvalidProviderToken`.
        public var response: String
        /// What it means, and what to check.
        public var meaning: String

        /// Describes a response.
        public init(_ response: String, meaning: String) {
            self.response = response
            self.meaning = meaning
        }
    }

    /// The number of pushes that are not done.
    public var pushes = 0
    /// The number of pushes that wait until a connection has room for them.
    public var pushesToSend = 0
    /// The number of records in flight.
    public var recordsInFlight = 0
    /// The number of records waiting outside the window.
    public var recordsWaiting = 0
    /// The size of all open records in bytes.
    public var bytes = 0
    /// For how long the wall clock has been in doubt; nil while it is trusted.
    public var clockDoubt: Duration?
    /// The longest wait for a schema; nil when no record waits for one.
    public var schemaWait: SchemaWait?
    /// The apps for which sending is suspended.
    public var suspendedApps: [SuspendedApp] = []
    /// The age in milliseconds of the oldest event with a push that is not done, determined about
    /// once a second; nil when there is none.
    public var oldestEventAge: Int64?

    /// Creates an empty state.
    public init() {}
}

/// What a look at every push finds out, about once a second.
struct PushCensus: Sendable {
    /// The time of the oldest event with a push that is not done, in milliseconds since 1970.
    var oldestEvent = Int64.max
    /// Pushes that are not done, by app; only counted while sending is suspended for some app.
    var pushes: [Int]
}

extension Engine {
    /// The current load.
    package var state: EngineState {
        var state = EngineState()
        state.pushes = openPushes
        state.pushesToSend = sending.waitingToBeSent
        state.recordsInFlight = recordsInFlight
        state.recordsWaiting = waitingRecords
        state.bytes = openBytes
        state.clockDoubt = clockDoubt
        state.schemaWait = intake.schemaWait(now: now)
        if isAnyAppSuspended {
            // What suspends an app suspends its broadcasts, too, and is not said twice.
            for app in sending.apps
            where sending.isSuspended(app)
                && (!settings.isForBroadcasts(app) || sending.isSuspendedAlone(app))
            {
                state.suspendedApps.append(suspension(of: app))
            }
        }
        if openPushes > 0, let oldest = waiting.oldestEvent {
            state.oldestEventAge = max(0, wallClock - oldest)
        }
        return state
    }

    private func suspension(of app: AppID) -> EngineState.SuspendedApp {
        var suspended = sending.suspension(of: app, now: now)
        suspended.name = settings[app]?.name ?? ""
        suspended.isForBroadcasts = settings.isForBroadcasts(app)
        suspended.pushes = waiting.openPushes(of: app)
        return suspended
    }

    /// Looks at a push that is not done.
    mutating func takeCensus(of slot: Int) {
        let event = pushes[slot].eventTime
        intake.noteOpenEvent(at: event, of: pushes[pushes[slot].record].assignment)
        waiting.count(pushes[slot].app, event: event)
    }
}
