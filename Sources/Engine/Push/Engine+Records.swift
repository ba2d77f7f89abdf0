internal import Configuration
package import Delivery
internal import EventLoop
internal import JSON
internal import Mapping

/// From a record to pushes that are ready to be sent.
extension Engine {
    /// The memory that an open push takes in addition to its record: its slot and the references to
    /// it.
    static var pushOverhead: Int { 256 }

    /// Takes a record. A record of a partition that this worker does not own is left to the next
    /// owner.
    package mutating func take(_ record: borrowing Record) {
        guard phase == .running, let partition = partitions.index(of: record.assignment),
            partitions[partition].state == .owned
        else { return }
        guard !search.isActive || passesFreely(partition) else { return hold(record, partition) }
        process(record, of: partition)
    }

    /// Processes a record now.
    mutating func process(_ record: borrowing Record, of partition: Int) {
        counters.records += 1
        partitions[partition].watch.hasTaken = true
        guard partitions[partition].tracker.begin(record.offset) else {
            counters.alreadyDone += 1
            commits.isDirty = true
            return
        }
        defer { watchCommitRoom(partition, record.assignment) }
        endOnPurpose(record)
        switch partitions[partition].content {
        case .events: break
        case .retries: return takeRetry(record)
        case .replays: return takeReplay(record)
        }
        mapped.reset()
        mapper.map(record, now: wallClock, into: &mapped)
        if mapped.isTimeUnknown { counters.withoutTime += 1 }
        if mapped.isFiltered || mapped.count == 0 { counters.filtered += 1 }
        open(record)
    }

    /// Ends a test build at a record that a test has chosen.
    private func endOnPurpose(_ record: borrowing Record) {
        #if DEBUG
            guard let fatal = settings.fatalKey else { return }
            var key: [UInt8] = []
            record.withKey { key.replace(with: $0) }
            precondition(key != Array(fatal.utf8), "told to end at this record")
        #endif
    }

    /// Copies a record and opens the pushes that mapping produced.
    ///
    /// Retry headers count only in the retry topic and are never copied, so that an event cannot
    /// set the state of a push.
    /// With `doubt`, its pushes may have been sent before.
    mutating func open(
        _ record: borrowing Record, retry: RetryState? = nil, doubt: String? = nil
    ) {
        let assignment = record.assignment
        let offset = record.offset
        guard let partition = partitions.index(of: assignment) else { return }
        let count = mapped.count
        guard count > 0 else {
            complete(offset, of: partition, assignment)
            return
        }
        let stored = store.copy(
            record, adding: mappedByteCount(), leavingOut: BridgeHeader.retryPrefix,
            origin: retry?.origin)
        let byteCount = stored.footprint + Self.pushOverhead * count
        window.open(bytes: byteCount)
        counters.pushes += count
        partitions[partition].openRecords += 1
        let place = RecordID(
            records.insert(
                TakenRecord(stored: stored, offset: offset, byteCount: byteCount, count: count)))
        if search.isActive { noteOpened(place, of: partition) }
        var payload: Payload?
        for index in 0..<count {
            let id = pushes.open()
            records[place.slot].add(id)
            payload = fill(id, from: index, of: place, sharing: payload)
            let own = mapped.notifications[index].ownID
            let isOneOfSeveral = mapped.notifications[index].isOneOfSeveral
            pushes[id].id = partitions[partition].names.identifier(
                index: mapped.notifications[index].index, own: own,
                isOneOfSeveral: isOneOfSeveral, offset: offset)
            if let retry { restore(id, from: retry) }
            if let doubt { pushes.change(id) { $0.doubt = doubt } }
            if isTracing { startTrace(id, record) }
            start(id, index, of: record, assignment: assignment, retry: retry)
        }
    }

    /// The bytes that the mapped pushes add to the memory of their record. Mutating, like all that
    /// is called for each push, because a call that only borrows the engine copies it.
    private mutating func mappedByteCount() -> Int {
        var bytes = 0
        for index in 0..<mapped.count {
            bytes +=
                mapped.notifications[index].deviceToken.count
                + mapped.notifications[index].collapseID.count
                + mapped.notifications[index].bundleID.count
            if index > 0, hasSamePayload(index, as: index - 1) { continue }
            bytes += mapped.notifications[index].payload.count
            bytes += mapped.notifications[index].labels.count
        }
        return bytes
    }

    /// True when two pushes of a record share the memory of payload and labels.
    private func hasSamePayload(_ index: Int, as other: Int) -> Bool {
        mapped.notifications[index].payload == mapped.notifications[other].payload
            && mapped.notifications[index].labels == mapped.notifications[other].labels
    }

    /// The range of payload and labels, which the next push may share.
    private struct Payload {
        var index: Int
        var start: UInt32
    }

