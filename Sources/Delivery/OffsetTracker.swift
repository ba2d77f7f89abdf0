/// The offset of a partition that is safe to commit, while its records finish in any order.
///
/// Records come in ascending order, with gaps from compaction or transactions. Offsets below the
/// highest one seen that were never begun do not exist, so they count as done. Memory is bounded by
/// the number of unfinished records.
public struct OffsetTracker: Sendable {
    private struct Entry {
        var offset: Int64
        var isDone: Bool
        /// The number of done records before it whose entries were removed.
        var removed: Int32
    }

    private var entries: [Entry] = []
    private var head = 0
    private var live = 0
    /// The number of done records after the last entry whose entries were removed.
    private var removedLast: Int32 = 0
    private var end: Int64?
    /// The group's position at the start, or else the first record.
    private var origin: Int64?
    private var known: CompletedOffsets

    /// Starts at the group's position: `committed` is the next offset to read, nil when there is
    /// none; `known` are the offsets above it that were done before.
    public init(committed: Int64?, known: CompletedOffsets = CompletedOffsets()) {
        end = committed
        origin = committed
        self.known = known
    }

    /// The number of records begun and not done.
    public var inFlight: Int { live }

    /// The number of records that were begun and are done, but not below ``next``.
    public private(set) var doneAhead = 0

    /// The next offset to read after a restart: everything below is done. Nil before the first
    /// record of a partition without a committed offset.
    public var next: Int64? {
        guard head < entries.count else { return end }
        return entries[head].offset
    }

    /// The offset after the last record that was begun or skipped; before the first one the group's
    /// position. Nil before the first record of a partition without a committed offset.
    public var position: Int64? { end }

    /// Begins a record. False when it was done before, so that it must be skipped.
    public mutating func begin(_ offset: Int64) -> Bool {
        if known.contains(offset) {
            advanceEnd(to: offset + 1)
            return false
        }
        if let end, offset < end { return false }
        entries.append(Entry(offset: offset, isDone: false, removed: removedLast))
        removedLast = 0
        live += 1
        advanceEnd(to: offset + 1)
        return true
    }

    /// True when a record need not be begun: it was done before, or has begun.
    public func isPast(_ offset: Int64) -> Bool {
        known.contains(offset) || end.map { offset < $0 } ?? false
    }

    /// True for a record that has begun and is not done.
    public func isOpen(_ offset: Int64) -> Bool {
        index(of: offset).map { !entries[$0].isDone } ?? false
    }

    /// Marks a record as done; call it once.
    public mutating func complete(_ offset: Int64) {
        guard let index = index(of: offset), !entries[index].isDone else {
            preconditionFailure("an offset was completed that had not begun, or twice")
        }
        entries[index].isDone = true
        live -= 1
        doneAhead += 1
        if index == head { advanceHead() }
        compact()
    }

    /// The done offsets above ``next``.
    public var completed: CompletedOffsets {
        guard let next, let end else { return CompletedOffsets() }
        var ranges: [Range<Int64>] = []
        var from = next
        for entry in entries[head...] where !entry.isDone {
            if entry.offset > from { ranges.append(from..<entry.offset) }
            from = entry.offset + 1
        }
        if end > from { ranges.append(from..<end) }
        for range in known.ranges where range.upperBound > end {
            ranges.append(max(range.lowerBound, end)..<range.upperBound)
        }
        return CompletedOffsets(ranges: ranges)
    }

    /// What a later reader of the same log, which starts at a committed offset with these done
    /// offsets above it, need not do again.
    public func adding(to known: CompletedOffsets) -> CompletedOffsets {
        guard let next, let first = origin else { return known }
        let below = first < next ? [first..<next] : []
        return known.union(CompletedOffsets(ranges: below + completed.ranges))
    }

    /// The number of offsets from ``next`` on that ``completed`` covers, or will cover when the
    /// open records finish.
    public var span: Int64 {
        guard let next, let end else { return 0 }
        return end + knownAhead - next
    }

    /// The largest number of runs of completed offsets above ``next``, whichever open records
    /// finish first, those included that an earlier reader left open and that are yet to come.
    public var openRuns: Int { live + leftOpen }

    /// The number of offsets from ``position`` to the end of what an earlier reader recorded as
    /// done. Its commits had room for the records in between, whichever of them finish first.
    public var knownAhead: Int64 { max(0, (known.ranges.last?.upperBound ?? 0) - (end ?? 0)) }

    /// The number of offsets among those of ``knownAhead`` that are not done.
    private var leftOpen: Int {
        guard let end else { return 0 }
        var left = knownAhead
        for range in known.ranges.reversed() {
            guard range.upperBound > end else { break }
            left -= range.upperBound - max(range.lowerBound, end)
        }
        return Int(left)
    }

    private mutating func advanceEnd(to offset: Int64) {
        end = max(end ?? offset, offset)
        if origin == nil { origin = offset - 1 }
    }

    /// Advances to the first record that is not done.
    private mutating func advanceHead() {
        while head < entries.count, entries[head].isDone {
            doneAhead -= 1
            head += 1
            guard head < entries.count else { break }
            doneAhead -= Int(entries[head].removed)
            entries[head].removed = 0
        }
    }

    private func index(of offset: Int64) -> Int? {
        guard head < entries.count, case let first = entries[head].offset, offset >= first else {
            return nil
        }
        // Offsets increase, mostly without a gap: none is farther away than without one.
        let distance = UInt64(bitPattern: offset &- first)
        let last = head + Int(min(distance, UInt64(entries.count - head - 1)))
        if entries[last].offset == offset { return last }
        var low = head
        var high = last
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].offset == offset ? low : nil
    }

    /// Removes done records when they are the majority, and keeps their number.
    private mutating func compact() {
        if head == entries.count {
            entries.removeAll(keepingCapacity: true)
            head = 0
            doneAhead = 0
            removedLast = 0
        } else if entries.count > 64, entries.count > 2 * live {
            var kept = 0
            var removed: Int32 = 0
            for index in head..<entries.count {
                if entries[index].isDone {
                    removed += 1 + entries[index].removed
                } else {
                    entries[kept] = entries[index]
                    entries[kept].removed += removed
                    (kept, removed) = (kept + 1, 0)
                }
            }
            removedLast += removed
            entries.removeLast(entries.count - kept)
            head = 0
        }
    }
}
