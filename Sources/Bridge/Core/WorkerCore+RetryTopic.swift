internal import Configuration
internal import Delivery
internal import EventLoop
internal import Mapping

/// What waits for a retry in Kafka, because there is no more room for it here.
extension WorkerCore {
    /// A partition of the retry topic rests at least so long when its next record is not due.
    static var shortestRest: UInt64 { 250_000_000 }
    /// It rests no longer, whatever its records say: others behind them may be due.
    static var longestRest: UInt64 { 60_000_000_000 }

    /// Takes a record of the retry topic: one push of an event that was taken before.
    mutating func takeRetry(_ record: consuming Record) {
        let offset = record.offset
        counters.returned += 1
        let state: RetryState
        do throws(RetryRecord.Damage) {
            state = try RetryRecord.state(of: record)
        } catch {
            mapped.reset()
            mapDamage(error.detail)
            return begin(record, offset: offset)
        }
        let origin = RetryRecord.origin(of: record, state)
        mapped.reset()
        // As of the time when it was first taken, so that it becomes the same push again.
        mapper.map(origin, now: state.takenAt, into: &mapped)
        keepOnly(index: state.index)
        begin(origin, offset: offset, retry: state)
    }

    /// Leaves one notification of those that the event makes.
    private mutating func keepOnly(index: Int) {
        let place = (0..<mapped.count).first { mapped.notifications[$0].index == index }
        guard let place, !mapped.isFiltered else {
            mapped.reset()
            return mapDamage(
                "the event makes no notification \(index) any more: was the connector changed?")
        }
        mapped.notifications.swapAt(0, place)
        mapped.count = 1
    }

    private mutating func mapDamage(_ detail: String) {
        mapped.notifications[mapped.append()].drop = Drop(.damagedRetry, detail)
    }

    /// Gives a notification back what it had when it was written to the retry topic.
    mutating func restore(_ place: Int, from state: RetryState) {
        notifications[place].id = state.id
        notifications[place].attempts = state.attempts
        notifications[place].attemptsBefore = state.attempts
        notifications[place].heldAttempts = state.heldAttempts
        notifications[place].isReturned = true
        notifications[place].birth = state.birth
        let left = state.until - wallClock
        notifications[place].age =
            UInt64(max(0, settings.retry.giveUpAfter - left)) * 1_000_000
        notifications[place].doubt = state.doubt
        notifications[place].lastStatus = state.lastStatus
        notifications[place].lastReason = state.lastReason
        guard notifications[place].doubt != nil, settings.inDoubt == .collapse,
            !notifications[place].notification.collapseID.isEmpty
        else { return }
        notifications[place].sentKey = Self.sentKey(notifications[place].notification)
    }

    /// Lets it wait until it is due, and the rest of its partition with it.
    mutating func waitUntilDue(_ place: Int, _ due: Int64) {
        wait(place, due - wallClock)
        guard notifications[place].stage == .parked else { return }
        rest(notifications[place].assignment, until: notifications[place].resumesAt)
    }

    private mutating func rest(_ assignment: AssignmentID, until due: UInt64) {
        guard let index = partitions.index(of: assignment) else { return }
        let end = min(max(due, now + Self.shortestRest), now + Self.longestRest)
        let isResting = partitions[index].pauses.contains(.notDue)
        partitions[index].restsUntil = isResting ? min(partitions[index].restsUntil, end) : end
        nextRestEnd = min(nextRestEnd ?? end, end)
        pause(assignment, for: .notDue)
    }

    /// Lets the partitions of the retry topic flow again that have rested long enough.
    mutating func endRests() {
        guard let end = nextRestEnd, end <= now else { return }
        nextRestEnd = nil
        for id in partitions.all {
            guard let index = partitions.index(of: id), partitions[index].pauses.contains(.notDue)
            else { continue }
            if partitions[index].restsUntil <= now {
                partitions[index].pauses.remove(.notDue)
                isFlowDirty = true
            } else {
                nextRestEnd = min(nextRestEnd ?? .max, partitions[index].restsUntil)
            }
        }
    }
}

/// From memory to the retry topic.
extension WorkerCore {
    /// True when a parked push may be written to the retry topic. What came from there and was not
    /// sent since stays: it would go round and round.
    func maySpill(_ place: Int) -> Bool {
        guard settings.results.retry != nil, !notifications[place].isUnspillable, !isClosing,
            let index = partitions.index(of: notifications[place].assignment)
        else { return false }
        let wasSent = notifications[place].attempts > notifications[place].attemptsBefore
        switch partitions[index].state {
        case .owned where isDraining: return wasSent
        case .owned: return wasSent || !notifications[place].isReturned
        case .revoking(let deadline): return wasSent && now < deadline
        case .committing, .replaced: return false
        }
    }

    /// Writes a push that waits to the retry topic. It has no outcome yet; its record counts as
    /// done when Kafka has it there.
    mutating func spill(_ place: Int) {
        counters.spilled += 1
        notifications[place].generation &+= 1
        notifications[place].stage = .reporting
        notifications[place].owed = .retry
        records[notifications[place].record].hasVerdict = true
        reports.append(place)
    }

    /// Writes what waits of a record to the retry topic; false when some of it must stay.
    mutating func spill(record: Int, _ known: Int?) -> Bool {
        guard settings.results.retry != nil else { return false }
        if let known, records[record].remaining == 1 {
            // What only waits behind another one keeps its place in the row.
            guard notifications[known].stage == .parked, maySpill(known) else { return false }
            spill(known)
            return true
        }
        var isWhole = true
        for place in notifications.indices
        where notifications[place].record == record && notifications[place].stage == .parked {
            if maySpill(place) { spill(place) } else { isWhole = false }
        }
        return isWhole
    }

    /// Writes what waits of a partition, or of all, to the retry topic, because it would be lost
    /// from memory.
    mutating func spillParked(_ assignment: AssignmentID?) {
        guard settings.results.retry != nil else { return }
        for place in notifications.indices
        where notifications[place].stage == .parked
            && (assignment == nil || notifications[place].assignment == assignment)
            && maySpill(place) {
            spill(place)
        }
    }

    /// Kafka does not take it: it waits here.
    mutating func keepInMemory(_ place: Int) {
        notifications[place].isUnspillable = true
        guard mayGoOn(place) else { return abandon(notification: place) }
        notifications[place].stage = .parked
        notifications[place].generation &+= 1
        let due = max(now, notifications[place].resumesAt)
        parked.add(due, id: place, generation: notifications[place].generation)
        setAside(place)
    }

    /// What was not handed to Kafka yet must not be: somebody else sends it again.
    mutating func dropUnwrittenRetries(_ assignment: AssignmentID) {
        guard settings.results.retry != nil else { return }
        for place in notifications.indices
        where notifications[place].assignment == assignment
            && notifications[place].stage == .reporting
            && (notifications[place].owed.contains(.retry)
                || notifications[place].withheld.contains(.retry)) {
            abandon(notification: place)
        }
    }

    /// When a push that waits is given up, in milliseconds since 1970.
    func givenUpAt(_ place: Int) -> Int64 {
        let age = now - notifications[place].takenAt + notifications[place].age
        return wallClock + settings.retry.giveUpAfter - Int64(age / 1_000_000)
    }

    /// When a push that waits is due, in milliseconds since 1970.
    func due(_ place: Int) -> Int64 {
        let wait = notifications[place].resumesAt - min(notifications[place].resumesAt, now)
        return wallClock + Int64((wait + 999_999) / 1_000_000)
    }
}
