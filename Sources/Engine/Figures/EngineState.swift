/// The current load of a worker.
public struct EngineState: Equatable, Sendable {
    /// The number of pushes that are not done.
    public var pushes = 0
    /// The number of records in flight.
    public var recordsInFlight = 0
    /// The number of records waiting outside the window.
    public var recordsWaiting = 0
    /// The size of all open records in bytes.
    public var bytes = 0
    /// The names of the apps for which sending is suspended.
    public var suspendedApps: [String] = []

    /// Creates an empty state.
    public init() {}
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
                settings.apps[$0.index].name
            }
        }
        return state
    }
}
