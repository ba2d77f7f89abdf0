internal import Configuration
internal import Delivery
internal import EventLoop

/// Taking the records of a partition one at a time, after starts without progress.
///
/// A record is named in a stored commit before it is taken, and as sent before it is sent. While it
/// waits, it is not named, so that a crash does not count against it. A record that has crashed the
/// worker before is tried while nothing else is processed.
extension Engine {
    /// True when the records of a partition are processed as they arrive.
    func passesFreely(_ index: Int) -> Bool {
        search.isolated == nil && !partitions[index].watch.isHolding
    }

    /// Keeps a record that has arrived until it may be taken, and pauses its partition.
    mutating func hold(_ record: borrowing Record, _ index: Int) {
        let slot = search.held.insert(store.copy(record, adding: 0))
        partitions[index].watch.held.append(slot)
        flow.pause(record.assignment, for: .oneAtATime)
    }

    /// Takes the next steps of partitions whose records do not pass freely.
    mutating func advanceSingleRecords() {
        guard search.isActive else { return }
        takeHeldOfReplaced()
        for index in partitions.indices where partitions[index].state == .owned {
            let id = partitions.all[index]
            if partitions[index].watch.isSingle {
                advance(index, id)
            } else {
                releaseHeld(index, id)
            }
        }
        updateSearch()
    }

    /// Some partition is about to hold records, or holds none any longer.
    mutating func updateSearch() {
        search.isActive =
            search.isolated != nil || partitions.indices.contains { partitions[$0].watch.isHolding }
    }

    /// The partition flows normally: takes what it had to hold.
    private mutating func releaseHeld(_ index: Int, _ id: AssignmentID) {
        while search.isolated == nil, !partitions[index].watch.held.isEmpty, mayTake(id) {
            takeFirstHeld(index)
        }
        if search.isolated == nil, partitions[index].watch.held.isEmpty {
            flow.resume(id, from: .oneAtATime)
        }
    }

    private mutating func advance(_ index: Int, _ id: AssignmentID) {
        guard commits.budget.hasRoomForMark else { return endSingleRecords(index, id) }
        forgetAside(index)
        if let tried = partitions[index].watch.tried {
            if search.isolated == nil || search.isolated == id { nameAsSent(tried, index) }
            if !isBeingProcessed(index) { commits.isDirty = true }
            return
        }
        guard search.isolated == nil || search.isolated == id else { return }
        // The last one is done, or waits: the commit that says so comes first.
        if search.isolated == id, partitions[index].watch.isNamedInCommit { return }
        if let push = partitions[index].watch.aside.first {
            return tryToSend(pushes[push].record, index, id)
        }
        guard mayTake(id) else { return endIsolation(of: id) }
        while let offset = heldOffset(index), partitions[index].tracker.isPast(offset) {
            takeFirstHeld(index)
        }
        guard let offset = heldOffset(index) else {
            endIsolation(of: id)
            return flow.resume(id, from: .oneAtATime)
        }
        let tracker = partitions[index].tracker
        partitions[index].watch.suspects.removeAll {
            $0.offset < offset && !tracker.isOpen($0.offset)
        }
        // A record that has crashed the worker and waits is finished first.
        guard !partitions[index].watch.suspects.contains(where: { $0.offset < offset }) else {
            return
        }
        if !name(offset, asSent: false, index, id) { takeFirstHeld(index) }
    }

    private mutating func tryToSend(_ record: RecordID, _ index: Int, _ id: AssignmentID) {
        if name(records[record.slot].offset, asSent: true, index, id),
            partitions[index].watch.tried != nil
        {
            partitions[index].watch.current = record
        }
    }

    /// Names a record in the next commit, as soon as it may be tried; false when too many others
    /// are named.
    private mutating func name(
        _ offset: Int64, asSent isSent: Bool, _ index: Int, _ id: AssignmentID
    ) -> Bool {
        let known = partitions[index].watch.suspects.first { $0.offset == offset }
        if let known, known.crashes > 0 {
            search.isolated = search.isolated ?? id
            // Whatever else is at work could be what crashes.
            guard search.isolated == id, !isAnythingElseTried(index), !isAnythingAtWork else {
                return true
            }
        }
        guard partitions[index].watch.name(offset, asSent: isSent) else { return false }
        commits.hurry()
        return true
    }

    /// The record being tried could be sent: names it as sent first.
    private mutating func nameAsSent(_ tried: SuspectRecord, _ index: Int) {
        guard !tried.wasSent, let record = partitions[index].watch.current,
            isAnyAside(of: record, index)
        else { return }
        _ = partitions[index].watch.name(tried.offset, asSent: true)
        commits.hurry()
    }

