internal import Delivery
internal import EventLoop

/// Where records wait whose app's line does not move: outside the window, so that others go on.
extension WorkerCore {
    /// True when the line of an app does not move, and there are others that could.
    func isStuck(_ app: Int) -> Bool { lines.isStuck(app) }

    /// What becomes ready for a line that does not move waits outside the window. Past three
    /// quarters of the room there its partition is paused; what is still to come of it has half of
    /// the rest, and retries have the other half.
    mutating func setAsideIfStuck(_ place: Int) {
        let app = notifications[place].notification.app
        guard isStuck(app), !notifications[place].isSetAside else { return }
        setAside(place, for: app)
    }

    /// What is added behind a notification of a row waits for its app, too.
    mutating func setAside(_ place: Int, behind predecessor: Int) {
        let app = notifications[predecessor].notification.app
        guard notifications[predecessor].stage == .ready, isStuck(app) else { return }
        setAside(place, for: app)
    }

    private mutating func setAside(_ place: Int, for app: Int) {
        if !parkedWindow.isFilled(8, to: 7) { setAside(place) }
        guard parkedWindow.isFilled(4, to: 3) else { return }
        pause(notifications[place].assignment, heldBy: app)
    }

    /// A line has just stopped: what is ready in it waits outside the window, with what stands in a
    /// row behind it.
    mutating func setLinesAside(_ apps: [Int]) {
        for place in notifications.indices where notifications[place].stage == .ready {
            let app = notifications[place].notification.app
            guard apps.contains(app), isStuck(app) else { continue }
            setAsideIfStuck(place)
            var next = notifications[place].successor
            while let follower = next {
                if !notifications[follower].isSetAside { setAside(follower, for: app) }
                next = notifications[follower].successor
            }
        }
    }

    private mutating func pause(_ assignment: AssignmentID, heldBy app: Int) {
        guard let index = partitions.index(of: assignment), partitions[index].state == .owned,
            !partitions[index].pauses.contains(.heldApp)
        else { return }
        partitions[index].heldBy = app
        pause(assignment, for: .heldApp)
        guard !lines[app].hasPaused else { return }
        lines[app].hasPaused = true
        let place = partitions[index].topicPartition
        notices.append(
            Notice(
                .warning, "a partition is paused: too much of it waits for one app",
                [
                    ("app", settings.apps[app].name), ("topic", place.topic),
                    ("partition", String(place.partition)),
                    ("held_apps", stuckApps),
                    ("parked", String(parkedWindow.records)),
                    ("parked_bytes", String(parkedWindow.bytes)),
                    (
                        "what",
                        "all apps in the partition wait with it until its line goes on; give it a"
                            + " topic of its own, or raise delivery.max_waiting"
                    ),
                ]))
    }

    /// All of them share the room.
    private var stuckApps: String {
        var names: [String] = []
        for app in lines.indices where isStuck(app) { names.append(settings.apps[app].name) }
        return names.joined(separator: " ")
    }

    /// The lines of these apps move again: the partitions that were paused for them flow.
    mutating func resumePartitions(heldBy apps: [Int]) {
        for app in apps { lines[app].hasPaused = false }
        endPauses { apps.contains($0) }
    }

    private mutating func endPauses(_ shallEnd: (_ app: Int) -> Bool) {
        for id in partitions.all {
            guard let index = partitions.index(of: id),
                partitions[index].pauses.contains(.heldApp), shallEnd(partitions[index].heldBy)
            else { continue }
            partitions[index].pauses.remove(.heldApp)
            isFlowDirty = true
        }
    }

    /// Once a second: notices lines that do not move although no fault is known, such as one to an
    /// endpoint that nobody answers at, and partitions that nobody could probe for.
    mutating func watchLines() {
        guard lines.count > 1 else { return }
        let before = lines.stuck
        lines.passSecond()
        for app in lines.indices where isStuck(app) != before[app] {
            if before[app] { resumePartitions(heldBy: [app]) } else { setLinesAside([app]) }
        }
        let idle = lines.indices.filter { lines[$0].ready.count == 0 && lines[$0].inFlight == 0 }
        endPauses { idle.contains($0) }
    }
}

extension InFlightWindow {
    /// True when so many of so many parts are taken, in records or in bytes.
    func isFilled(_ parts: Int, to count: Int) -> Bool {
        records * parts >= maxRecords * count || bytes >= maxBytes / parts * count
    }
}
