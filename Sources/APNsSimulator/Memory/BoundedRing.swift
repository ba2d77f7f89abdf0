/// A buffer of limited size: when it is full, a new element replaces the oldest one.
struct BoundedRing<Element> {
    private let capacity: Int
    private var elements: [Element] = []
    private var start = 0

    init(capacity: Int) {
        precondition(capacity > 0, "a ring holds at least one element")
        self.capacity = capacity
    }

    var count: Int { elements.count }

    /// Appends an element, and returns the one that it replaced.
    @discardableResult
    mutating func append(_ element: Element) -> Element? {
        guard elements.count == capacity else {
            elements.append(element)
            return nil
        }
        let oldest = elements[start]
        elements[start] = element
        start = start + 1 == capacity ? 0 : start + 1
        return oldest
    }

    /// The elements by age: 0 is the oldest.
    subscript(_ age: Int) -> Element {
        get { elements[index(age)] }
        set { elements[index(age)] = newValue }
    }

    /// All elements, oldest first.
    var inOrder: [Element] { Array(elements[start...]) + Array(elements[..<start]) }

    mutating func removeAll() {
        elements.removeAll(keepingCapacity: true)
        start = 0
    }

    private func index(_ age: Int) -> Int {
        precondition(age >= 0 && age < elements.count, "no element of this age")
        let index = start + age
        return index < elements.count ? index : index - elements.count
    }
}