    /// True when a push of a record waits until the record is named as sent.
    private func isAnyAside(of record: RecordID, _ index: Int) -> Bool {
        partitions[index].watch.aside.contains { pushes[$0].record == record }
    }

    private func mayTake(_ id: AssignmentID) -> Bool {
        phase == .running && !flow.isPausedByOperator && !isClockInDoubt && window.room > 0
            && flow.reasons(of: id).subtracting(.oneAtATime).isEmpty
    }

    private func heldOffset(_ index: Int) -> Int64? {
        partitions[index].watch.held.first.map { search.held[$0].origin.offset }
    }

    mutating func takeFirstHeld(_ index: Int) {
        let copy = search.held.remove(partitions[index].watch.held.removeFirst())
        copy.withRecord { process($0, of: index) }
        store.release(copy)
    }

    /// A record of a partition was opened.
    mutating func noteOpened(_ record: RecordID, of index: Int) {
        guard search.isTakingNamed else { return }
        records[record.slot].isTried = true
        partitions[index].watch.current = record
    }
}

// MARK: Stored commits

extension Engine {
    /// Kafka has stored a commit: what it names may be tried.
    mutating func noteStored(_ commit: OffsetCommit, of index: Int) {
        if !partitions[index].watch.isStored {
            partitions[index].watch.isStored = true
            waitForStarts()
        }
        guard search.isActive else { return }
        let named = StartMark(metadata: commit.metadata).suspects
        partitions[index].watch.isNamedInCommit = named.contains { $0.isBeingTried }
        guard let tried = partitions[index].watch.tried else {
            return endIsolation(of: commit.assignment)
        }
        guard partitions[index].state == .owned, named.contains(tried) else { return }
        if partitions[index].tracker.isOpen(tried.offset) {
            if tried.wasSent { clear(tried.offset, index) }
        } else if heldOffset(index) == tried.offset, mayTake(commit.assignment) {
            takeNamed(tried, index)
        } else {
            // Meanwhile it may not be taken.
            partitions[index].watch.stopTrying()
            partitions[index].lastCommit = nil
            commits.hurry()
            endIsolation(of: commit.assignment)
        }
    }

    private mutating func takeNamed(_ tried: SuspectRecord, _ index: Int) {
        if tried.wasSent { partitions[index].watch.cleared = tried.offset }
        search.isTakingNamed = true
        defer { search.isTakingNamed = false }
        guard tried.crashes >= StartWatch.toleratedCrashes else { return takeFirstHeld(index) }
        let copy = search.held.remove(partitions[index].watch.held.removeFirst())
        copy.withRecord { end($0, tried, index) }
        store.release(copy)
    }

    private mutating func clear(_ offset: Int64, _ index: Int) {
        partitions[index].watch.cleared = offset
        queueAside(index)
    }

    /// Queues the pushes that were set aside, before all others.
    mutating func queueAside(_ index: Int) {
        let aside = partitions[index].watch.aside
        partitions[index].watch.aside = []
        putBack(aside)
    }

    private mutating func putBack(_ waiting: [PushID]) {
        for id in waiting.reversed()
        where pushes.isCurrent(id) && pushes[id].state.kind == .queued {
            queues[pushes[id].app].pushes.prepend(id)
            queues[pushes[id].app].isFull = false
            queues.headsChanged = true
        }
    }

    private mutating func forgetAside(_ index: Int) {
        guard !partitions[index].watch.aside.isEmpty else { return }
        let aside = partitions[index].watch.aside
        partitions[index].watch.aside = aside.filter {
            pushes.isCurrent($0) && pushes[$0].state.kind == .queued
        }
    }

    /// The commits of a start have changed: taking records waits for them, or no longer.
    mutating func waitForStarts(until end: Instant? = nil) {
        let isAnyOpen = partitions.indices.contains {
            partitions[$0].state == .owned && !partitions[$0].watch.isStored
        }
        let isCounted = isAnyOpen && commits.budget.hasRoomForMark
        search.startsEnd = isCounted ? end ?? search.startsEnd : nil
    }

    /// True while taking records waits for the commits that count starts.
    var isWaitingForStarts: Bool { search.startsEnd.map { now < $0 } ?? false }

