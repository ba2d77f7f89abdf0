internal import Configuration
internal import Delivery
internal import EventLoop
internal import Mapping

/// From a record to notifications that are ready to be sent.
extension WorkerCore {
    /// What an open notification costs beside its payload.
    static var recordOverhead: Int { 1024 }

    /// Takes a record. One of a partition that is no longer ours is left to its next owner.
    mutating func take(_ record: consuming Record) {
        let assignment = record.assignment
        guard !isDraining, let partition = partitions.index(of: assignment),
            partitions[partition].state == .owned
        else { return }
        counters.records += 1
        guard partitions[partition].tracker.begin(record.offset) else {
            counters.alreadyDone += 1
            isDirty = true
            return
        }
        guard !partitions[partition].isRetry else { return takeRetry(record) }
        mapped.reset()
        mapper.map(record, now: wallClock, into: &mapped)
        if mapped.isTimeUnknown { counters.withoutTime += 1 }
        if mapped.isFiltered || mapped.count == 0 { counters.filtered += 1 }
        let offset = record.offset
        begin(record, offset: offset)
    }

    /// Opens a record with the notifications that were made of it; `offset` is done with it.
    mutating func begin(_ record: consuming Record, offset: Int64, retry: RetryState? = nil) {
        let assignment = record.assignment
        guard let partition = partitions.index(of: assignment) else { return }
        let count = mapped.count
        let byteCount = record.byteCount + cost(ofMapped: count)
        window.open(bytes: byteCount)
        partitions[partition].openRecords += 1
        let place = records.insert(
            OpenRecord(record: record, offset: offset, byteCount: byteCount, remaining: count))
        if count == 0 { return close(record: place) }
        for index in 0..<count {
            open(index, of: place, assignment: assignment, offset: offset, retry: retry)
        }
    }

    /// What the notifications of a record cost beside its own bytes.
    private func cost(ofMapped count: Int) -> Int {
        var cost = Self.recordOverhead * max(1, count)
        for index in 0..<count { cost += mapped.notifications[index].payload.count }
        return cost
    }

    private mutating func open(
        _ index: Int, of record: Int, assignment: AssignmentID, offset: Int64, retry: RetryState?
    ) {
        let place = notifications.open()
        swap(&notifications[place].notification, &mapped.notifications[index])
        notifications[place].record = record
        notifications[place].assignment = assignment
        notifications[place].takenAt = now
        notifications[place].birth = nextBirth()
        notifications[place].id = identifier(of: place, assignment, offset)
        if let retry { restore(place, from: retry) }
        if let drop = notifications[place].notification.drop {
            return finish(place, dropped: drop.reason)
        }
        if let retry, retry.due > wallClock { return waitUntilDue(place, retry.due) }
        let key = DeliveryOrder.key(
            settings.ordering, assignment, notifications[place].notification,
            of: records[record].record)
        guard let key else { return makeReady(place) }
        notifications[place].key = key
        if let predecessor = order.add(place, key: key) {
            notifications[predecessor].successor = place
            notifications[place].stage = .waiting
            if holdsItsRow(predecessor) { setAside(place) }
            setAside(place, behind: predecessor)
        } else {
            makeReady(place)
        }
    }

    private mutating func identifier(
        of place: Int, _ assignment: AssignmentID, _ offset: Int64
    ) -> NotificationID {
        guard let partition = partitions.index(of: assignment) else {
            preconditionFailure("a record of a partition that is not assigned was taken")
        }
        return partitions[partition].name.identifier(
            of: notifications[place].notification, offset: offset)
    }

    mutating func makeReady(_ place: Int) {
        notifications[place].stage = .ready
        lines[notifications[place].notification.app].ready.append(place)
        setAsideIfStuck(place)
    }

    /// To the front: it was taken before all that waits.
    mutating func makeReadyFirst(_ place: Int) {
        notifications[place].stage = .ready
        lines[notifications[place].notification.app].ready.prepend(place)
        setAsideIfStuck(place)
    }

    /// A notification has left: its record is done when it was the last one.
    mutating func close(notification place: Int) {
        let record = notifications[place].record
        if notifications[place].isSetAside { records[record].setAside -= 1 }
        notifications.close(place)
        records[record].remaining -= 1
        if records[record].remaining == 0 { close(record: record) } else { park(record: record) }
    }

    private mutating func close(record place: Int) {
        let open = records.remove(place)
        giveBackPlace(isParked: open.isParked, bytes: open.byteCount)
        guard let partition = partitions.index(of: open.assignment) else { return }
        partitions[partition].openRecords -= 1
        if partitions[partition].state == .replaced {
            if partitions[partition].openRecords == 0 {
                partitions.remove(open.assignment)
            }
            return
        }
        guard !open.isAbandoned else { return }
        partitions[partition].tracker.complete(open.offset)
        isDirty = true
    }
}
