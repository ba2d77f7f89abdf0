/// Deadlines in the order in which they pass, each with what it is for: a binary heap.
///
/// Nothing is removed early: an owner that does not wait for a deadline any longer recognises it
/// by its item when it passes, and ignores it.
public struct DeadlineQueue<Deadline: Comparable & Sendable, Item: Sendable>: Sendable {
    /// A deadline and what it is for.
    public struct Entry: Sendable {
        /// When it passes.
        public var deadline: Deadline
        /// What it is for.
        public var item: Item
    }

    private var heap: [Entry] = []

    /// No deadlines.
    public init() {}

    /// The deadline that passes first.
    public var next: Deadline? { heap.first?.deadline }
    /// The number of deadlines.
    public var count: Int { heap.count }

    /// Adds a deadline.
    public mutating func add(_ deadline: Deadline, _ item: Item) {
        heap.append(Entry(deadline: deadline, item: item))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            if heap[parent].deadline <= heap[child].deadline { break }
            heap.swapAt(parent, child)
            child = parent
        }
    }

    /// Removes and returns a deadline that has passed; nil when none has.
    public mutating func popExpired(at now: Deadline) -> Entry? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return first
    }

    private mutating func sink() {
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
