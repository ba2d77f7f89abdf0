internal import Delivery
internal import EventLoop

/// Records of apps whose queues are stalled wait outside the window, so that other apps continue.
extension Engine {
    /// Moves a queued push of a stalled app out of the window. Once there is little room outside,
    /// its partition is paused.
    mutating func countAsWaitingIfStalled(_ id: PushID) {
        let app = pushes[id].app
        guard sending.isStalled(app), !pushes[id].waitsOutsideWindow else { return }
        countAsWaiting(id, for: app)
    }

    /// Moves a push out of the window if its predecessor's app is stalled.
    mutating func countAsWaiting(_ id: PushID, behind predecessor: PushID) {
        let app = pushes[predecessor].app
        guard pushes[predecessor].state.kind == .queued, sending.isStalled(app) else { return }
        countAsWaiting(id, for: app)
    }

    private mutating func countAsWaiting(_ id: PushID, for app: AppID) {
        let assignment = pushes.assignment(of: id)
        if intake.hasRoomForStalled { countAsWaiting(id) }
        if intake.isShortOfWaitingRoom { pause(assignment, for: app) }
    }

    /// Sending for these apps has just been suspended: queued pushes wait outside the window,
    /// together with their successors.
    mutating func countQueuesAsWaiting(of apps: [AppID]) {
        for slot in pushes.slotRange where pushes[slot].state.kind == .queued {
            let app = pushes[slot].app
            guard apps.contains(app), sending.isStalled(app) else { continue }
            let id = pushes.id(of: slot)
            countAsWaitingIfStalled(id)
            var next = sending.successor(of: id)
            while let follower = next, pushes.isCurrent(follower) {
                if !pushes[follower].waitsOutsideWindow { countAsWaiting(follower, for: app) }
                next = sending.successor(of: follower)
            }
        }
    }

    /// There are queues for broadcasts from now on, which continue while the others are stalled:
    /// what waits in those leaves the window, as it does where there are several apps.
    mutating func makeRoomForBroadcasts() {
        countQueuesAsWaiting(of: sending.stalledApps)
        for slot in pushes.slotRange where pushes[slot].state.kind == .withheld {
            guard intake.hasRoomForStalled else { return }
            countAsWaiting(pushes.id(of: slot))
        }
    }

    private mutating func pause(_ assignment: AssignmentID, for app: AppID) {
        guard intake.pause(assignment, for: app), sending.notePause(by: app) else { return }
        for topicPartition in intake.topicPartitions([assignment]) {
            notices.append(
                .pausedForApp(
                    settings.names(of: [app]).first ?? "", topicPartition,
                    Notice.WaitingPushes(
                        stalledApps: stalledApps, records: intake.waitingRecords,
                        bytes: intake.waitingBytes)))
        }
    }

    /// All apps share the room.
    private var stalledApps: [String] {
        settings.names(of: sending.stalledApps)
    }

    /// The queues of these apps move again: resumes partitions that were paused for them.
    mutating func resumePartitions(of apps: [AppID]) {
        sending.noteMoving(apps)
        intake.resumePartitions(of: apps)
    }

    /// Once a second, detects stalled queues without a known fault, for example because an endpoint
    /// does not respond, and partitions that no probe could reach.
    mutating func watchQueues() {
        guard sending.hasSeveralApps, !isPaused else { return }
        for app in sending.passSecond() {
            if sending.isStalled(app) {
                countQueuesAsWaiting(of: [app])
            } else {
                resumePartitions(of: [app])
            }
        }
        intake.resumePartitions(of: sending.idleApps)
    }
}
