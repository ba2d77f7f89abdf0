internal import Synchronization

/// A simulator's counters; the loop writes, any thread reads.
final class SimulatorCounters: Sendable {
    private let accepted = Atomic<Int>(0)
    private let rejected: [RejectionCounter] = SimulatorSnapshot.countedStatuses.map {
        RejectionCounter(status: $0)
    }
    private let other = Atomic<Int>(0)
    private let lost = Atomic<Int>(0)
    private let connections = Atomic<Int>(0)
    private let connectionsEver = Atomic<Int>(0)
    private let openStreams = Atomic<Int>(0)

    func countResponse(status: Int) {
        if status == 200 {
            accepted.wrappingAdd(1, ordering: .relaxed)
        } else if let counter = rejected.first(where: { $0.status == status }) {
            counter.count.wrappingAdd(1, ordering: .relaxed)
        } else {
            other.wrappingAdd(1, ordering: .relaxed)
        }
    }

    func countLost() { lost.wrappingAdd(1, ordering: .relaxed) }

    func connectionOpened() {
        connections.wrappingAdd(1, ordering: .relaxed)
        connectionsEver.wrappingAdd(1, ordering: .relaxed)
    }

    func connectionClosed() { connections.wrappingSubtract(1, ordering: .relaxed) }

    func addOpenStreams(_ change: Int) { openStreams.wrappingAdd(change, ordering: .relaxed) }

    var snapshot: SimulatorSnapshot {
        var responses: [Int: Int] = [:]
        responses[200] = accepted.load(ordering: .relaxed)
        for counter in rejected {
            responses[counter.status] = counter.count.load(ordering: .relaxed)
        }
        responses[0] = other.load(ordering: .relaxed)
        return SimulatorSnapshot(
            responsesByStatus: responses.filter { $0.value > 0 },
            lostRequests: lost.load(ordering: .relaxed),
            connections: connections.load(ordering: .relaxed),
            connectionsEver: connectionsEver.load(ordering: .relaxed),
            openStreams: openStreams.load(ordering: .relaxed))
    }

    private final class RejectionCounter: Sendable {
        let status: Int
        let count = Atomic<Int>(0)

        init(status: Int) { self.status = status }
    }
}
