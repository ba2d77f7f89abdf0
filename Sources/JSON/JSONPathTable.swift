/// A step from one JSON value to one inside it.
public enum JSONPathStep: Hashable, Sendable {
    /// To a member of an object; the last one with that name.
    case member(String)
    /// To an element of an array, counted from 0.
    case element(Int)
}

/// Paths in contiguous memory, so that a plan can contain many and following one is cheap.
///
/// Each consists of a shorter path and a last step: paths share their common beginning.
public struct JSONPathTable: Sendable {
    struct Path: Sendable, BitwiseCopyable {
        /// The number of the path without the last step.
        var parent: Int32
        /// The number of steps.
        var depth: Int32
        /// The start of the last step's name in `names`; -1 for an element.
        var start: Int32 = -1
        /// The length of the name, or the index of the element.
        var count: Int32 = 0
        /// The first eight bytes of the name, in little-endian order; padded with zeros.
        var start8: UInt64 = 0
        /// Ones for each byte of the name.
        var mask8: UInt64 = 0
        /// The newest path that extends this one by a member; 0 for none.
        var firstMember: Int32 = 0
        /// The next older path with the same parent that ends in a member; 0 for none.
        var nextMember: Int32 = 0
        /// The next older one of them whose name shares its slot; 0 for none.
        var nextAlike: Int32 = 0

        /// The number of slots for the members of an object, a power of two.
        static let slotCount = 16

        /// The slot of a name: most names in an object that no path refers to share it with none
        /// that one does. `word` begins with the name, and with a quotation mark if that is empty.
        @inline(__always)
        static func slot(word: UInt64, length: UInt32) -> Int {
            Int((word ^ UInt64(length)) & UInt64(slotCount - 1))
        }
    }

    private struct Link: Hashable {
        var parent: Int
        var step: JSONPathStep
    }

    private(set) var names: [UInt8] = []
    /// The first is the empty path.
    private(set) var paths = [Path(parent: 0, depth: 0)]
    /// For each path, by ``Path/slot(word:length:)``, the newest one that extends it by a member
    /// whose name has the slot; 0 for none.
    private(set) var slots = [Int32](repeating: 0, count: Path.slotCount)
    private var numbers: [Link: Int] = [:]

    /// Creates a table with only the empty path.
    public init() {}

    /// The number of paths, including those that others extend.
    public var count: Int { paths.count }

    /// Adds a path and returns its number, which identifies it; a known path keeps its number.
    ///
    /// It begins where `start` ends, which is the root of a text unless stated otherwise.
    public mutating func add(_ path: [JSONPathStep], from start: Int = 0) -> Int {
        path.reduce(start) { parent, step in add(step, to: parent) }
    }

    /// Adds a path that leads nowhere until ``JSONPathNodes/enter(_:at:forgetting:)`` says where
    /// it ends: the beginning of paths from one node after another.
    public mutating func addMovingStart() -> Int {
        append(Path(parent: 0, depth: 1, count: -1))
        return paths.count - 1
    }

    /// The numbers of the paths that begin with another one.
    public func numbers(from start: Int) -> [Int32] {
        var isFound = Array(repeating: false, count: paths.count)
        // A path has a higher number than those it extends.
        for number in paths.indices.dropFirst(start + 1) {
            let parent = Int(paths[number].parent)
            isFound[number] = parent == start || isFound[parent]
        }
        return isFound.indices.filter { isFound[$0] }.map { Int32($0) }
    }

    private mutating func add(_ step: JSONPathStep, to parent: Int) -> Int {
        let link = Link(parent: parent, step: step)
        if let known = numbers[link] { return known }
        var path = Path(parent: Int32(parent), depth: paths[parent].depth + 1)
        switch step {
        case .member(let name):
            path.start = Int32(names.count)
            path.count = Int32(name.utf8.count)
            names.append(contentsOf: name.utf8)
            for (index, byte) in name.utf8.prefix(8).enumerated() {
                path.start8 |= UInt64(byte) << (8 * index)
                path.mask8 |= 0xFF << (8 * index)
            }
            path.nextMember = paths[parent].firstMember
            paths[parent].firstMember = Int32(paths.count)
            let word = name.isEmpty ? UInt64(UInt8(ascii: "\"")) : path.start8
            let slot = Path.slot(word: word, length: UInt32(name.utf8.count))
            path.nextAlike = slots[parent * Path.slotCount + slot]
            slots[parent * Path.slotCount + slot] = Int32(paths.count)
        case .element(let index): path.count = Int32(clamping: index)
        }
        append(path)
        numbers[link] = paths.count - 1
        return paths.count - 1
    }

    private mutating func append(_ path: Path) {
        paths.append(path)
        slots.append(contentsOf: repeatElement(0, count: Path.slotCount))
    }

    /// True when a path is another one, or begins with it.
    public func begins(_ path: Int, with start: Int) -> Bool {
        var path = path
        while path > start { path = Int(paths[path].parent) }
        return path == start
    }

    /// The steps of a path, as added: from the root of a text, or from another path.
    public func steps(of path: Int, from start: Int = 0) -> [JSONPathStep] {
        var steps: [JSONPathStep] = []
        var path = path
        while path > 0, path != start {
            let last = paths[path]
            if last.start < 0 {
                steps.append(.element(Int(last.count)))
            } else {
                let name = names[Int(last.start)..<Int(last.start + last.count)]
                steps.append(.member(String(decoding: name, as: UTF8.self)))
            }
            path = Int(last.parent)
        }
        return steps.reversed()
    }
}
