/// Deadlines in the order in which they pass: a binary heap.
///
/// Nothing is taken out early: whoever no longer waits for a deadline ignores it when it comes,
/// by comparing its `generation`.
public struct DeadlineQueue: Sendable {
    /// One deadline and what it is for.
    public struct Entry: Sendable, BitwiseCopyable {
        /// Monotonic nanoseconds.
        public var deadline: UInt64
        /// What it is for, in the owner's numbering.
        public var id: Int
        /// Which life of that number it belongs to.
        public var generation: UInt32
    }

    private var heap: [Entry] = []

    /// No deadlines.
    public init() {}

    /// The deadline that passes first.
    public var next: UInt64? { heap.first?.deadline }
    /// How many deadlines wait.
    public var count: Int { heap.count }

    /// Adds a deadline.
    public mutating func add(_ deadline: UInt64, id: Int, generation: UInt32) {
        heap.append(Entry(deadline: deadline, id: id, generation: generation))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            if heap[parent].deadline <= heap[child].deadline { break }
            heap.swapAt(parent, child)
            child = parent
        }
    }

    /// Takes one deadline that has passed; nil when none has.
    public mutating func popExpired(at now: UInt64) -> Entry? {
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
