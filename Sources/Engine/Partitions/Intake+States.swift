internal import Delivery

/// The assigned partitions as an observer sees them.
extension Intake {
    /// The assigned partitions, in the order of their assignment; `end` is the end of an
    /// assignment's log, as far as it is known.
    func states(_ end: (AssignmentID) -> Int64?, wallClock: Int64) -> [PartitionState] {
        let paused = flow.pausedPartitions
        var states: [PartitionState] = []
        states.reserveCapacity(partitions.indices.count)
        for (index, id) in zip(partitions.indices, partitions.all) {
            var state = PartitionState(partitions[index].topicPartition)
            state.isRetry = partitions[index].content == .retries
            state.next = partitions[index].tracker.next
            if let end = end(id) {
                state.lag = partitions[index].tracker.next.map { max(0, end - $0) }
                if !state.isRetry {
                    state.unread = partitions[index].tracker.position.map { max(0, end - $0) }
                }
            }
            state.openRecords = partitions[index].openRecords
            if state.openRecords > 0, partitions[index].oldestEvent < .max {
                state.oldestEventAge = max(0, wallClock - partitions[index].oldestEvent)
            }
            state.pauses = pauses(partitions[index].state, paused[id] ?? [])
            states.append(state)
        }
        return states
    }

    private func pauses(
        _ state: PartitionProgress.State, _ reasons: PartitionFlow.Reasons
    ) -> [PartitionState.Pause] {
        guard state == .owned else { return [state == .replaced ? .replaced : .revoked] }
        guard flow.isEverythingPaused || !reasons.isEmpty || sole.isHoldingBack else { return [] }
        let all: [(PartitionState.Pause, Bool)] = [
            (.operator, flow.isPausedByOperator), (.clock, flow.isClockInDoubt),
            (.windowFull, flow.isWindowFull),
            (.suspendedApp, reasons.contains(.suspendedApp)),
            (.noRoomToWait, reasons.contains(.noRoomToWait)),
            (.notDue, reasons.contains(.notDue)),
            (.noRoomInCommit, reasons.contains(.noRoomInCommit)),
            (.uncommitted, reasons.contains(.uncommitted)),
            (.oneAtATime, reasons.contains(.oneAtATime) || sole.isHoldingBack),
            (.schema, reasons.contains(.schema)),
        ]
        return all.filter(\.1).map(\.0)
    }

    /// The oldest events of partitions are about to be determined.
    mutating func forgetOldestEvents() {
        for index in partitions.indices { partitions[index].oldestEvent = .max }
    }

    /// A push of a partition is not done.
    mutating func noteOpenEvent(at time: Int64, of id: AssignmentID) {
        guard let index = partitions.index(of: id) else { return }
        partitions[index].oldestEvent = min(partitions[index].oldestEvent, time)
    }
}
