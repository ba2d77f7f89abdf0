/// A queue of references to pushes that grows at either end and shrinks at the front.
struct RingQueue: Sendable {
    private var slots: [PushID]
    private var head = 0
    private(set) var count = 0

    private static let nothing = PushID(rawValue: .max)

    init(capacity: Int) {
        slots = Array(repeating: Self.nothing, count: max(1, capacity))
    }

    var first: PushID? { count == 0 ? nil : slots[head] }

    mutating func append(_ id: PushID) {
        if count == slots.count { grow() }
        slots[index(head + count)] = id
        count += 1
    }

    mutating func prepend(_ id: PushID) {
        if count == slots.count { grow() }
        head = index(head + slots.count - 1)
        slots[head] = id
        count += 1
    }

    @discardableResult
    mutating func popFirst() -> PushID? {
        guard count > 0 else { return nil }
        let id = slots[head]
        head = index(head + 1)
        count -= 1
        return id
    }

    /// Removes every reference to a push that is done or in another state.
    mutating func keep(_ kind: Push.State.Kind, of pushes: borrowing PushTable) {
        var kept: [PushID] = []
        for offset in 0..<count {
            let id = slots[index(head + offset)]
            if pushes.isCurrent(id), pushes[id].state.kind == kind { kept.append(id) }
        }
        slots.replaceSubrange(0..<kept.count, with: kept)
        head = 0
        count = kept.count
    }

    private func index(_ position: Int) -> Int {
        position < slots.count ? position : position - slots.count
    }

    private mutating func grow() {
        let inOrder = (0..<count).map { slots[index(head + $0)] }
        slots = inOrder + Array(repeating: Self.nothing, count: count)
        head = 0
    }
}
