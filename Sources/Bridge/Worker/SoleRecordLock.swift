internal import Delivery
internal import Engine
internal import Synchronization

/// Lets one worker of a process at a time have a record alone: the others take and send nothing.
///
/// An end of the process counts against that record, whatever caused it.
public final class SoleRecordLock: Sendable {
    private struct Worker {
        let wake: @Sendable () -> Void
        var isQuiet = false
    }

    private struct State {
        var workers: [Int: Worker] = [:]
        var nextNumber = 0
        /// The worker that has a record alone.
        var owner: Int?
        var since = Instant.distantPast
    }

    /// How long other workers wait at most: one Kafka may be away, and that of the others not.
    static let maxHold = Duration.seconds(60)

    private let state = Mutex(State())

    /// Creates a lock for the workers of a process.
    public init() {}

    /// A worker starts, and can be woken: its number.
    func join(_ wake: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextNumber += 1
            state.workers[state.nextNumber] = Worker(wake: wake)
            return state.nextNumber
        }
    }

    /// A worker ends.
    func leave(_ number: Int) {
        state.withLock { state in
            state.workers[number] = nil
            if state.owner == number { state.owner = nil }
            for worker in state.workers.values { worker.wake() }
        }
    }

    /// What a worker may do, which wants a record to be alone, or not.
    func standing(of number: Int, wants: Bool, at now: Instant) -> Engine.Standing {
        state.withLock { state in
            if state.owner == nil, wants {
                state.owner = number
                state.since = now
                for other in state.workers.keys { state.workers[other]?.isQuiet = false }
                for (other, worker) in state.workers where other != number { worker.wake() }
            } else if state.owner == number, !wants {
                state.owner = nil
                for (other, worker) in state.workers where other != number { worker.wake() }
            }
            guard let owner = state.owner else { return .free }
            guard owner == number else {
                return now < state.since + Self.maxHold ? .othersTurn : .free
            }
            let others = state.workers.filter { $0.key != number }
            return .ownTurn(areOthersQuiet: others.allSatisfy(\.value.isQuiet))
        }
    }

    /// A worker whose turn it is not has nothing in flight.
    func noteQuiet(_ number: Int) {
        state.withLock { state in
            guard let owner = state.owner, state.workers[number]?.isQuiet == false else { return }
            state.workers[number]?.isQuiet = true
            state.workers[owner]?.wake()
        }
    }
}
