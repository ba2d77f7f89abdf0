/// The time of a simulated world, and everything that is going to happen in it.
///
/// One thread owns the world. Time moves only while every ``SimulatedKernel`` in it waits, and
/// then it jumps to the next moment at which anything happens.
public final class SimulatedClock {
    /// Monotonic nanoseconds; a world begins at one second.
    public private(set) var now: UInt64 = 1_000_000_000
    /// What the calendar said when the world began, in milliseconds since 1970.
    public var wallClockStart: Int64

    private struct Event {
        var time: UInt64
        var action: () -> Void
    }

    /// Sorted with the next one last; among equals the first to be scheduled is the first to be.
    private var events: [Event] = []
    private var hasEnded = false
    private var deadlines: [Int: UInt64] = [:]
    private var wakeCount: UInt64 = 0
    private var kernels = 0

    /// A world that begins at 00:10 on 1 January 2026, unless told otherwise.
    public init(wallClockStart: Int64 = 1_767_226_200_000) {
        self.wallClockStart = wallClockStart
    }

    /// Milliseconds since 1970.
    public var wallClock: Int64 { wallClockStart + Int64(now / 1_000_000) - 1000 }

    /// When something happens next; nil when nothing ever will.
    public var nextEvent: UInt64? { events.last?.time }

    /// Lets something happen at a moment, or now when that has passed.
    public func schedule(at time: UInt64, _ action: @escaping () -> Void) {
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

    /// Lets something happen after a while.
    public func schedule(after delay: UInt64, _ action: @escaping () -> Void) {
        schedule(at: now + delay, action)
    }

    /// Ends time together with its world: nothing that is scheduled happens any more, or is kept.
    ///
    /// What is scheduled holds what it is about, and that holds the clock.
    public func end() {
        hasEnded = true
        events = []
    }

    /// Ends the wait of every kernel, as a descriptor that became readable would.
    public func wake() { wakeCount += 1 }

    func addKernel() -> Int {
        kernels += 1
        // Time stands still until it has said how long it sleeps.
        deadlines[kernels] = now
        return kernels
    }

    func removeKernel(_ kernel: Int) { deadlines[kernel] = nil }

    /// Lets time pass until `isReady` or `deadline`, as far as the other kernels allow.
    func wait(
        _ kernel: Int, until deadline: UInt64?, seen: inout UInt64, isReady: () -> Bool
    ) {
        deadlines[kernel] = deadline ?? .max
        runDue()
        var isOver = isReady() || seen != wakeCount || deadline ?? .max <= now
        while !isOver {
            let horizon = deadlines.values.reduce(events.last?.time ?? .max) { min($0, $1) }
            guard horizon > now, horizon < .max else { break }
            now = horizon
            runDue()
            isOver = isReady() || seen != wakeCount || deadline ?? .max <= now
        }
        seen = wakeCount
        // Whoever woke will say at its next wait how long it sleeps; until then time stands still.
        if isOver { deadlines[kernel] = now }
    }

    private func runDue() {
        while let event = events.last, event.time <= now {
            events.removeLast()
            event.action()
        }
    }
}