    private mutating func fill(
        _ id: PushID, from index: Int, of record: RecordID, sharing previous: Payload?
    ) -> Payload {
        let app = AppID(mapped.notifications[index].app)
        pushes[id].record = record
        pushes[id].app = app
        pushes[id].takenAt = now
        pushes[id].birth = nextBirth()
        pushes[id].index = Int32(truncatingIfNeeded: mapped.notifications[index].index)
        pushes[id].pushType = mapped.notifications[index].pushType
        pushes[id].priority = mapped.notifications[index].priority
        pushes[id].expiration = mapped.notifications[index].expiration
        pushes[id].expiresAt = mapped.notifications[index].expiresAt
        pushes[id].eventTime = mapped.notifications[index].eventTime
        pushes[id].isTruncated = mapped.notifications[index].isTruncated
        if let drop = mapped.notifications[index].drop { pushes.change(id) { $0.drop = drop } }
        if let fault = mapped.notifications[index].labelFault {
            pushes.change(id) { $0.labelFault = fault }
        }
        let slot = record.slot
        var content = Push.Content()
        content.start = records[slot].stored.append(mapped.notifications[index].deviceToken)
        content.tokenCount = UInt32(mapped.notifications[index].deviceToken.count)
        _ = records[slot].stored.append(mapped.notifications[index].collapseID)
        content.collapseCount = UInt8(mapped.notifications[index].collapseID.count)
        if mapped.notifications[index].bundleID.isEmpty {
            content.bundleCount = Push.Content.noBundleID
        } else if !isBundleID(of: app, equalTo: mapped.notifications[index].bundleID) {
            _ = records[slot].stored.append(mapped.notifications[index].bundleID)
            content.bundleCount = UInt16(mapped.notifications[index].bundleID.count)
        }
        content.payloadCount = UInt32(mapped.notifications[index].payload.count)
        content.labelsCount = UInt16(mapped.notifications[index].labels.count)
        if let previous, hasSamePayload(index, as: previous.index) {
            content.payloadStart = previous.start
        } else {
            content.payloadStart = records[slot].stored.append(mapped.notifications[index].payload)
            if content.labelsCount > 0 {
                _ = records[slot].stored.append(mapped.notifications[index].labels)
            }
        }
        pushes[id].content = content
        return Payload(index: index, start: content.payloadStart)
    }

    private func isBundleID(of app: AppID, equalTo other: [UInt8]) -> Bool {
        guard app != .none, bundleIDs.indices.contains(app.index) else { return other.isEmpty }
        return bundleIDs[app.index].equals(other)
    }

    /// Starts a push: it is dropped, waits, or is queued behind its predecessor.
    private mutating func start(
        _ id: PushID, _ index: Int, of record: borrowing Record, assignment: AssignmentID,
        retry: RetryState?
    ) {
        if let drop = mapped.notifications[index].drop {
            guard drop.reason == .crashed, pushes.isInDoubt(id) else {
                return finish(id, dropped: drop.reason)
            }
            return reportDoubt(id)
        }
        if let retry, retry.due > wallClock { return waitUntilDue(id, retry) }
        let key = OrderingKeys.key(
            settings.ordering, assignment, mapped.notifications[index], of: record)
        guard let key, let predecessor = orderingKeys.add(id, key: key),
            pushes.isCurrent(predecessor)
        else { return queue(id) }
        pushes.transition(id, to: .blocked)
        if waitsWithItsSuccessors(predecessor) { countAsWaiting(id) }
        countAsWaiting(id, behind: predecessor)
    }

    /// Appends a push to its app's queue.
    mutating func queue(_ id: PushID) {
        guard !records[pushes[id].record.slot].isTried else { return queueFirst(id) }
        pushes.transition(id, to: .queued)
        queues[pushes[id].app].pushes.append(id)
        headsChanged = true
        countAsWaitingIfStalled(id)
    }

    /// Puts a push at the front of its app's queue: it was taken before all queued ones.
    mutating func queueFirst(_ id: PushID) {
        pushes.transition(id, to: .queued)
        queues[pushes[id].app].pushes.prepend(id)
        headsChanged = true
        countAsWaitingIfStalled(id)
    }

    /// Closes a push, and its record after the last one. True when the record is done.
    @discardableResult
    mutating func close(_ id: PushID) -> Bool {
        let record = pushes[id].record
        if pushes[id].waitsOutsideWindow { records[record.slot].waiting -= 1 }
        pushes.close(id)
        records[record.slot].remaining -= 1
        guard records[record.slot].remaining == 0 else {
            moveOutsideWindow(record)
            return false
        }
        close(record)
        return true
    }

    private mutating func close(_ id: RecordID) {
        let record = records.remove(id.slot)
        let (assignment, offset) = (record.assignment, record.offset)
        let isAbandoned = record.isAbandoned
        leaveWindow(isOutside: record.isOutsideWindow, bytes: record.byteCount)
        store.release(record.takeStored())
        guard let partition = partitions.index(of: assignment) else { return }
        partitions[partition].openRecords -= 1
        if partitions[partition].state == .replaced {
            if partitions[partition].openRecords == 0 { partitions.remove(assignment) }
            return
        }
        guard !isAbandoned else { return }
        complete(offset, of: partition, assignment)
    }
}
