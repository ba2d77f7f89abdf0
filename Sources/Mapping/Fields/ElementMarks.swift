/// Which elements of the lists of `for_each` have matched a block of this record.
struct ElementMarks {
    /// A list, with the first block that has it.
    struct List {
        var node: Int
        var block: Int
        /// Where its elements begin in `marks`.
        fileprivate var start: Int
        fileprivate var count: Int
    }

    private(set) var lists: [List] = []
    private var marks: [Bool] = []

    mutating func forget() {
        guard !lists.isEmpty else { return }
        lists.removeAll(keepingCapacity: true)
        marks.removeAll(keepingCapacity: true)
    }

    /// The number of a list, which another block may have had before.
    mutating func list(at node: Int, count: Int, block: Int) -> Int {
        for index in lists.indices where lists[index].node == node { return index }
        lists.append(List(node: node, block: block, start: marks.count, count: count))
        for _ in 0..<count { marks.append(false) }
        return lists.count - 1
    }

    mutating func mark(_ position: Int, of list: Int) { marks[lists[list].start + position] = true }

    func isMarked(_ position: Int, of list: Int) -> Bool { marks[lists[list].start + position] }

    /// How many elements of a list have matched a block; 0 for a list that no block has had.
    func markCount(at node: Int) -> Int {
        guard let list = lists.first(where: { $0.node == node }) else { return 0 }
        return marks[list.start..<list.start + list.count].count { $0 }
    }

    /// The positions of the elements of a list that no block has matched.
    func rest(of list: List) -> [Int] {
        (0..<list.count).filter { !marks[list.start + $0] }
    }

    /// True when each element has matched.
    var isComplete: Bool { !marks.contains(false) }
}
