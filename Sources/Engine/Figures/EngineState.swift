/// What a worker has in hand at one moment.
public struct EngineState: Equatable, Sendable {
    /// Pushes that are not done.
    public var pushes = 0
    /// Records in flight.
    public var recordsInFlight = 0
    /// Records that wait outside the window.
    public var recordsWaiting = 0
    /// The bytes that all open records account for.
    public var bytes = 0
    /// The names of the apps for which sending is suspended.
    public var suspendedApps: [String] = []

    /// Nothing.
    public init() {}
}

extension Engine {
    /// What it has in hand now.
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
