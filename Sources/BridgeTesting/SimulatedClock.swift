public import Delivery

/// The time of a simulated world, and all its scheduled events.
///
/// One thread owns the world. Time only advances while every ``SimulatedKernel`` in it waits, and
/// then jumps to the next event.
public final class SimulatedClock {
    /// The time on the monotonic clock; a world starts at one second.
    public private(set) var now = start
    private static let start = Instant.after(.seconds(1))
    /// The wall clock when the world started, in milliseconds since 1970.
    public var wallClockStart: Int64
    /// True while the system calls the wall clock synchronized.
    public var isSynchronized = true
    /// For how long the machine has slept: its monotonic clock stood still meanwhile.
    public var slept = Duration.zero

    private struct Event {
        var time: Instant
        var action: () -> Void
    }

    /// Sorted with the next one last; simultaneous events happen in the order they were scheduled.
    private var events: [Event] = []
    private var hasEnded = false
    private var deadlines: [Int: Instant] = [:]
    private var wakeCount: UInt64 = 0
    private var kernels = 0

    /// Creates a world that by default starts at 00:10 on 1 January 2026.
    public init(wallClockStart: Int64 = 1_767_226_200_000) {
        self.wallClockStart = wallClockStart
    }

    /// Milliseconds since 1970.
    public var wallClock: Int64 {
        wallClockStart + (now - Self.start + slept).wholeMilliseconds
    }

    /// The time since the machine started.
    public var bootTime: Instant { now + slept }

    /// When the next event happens; nil when none is scheduled.
    public var nextEvent: Instant? { events.last?.time }

    /// Schedules an event at a moment, or now if that has passed.
    public func schedule(at time: Instant, _ action: @escaping () -> Void) {
        guard !hasEnded else { return }
        let time = max(time, now)
        var low = 0
        var high = events.count
        while low < high {
            let middle = (low + high) / 2
            if events[middle].time > time { low = middle + 1 } else { high = middle }
        }
        events.insert(Event(time: time, action: action), at: low)
    }

    /// Schedules an event after a delay.
    public func schedule(after delay: Duration, _ action: @escaping () -> Void) {
        schedule(at: now + delay, action)
    }

    /// Stops time and tears down its world: scheduled events are discarded.
    ///
    /// Scheduled events retain their subjects, which retain the clock.
    public func end() {
        hasEnded = true
        events = []
    }

    /// Wakes every kernel, as a readable descriptor would.
    public func wake() { wakeCount += 1 }

    func addKernel() -> Int {
        kernels += 1
        // Time stands still until the kernel has declared how long it sleeps.
        deadlines[kernels] = now
        return kernels
    }

    /// Lets time pass while the owner works: what happens meanwhile happens afterwards.
    func pass(_ time: Duration) { now += time }

    func removeKernel(_ kernel: Int) { deadlines[kernel] = nil }

    /// Advances time until `isReady` or `deadline`, as far as the other kernels allow.
    func wait(
        _ kernel: Int, until deadline: Instant?, seen: inout UInt64, isReady: () -> Bool
    ) {
        deadlines[kernel] = deadline ?? .distantFuture
        runDue()
        var isOver = isReady() || seen != wakeCount || deadline ?? .distantFuture <= now
        while !isOver {
            let next = events.last?.time ?? .distantFuture
            let horizon = deadlines.values.reduce(next) { min($0, $1) }
            guard horizon > now, horizon < .distantFuture else { break }
            now = horizon
            runDue()
            isOver = isReady() || seen != wakeCount || deadline ?? .distantFuture <= now
        }
        seen = wakeCount
        // A woken kernel declares how long it sleeps when it next waits; until then time stands
        // still.
        if isOver { deadlines[kernel] = now }
    }

    private func runDue() {
        while let event = events.last, event.time <= now {
            events.removeLast()
            event.action()
        }
    }
}
