/// Numbers in a row, added at either end and taken at the front.
struct RingQueue: Sendable {
    private var places: [Int]
    private var head = 0
    private(set) var count = 0

    init(capacity: Int) {
        places = Array(repeating: 0, count: max(1, capacity))
    }

    var first: Int? { count == 0 ? nil : places[head] }

    mutating func append(_ number: Int) {
        if count == places.count { grow() }
        places[(head + count) % places.count] = number
        count += 1
    }

    mutating func prepend(_ number: Int) {
        if count == places.count { grow() }
        head = (head + places.count - 1) % places.count
        places[head] = number
        count += 1
    }

    @discardableResult
    mutating func popFirst() -> Int? {
        guard count > 0 else { return nil }
        let number = places[head]
        head = (head + 1) % places.count
        count -= 1
        return number
    }

    /// Forgets the numbers that are not wanted.
    mutating func keep(_ isWanted: (Int) -> Bool) {
        let kept = (0..<count).map { places[(head + $0) % places.count] }.filter(isWanted)
        places.replaceSubrange(0..<kept.count, with: kept)
        head = 0
        count = kept.count
    }

    private mutating func grow() {
        let inOrder = (0..<count).map { places[(head + $0) % places.count] }
        places = inOrder + Array(repeating: 0, count: count)
        head = 0
    }
}
