package import Delivery

/// The current load of a worker.
public struct EngineState: Equatable, Sendable {
    /// An app for which sending is suspended.
    public struct SuspendedApp: Equatable, Sendable {
        /// Its name.
        public var name: String
        /// Its pushes that are not done, counted about once a second.
        public var pushes: Int

        /// Describes an app.
        public init(_ name: String, pushes: Int = 0) {
            self.name = name
            self.pushes = pushes
        }
    }

    /// The number of pushes that are not done.
    public var pushes = 0
    /// The number of records in flight.
    public var recordsInFlight = 0
    /// The number of records waiting outside the window.
    public var recordsWaiting = 0
    /// The size of all open records in bytes.
    public var bytes = 0
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
        state.recordsInFlight = recordsInFlight
        state.recordsWaiting = waitingRecords
        state.bytes = openBytes
        if isAnyAppSuspended {
            state.suspendedApps = queues.apps.filter(queues.isSuspended).map {
                EngineState.SuspendedApp(
                    settings.apps[$0.index].name, pushes: census.pushes[$0.index])
            }
        }
        if openPushes > 0, census.oldestEvent < .max {
            state.oldestEventAge = max(0, wallClock - census.oldestEvent)
        }
        return state
    }

    /// How many offsets the group is behind: in each partition from the first record that is not
    /// done to the end of its log. Nil when no end is known.
    package func lag(_ end: (AssignmentID) -> Int64?) -> Int64? {
        var total: Int64?
        for id in partitions.all {
            guard let end = end(id), let next = partitions[id]?.tracker.next else { continue }
            total = (total ?? 0) + max(0, end - next)
        }
        return total
    }

    /// Looks at a push that is not done.
    @inline(__always)
    mutating func takeCensus(of slot: Int, countsApps: Bool) {
        census.oldestEvent = min(census.oldestEvent, pushes[slot].eventTime)
        guard countsApps, pushes[slot].app != .none else { return }
        census.pushes[pushes[slot].app.index] += 1
    }
}