    /// Once a second: a partition with nothing open has survived its start.
    mutating func sweepStarts() {
        for index in partitions.indices where partitions[index].state == .owned {
            let isIdle = partitions[index].openRecords == 0
            if partitions[index].watch.hasJustSurvived(isIdle: isIdle, now: now) {
                commits.isDirty = true
            }
        }
    }
}

// MARK: Sending

extension Engine {
    /// True when the push must not be sent before a stored commit names its record as sent.
    package mutating func awaitsItsName(_ id: PushID) -> Bool {
        guard search.isActive, records[pushes[id].record.slot].isTried,
            let index = partitions.index(of: assignment(of: id)),
            partitions[index].state == .owned, partitions[index].watch.isSingle
        else { return false }
        return partitions[index].watch.cleared != records[pushes[id].record.slot].offset
    }

    /// The app of a push, and the size of its payload.
    package func demand(of id: PushID) -> (app: AppID, bytes: Int) {
        (pushes[id].app, Int(pushes[id].content.payloadCount))
    }

    /// A connection has room for a push whose record must be named first.
    package mutating func setAside(_ id: PushID) {
        let app = pushes[id].app
        queues[app].pushes.popFirst()
        if let index = partitions.index(of: assignment(of: id)) {
            partitions[index].watch.aside.append(id)
        }
        // Its record may be named now, and then nothing else is sent.
        advanceSingleRecords()
        settleHeads()
    }

    /// True for a push of the only record that may be processed now.
    func isIsolated(_ id: PushID) -> Bool {
        records[pushes[id].record.slot].isTried && assignment(of: id) == search.isolated
    }

    /// True while a record of another partition is named.
    private func isAnythingElseTried(_ index: Int) -> Bool {
        partitions.indices.contains { $0 != index && partitions[$0].watch.tried != nil }
    }

    /// True while a connection or Kafka has a push.
    private var isAnythingAtWork: Bool {
        pushes.slotRange.contains { isAtWork(pushes[$0].state) }
    }

    private func isAtWork(_ state: Push.State) -> Bool {
        switch state {
        case .inFlight: true
        case .reporting(let report): !report.owed.isEmpty || !report.published.isEmpty
        default: false
        }
    }

    /// True while the record being tried is processed, or is about to be.
    mutating func isBeingProcessed(_ index: Int) -> Bool {
        guard let record = partitions[index].watch.current else { return true }
        // A drain may have abandoned it.
        guard records.isTaken(record.slot), records[record.slot].isTried else { return false }
        let mayBeSent = search.isolated == nil || search.isolated == partitions.all[index]
        if mayBeSent, isAnyAside(of: record, index) { return true }
        for number in 0..<records[record.slot].count {
            guard let id = openPush(number, of: record) else { continue }
            if isAtWork(pushes[id].state) { return true }
            guard mayBeSent, pushes[id].state.kind == .queued,
                partitions[index].watch.cleared == records[record.slot].offset
            else { continue }
            if queues.allowsSending(pushes[id].app, now: now) { return true }
        }
        return false
    }

    /// Before a commit: a record that waits is not named.
    mutating func stopTryingWhatWaits(_ index: Int, _ id: AssignmentID) {
        guard partitions[index].watch.tried != nil, !isBeingProcessed(index) else { return }
        partitions[index].watch.stopTrying()
        endIsolation(of: id)
    }

    /// Lets other records be processed again, unless a crash would still count against one that is
    /// done: until then, this is called again for each commit that is stored.
    mutating func endIsolation(of id: AssignmentID) {
        guard search.isolated == id, partitions[id]?.watch.isNamedInCommit != true else { return }
        search.isolated = nil
        let waiting = search.sidelined
        search.sidelined = []
        putBack(waiting)
    }
}

// MARK: The end

extension Engine {
    /// A record of a partition is done.
    mutating func noteDone(_ offset: Int64, of index: Int, _ id: AssignmentID) {
        guard partitions[index].watch.isSingle else { return }
        if partitions[index].watch.tried?.offset == offset {
            partitions[index].watch.current = nil
            endIsolation(of: id)
        }
        let wasLast = partitions[index].watch.finished(offset)
        commits.hurry()
        if wasLast { endSingleRecords(index, id) }
    }

    private mutating func endSingleRecords(_ index: Int, _ id: AssignmentID) {
        partitions[index].watch.endSingleRecords()
        // What it holds is released first.
        if partitions[index].watch.held.isEmpty { flow.resume(id, from: .oneAtATime) }
        queueAside(index)
        endIsolation(of: id)
        commits.isDirty = true
        notices.append(.takenNormally(partitions[index].topicPartition))
    }
}
