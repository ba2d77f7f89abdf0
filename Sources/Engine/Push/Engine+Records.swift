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
        if let time = record.appended { intake.compareClock(wallClock, with: time, now: now) }
        guard let partition = intake.takingIndex(of: record.assignment) else { return }
        if intake.needsSchemas, awaitsSchema(record, partition) { return }
        takeMappable(record, partition)
    }

    /// Takes a record whose schema is known, if it has one.
    mutating func takeMappable(_ record: borrowing Record, _ partition: Int) {
        guard !intake.holdBack(record, partition, now: now) else { return }
        process(record, of: partition)
    }

    /// Processes a record now.
    mutating func process(_ record: borrowing Record, of partition: Int) {
        counters.add(\.records)
        guard intake.begin(record, partition) else {
            counters.add(\.alreadyDone)
            return
        }
        defer { watchCommitRoom(partition, record.assignment) }
        endOnPurpose(record)
        switch intake.content(partition) {
        case .events: break
        case .retries: return takeRetry(record)
        case .replays: return takeReplay(record)
        }
        mapped.reset()
        mapping.value.map(record, now: wallClock)
        if mapped.isTimeUnknown { counters.add(\.withoutTime) }
        if mapped.isSkipped || mapped.count == 0 { counters.add(\.filtered) }
        counters.add(\.skippedElements, mapped.skippedElements)
        open(record)
    }

    /// A record was taken: a commit may have little room for another.
    private mutating func watchCommitRoom(_ partition: Int, _ id: AssignmentID) {
        guard let short = intake.watchCommitRoom(partition, id, now: now) else { return }
        note(short.notices)
        if let end = short.relief { moveWaitingToRetryTopic(of: id, below: end) }
    }

    /// Ends a test build at a record that a test has chosen.
    private func endOnPurpose(_ record: borrowing Record) {
        #if DEBUG
            guard let fatal = settings.fatalKey else { return }
            var key: [UInt8] = []
            record.withKey { key.replace(with: $0) }
            precondition(key != Array(fatal.utf8), "the environment names this record as fatal")
        #endif
    }

    /// Copies a record and opens the pushes that mapping produced. `restore` gives a push the state
    /// that it had before, and returns how long it still has to wait.
    ///
    /// Retry headers count only in the retry topic and are never copied, so that an event cannot
    /// set the state of a push.
    mutating func open(
        _ record: borrowing Record, origin: RecordOrigin? = nil,
        restore: ((inout Engine, PushID) -> Duration?)? = nil
    ) {
        guard let (recordID, partition) = openRecord(for: record, origin: origin) else { return }
        var payload: Payload?
        for index in 0..<mapped.count {
            let id = openPush(index, at: recordID, partition, record, sharing: &payload)
            let delay = restore?(&self, id)
            if isTracing { startTrace(id, record) }
            if let delay, mapped.notifications[index].drop == nil {
                waitUntilDue(id, for: delay)
            } else {
                start(id, index, of: record)
            }
        }
    }

    /// Copies a record that has pushes; nil for one that has none, which is complete.
    private mutating func openRecord(
        for record: borrowing Record, origin: RecordOrigin?
    ) -> (recordID: RecordID, partition: Int)? {
        guard let partition = intake.index(of: record.assignment) else { return nil }
        let count = mapped.count
        guard count > 0 else {
            note(intake.complete(record.offset, of: partition, record.assignment, now: now))
            return nil
        }
        let stored = copy(record, origin: origin)
        let byteCount = stored.footprint + Self.pushOverhead * count + droppedByteCount()
        intake.opened(partition, bytes: byteCount)
        counters.add(\.pushes, count)
        let isFirst = intake.isTakingAlone
        let recordID = pushes.open(
            TakenRecord(stored: stored, offset: record.offset, byteCount: byteCount, count: count),
            isFirst: isFirst)
        if isFirst { intake.noteFirst(recordID, of: partition) }
        return (recordID, partition)
    }

    private mutating func openPush(
        _ index: Int, at recordID: RecordID, _ partition: Int, _ record: borrowing Record,
        sharing payload: inout Payload?
    ) -> PushID {
        let id = pushes.open()
        pushes.add(id, to: recordID)
        payload = fill(id, from: index, of: recordID, sharing: payload)
        let own = mapped.notifications[index].ownID
        let isOneOfSeveral = mapped.notifications[index].isOneOfSeveral
        pushes[id].id = intake.identifier(
            index: mapped.notifications[index].index, own: own, isOneOfSeveral: isOneOfSeveral,
            offset: record.offset, of: partition)
        return id
    }

    /// Copies a record with room for its mapped pushes; `origin` is the position of its event, if
    /// it is not its own.
    private mutating func copy(
        _ record: borrowing Record, origin: RecordOrigin?
    ) -> RecordCopy {
        let extra = mappedByteCount()
        let prefix = prefixToLeaveOut(of: record)
        return pushes.copy(record, adding: extra, leavingOut: prefix, origin: origin)
    }

    /// The headers that are not copied: in an event all those of the bridge, except the number of
    /// replays if a seal proves it. Empty for a record without headers, so that they are not asked
    /// for again.
    private mutating func prefixToLeaveOut(of record: borrowing Record) -> StaticString {
        guard record.hasHeaders else { return "" }
        guard record.copyHeader(BridgeHeader.replays) != nil,
            let partition = intake.index(of: record.assignment),
            case .events = intake.content(partition),
            !isSealed(record, .replay)
        else { return BridgeHeader.retryPrefix }
        return BridgeHeader.prefix
    }

    /// True when a record is sealed; false where nothing is.
    private mutating func isSealed(_ record: borrowing Record, _ kind: SealKeys.Kind) -> Bool {
        guard let seal = settings.results.seal else { return false }
        return seal.isSealed(kind, record)
    }

    /// The bytes that the mapped pushes add to the memory of their record. Mutating, like all that
    /// is called for each push, because a call that only borrows the engine copies it.
    private mutating func mappedByteCount() -> Int {
        var bytes = 0
        for index in 0..<mapped.count {
            bytes +=
                mapped.notifications[index].destination.identifier.count
                + mapped.notifications[index].collapseID.count
                + mapped.notifications[index].bundleID.count
            if index > 0, hasSamePayload(index, as: index - 1) { continue }
            bytes += mapped.notifications[index].payload.count
            bytes += mapped.notifications[index].labels.count
        }
        return bytes
    }

    /// The memory of what is kept about the pushes that mapping dropped.
    private mutating func droppedByteCount() -> Int {
        var bytes = 0
        for index in 0..<mapped.count {
            guard let drop = mapped.notifications[index].drop else { continue }
            bytes += MemoryLayout<PushDetails>.stride + drop.detail.utf8.count
        }
        return bytes
    }

    /// True when two pushes of a record share the memory of payload and labels.
    private mutating func hasSamePayload(_ index: Int, as other: Int) -> Bool {
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
        let app = queue(of: index)
        let sequence = pushes.nextSequence(wallClock)
        pushes[id].record = record
        pushes[id].app = app
        pushes[id].takenAt = now
        pushes[id].sequence = sequence
        pushes[id].index = Int32(truncatingIfNeeded: mapped.notifications[index].index)
        pushes[id].destination = mapped.notifications[index].destination.kind
        pushes[id].pushType = mapped.notifications[index].pushType
        pushes[id].priority = mapped.notifications[index].priority
        pushes[id].expiration = mapped.notifications[index].expiration
        pushes[id].expiresAt = mapped.notifications[index].expiresAt
        pushes[id].eventTime = mapped.notifications[index].eventTime
        pushes[id].isTruncated = mapped.notifications[index].isTruncated
        noteFaults(of: index, in: id)
        let hasOwnBundleID = !isBundleID(of: app, equalTo: mapped.notifications[index].bundleID)
        let shared = previous.flatMap { hasSamePayload(index, as: $0.index) ? $0.start : nil }
        let content = Self.append(
            mapped, index, hasOwnBundleID, payload: shared, to: &pushes[textsOf: record])
        pushes[id].content = content
        return Payload(index: index, start: content.payloadStart)
    }

    /// Keeps why a mapped push is dropped, and why labels of it are null.
    private mutating func noteFaults(of index: Int, in id: PushID) {
        // Nearly all have neither: unwrapping would retain what is not there.
        guard
            mapped.notifications[index].drop != nil
                || mapped.notifications[index].labelFault != nil
        else { return }
        let (drop, fault) = (
            mapped.notifications[index].drop, mapped.notifications[index].labelFault
        )
        pushes.change(id) { details in
            if let drop { details.drop = drop }
            if let fault { details.labelFault = fault }
        }
    }

    /// The queue of a mapped push.
    private mutating func queue(of index: Int) -> AppID {
        let app = AppID(mapped.notifications[index].app)
        guard mapped.notifications[index].isBroadcast else { return app }
        if sending.addBroadcasts(settings) { makeRoomForBroadcasts() }
        return settings.broadcastQueue(of: app)
    }

    /// Appends the texts of a push to its record, except for a payload and labels that are there.
    ///
    /// It is given all that was mapped, and not inlined: a notification would be copied, and each
    /// of its texts be retained.
    private static func append(
        _ mapped: MappedRecord, _ index: Int, _ hasOwnBundleID: Bool, payload: UInt32?,
        to stored: inout RecordCopy
    ) -> Push.Content {
        var content = Push.Content()
        content.start = stored.append(mapped.notifications[index].destination.identifier)
        content.destinationCount = UInt32(mapped.notifications[index].destination.identifier.count)
        _ = stored.append(mapped.notifications[index].collapseID)
        content.collapseCount = UInt8(mapped.notifications[index].collapseID.count)
        if mapped.notifications[index].bundleID.isEmpty {
            content.bundleCount = Push.Content.noBundleID
        } else if hasOwnBundleID {
            _ = stored.append(mapped.notifications[index].bundleID)
            content.bundleCount = UInt16(mapped.notifications[index].bundleID.count)
        }
        content.payloadCount = UInt32(mapped.notifications[index].payload.count)
        content.labelsCount = UInt16(mapped.notifications[index].labels.count)
        if let payload {
            content.payloadStart = payload
        } else {
            content.payloadStart = stored.append(mapped.notifications[index].payload)
            if content.labelsCount > 0 {
                _ = stored.append(mapped.notifications[index].labels)
            }
        }
        return content
    }

    private mutating func isBundleID(of app: AppID, equalTo other: [UInt8]) -> Bool {
        guard app != .none, bundleIDs.indices.contains(app.index) else { return other.isEmpty }
        return bundleIDs[app.index].equals(other)
    }

    /// Starts a push: it is dropped, waits, or is queued behind its predecessor.
    private mutating func start(_ id: PushID, _ index: Int, of record: borrowing Record) {
        if let drop = mapped.notifications[index].drop {
            guard drop.reason == .crashed, pushes.isInDoubt(id) else {
                return finish(id, dropped: drop.reason)
            }
            return reportDoubt(id)
        }
        guard settings.ordering != .none else {
            if backlog.isUsed, joinBacklog(id, orderedBy: nil) { return }
            return apply(.queued(.new), to: id)
        }
        let key = OrderingKeys.key(
            settings.ordering, record.assignment, mapped.notifications[index], of: record)
        if backlog.isUsed, joinBacklog(id, orderedBy: key) { return }
        guard let key, let predecessor = sending.addToOrder(id, key: key),
            pushes.isCurrent(predecessor)
        else { return apply(.queued(.new), to: id) }
        apply(.blocked, to: id)
        if waitsWithItsSuccessors(predecessor) { countAsWaiting(id) }
        countAsWaiting(id, behind: predecessor)
    }

    /// Closes a push, and its record after the last one. True when the record is done.
    @discardableResult
    mutating func close(_ id: PushID) -> Bool {
        let record = pushes[id].record
        if devices.isAnyReported { forgetReport(id) }
        guard pushes.closeInRecord(id) else {
            moveOutsideWindow(record)
            return false
        }
        let notices = intake.closed(pushes.close(record), now: now)
        if !notices.isEmpty { note(notices) }
        return true
    }
}

/// Maps records, and holds what the last one became.
struct RecordMapping: ~Copyable {
    var mapper: Mapper
    var mapped = MappedRecord()

    /// Maps a record; only the push at one index if that is given.
    mutating func map(_ record: borrowing Record, now: Int64, only index: Int? = nil) {
        mapper.map(record, now: now, only: index, into: &mapped)
    }
}
