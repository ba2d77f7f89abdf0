public import Delivery

/// Deadlines in order of expiry, each with an item: a binary heap.
///
/// Nothing is removed early: when a deadline expires that the owner no longer waits for, the owner
/// recognizes this by its item and ignores it. An owner with many of those takes all and adds what
/// it still waits for.
///
/// Inlinable, because generic code of another module is several times as expensive, and every turn
/// asks whether anything has expired.
public struct DeadlineQueue<Item: Sendable>: Sendable {
    /// A deadline and its item.
    @frozen public struct Entry: Sendable {
        /// When it expires.
        public var deadline: Instant
        /// The item.
        public var item: Item

        @inlinable init(deadline: Instant, item: Item) {
            self.deadline = deadline
            self.item = item
        }
    }

    @usableFromInline var heap: [Entry] = []

    /// Creates an empty queue.
    @inlinable public init() {}

    /// The earliest deadline.
    @inlinable public var next: Instant? { heap.first?.deadline }
    /// The number of deadlines.
    @inlinable public var count: Int { heap.count }

    /// Adds a deadline.
    @inlinable public mutating func add(_ deadline: Instant, _ item: Item) {
        heap.append(Entry(deadline: deadline, item: item))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            if heap[parent].deadline <= heap[child].deadline { break }
            heap.swapAt(parent, child)
            child = parent
        }
    }

    /// Removes and returns an expired deadline; nil when there is none.
    @inlinable public mutating func popExpired(at now: Instant) -> Entry? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return first
    }

    /// Removes and returns all deadlines, in no order.
    public mutating func takeAll() -> [Entry] {
        defer { heap.removeAll(keepingCapacity: true) }
        return heap
    }

    @inlinable mutating func sink() {
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let right = left + 1
            let least =
                right < heap.count && heap[right].deadline < heap[left].deadline ? right : left
            if heap[parent].deadline <= heap[least].deadline { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
